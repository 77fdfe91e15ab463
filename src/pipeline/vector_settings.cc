#include "pipeline/vector_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kUsualMeasure = "cosine";

// Options that mean something for texts only, or are not built for vectors.
constexpr std::array<std::string_view, 11> kOfTexts = {
    "shingle", "stopwords", "tokens", "sketch",  "bands",     "construct",
    "plan",    "audit",     "show",   "rejects", "on-bad-row"};

void refuse_options_of_texts(const Options& options) {
  for (const std::string_view name : kOfTexts) {
    if (is_given(options, name)) {
      throw Error(ErrorKind::invalid_option, fmt::format("--{}: not for vectors", name));
    }
  }
}

const VectorMeasure& measure_of(const Options& options) {
  if (!is_given(options, "measure")) return *vector_measure_by_name(kUsualMeasure);
  if (const VectorMeasure* measure = vector_measure_by_name(options.measure)) return *measure;
  std::string names;
  for (const VectorMeasure& measure : vector_measures()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", measure.name);
  }
  throw Error(ErrorKind::invalid_option,
              "--measure " + options.measure + ": is not for items of kind vectors",
              "vectors are compared by " + names);
}

void resolve_bound(const Options& options, VectorSettings& settings) {
  const VectorMeasure& measure = *settings.measure;
  const bool threshold = is_given(options, "threshold");
  const bool within = !options.within.empty();
  if (within && measure.is_similarity) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--within: {} is a similarity, not a distance", measure.name),
                "say --threshold S, or --measure angle --within DEGREES");
  }
  if (threshold && !measure.is_similarity) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--threshold: {} is a distance, not a similarity", measure.name),
                "say --within D");
  }
  if (!threshold && !within) {
    throw Error(ErrorKind::invalid_option,
                measure.is_similarity
                    ? fmt::format("--threshold: must be given for {}", measure.name)
                    : fmt::format("--within: must be given for {}", measure.name));
  }
  settings.bound_text = within ? options.within : options.threshold;
  settings.bound = *parse_rational(settings.bound_text);
}

}  // namespace

bool is_given(const Options& options, std::string_view name) {
  return std::any_of(options.given.begin(), options.given.end(),
                     [&](const auto& given) { return given.first == name; });
}

VectorSettings resolve_vectors(const Options& options) {
  refuse_options_of_texts(options);
  if (options.method == "lsh") {
    throw Error(ErrorKind::unsupported, "--method lsh: not for vectors",
                "the exact method finds every pair");
  }
  VectorSettings settings;
  settings.run = resolve_run(options);
  settings.measure = &measure_of(options);
  settings.brute = options.method == "brute";
  resolve_bound(options, settings);
  return settings;
}

}  // namespace sosie
