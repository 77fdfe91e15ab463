#include "options/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/rational_bounds.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 13> kOfTexts = {
    "group-by", "element", "weight",  "union",   "shingle", "stopwords", "tokens",
    "sketch",   "plan",    "ratings", "filters", "show",    "reuse"};

// The one similarity that can be more than 1.
constexpr std::string_view kDot = "dot";

}  // namespace

void require_fraction(const Options& options) {
  const auto [size, negative] = *parse_signed_rational(options.threshold);
  if (!negative && size.num > 0 && size.num <= size.den) return;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("--threshold: '{}' is not a number above 0 and at most 1, such as 0.8 or 4/5",
                  options.threshold));
}

MeasuredBound resolve_bound(const Options& options, std::string_view name, bool is_similarity) {
  const bool threshold = is_given(options, "threshold");
  const bool within = !options.within.empty();
  if (within && is_similarity) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--within: {} is a similarity, not a distance", name),
                name == "cosine" ? "say --threshold S, or --measure angle --within DEGREES"
                                 : "say --threshold S");
  }
  if (threshold && !is_similarity) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--threshold: {} is a distance, not a similarity", name),
                "say --within D");
  }
  if (!threshold && !within) {
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("--{}: must be given for {}", is_similarity ? "threshold" : "within", name),
        "sosie query takes --top K in its place");
  }
  if (threshold && name != kDot) require_fraction(options);
  const std::string& text = within ? options.within : options.threshold;
  if (within) return {{std::string(name), text, is_similarity}, *parse_upper_bound(text)};
  return {{std::string(name), text, is_similarity}, parse_signed_rational(text)->size};
}

bool asks_for_nearest(const Options& options) {
  return options.top > 0 && !is_given(options, "threshold") && options.within.empty();
}

MeasuredBound no_bound(std::string_view name, bool is_similarity) {
  return {{std::string(name), {}, is_similarity}, {}};
}

void refuse_audit_of_nearest(const Options& options) {
  if (options.audit == 0) return;
  throw Error(ErrorKind::invalid_option, "--audit: --top alone asks for the nearest there are",
              "say how near they must be, too");
}

void refuse_options_of_texts(const Options& options, std::string_view kind) {
  for (const std::string_view name : kOfTexts) {
    if (is_given(options, name)) {
      throw Error(ErrorKind::invalid_option, fmt::format("--{}: not for {}", name, kind));
    }
  }
  if (!options.other_ids.empty() && options.against.empty()) {
    throw Error(ErrorKind::invalid_option, "--other-ids: there is nothing else to compare with",
                "--ids names the items of the input");
  }
  if (options.table || options.against_table) {
    throw Error(ErrorKind::unsupported, fmt::format("{} are not read from tables", kind),
                "name a file that holds them");
  }
  const auto pipes = std::count(options.inputs.begin(), options.inputs.end(), "-") +
                     std::count(options.against.begin(), options.against.end(), "-");
  if (pipes > 1) {
    throw Error(ErrorKind::invalid_option, "-: standard input can be read only once");
  }
}

bool is_option_of_texts(std::string_view name) noexcept {
  return std::find(kOfTexts.begin(), kOfTexts.end(), name) != kOfTexts.end();
}

bool is_given(const Options& options, std::string_view name) {
  return std::any_of(options.given.begin(), options.given.end(),
                     [&](const auto& given) { return given.first == name; });
}

}  // namespace sosie
