// Settings of runs on strings: measure, bound, form and method.
#include "options/string_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "data/kinds.h"
#include "options/refuse_options_of_others.h"
#include "sosie/error.h"

namespace sosie {
namespace {

[[noreturn]] void refuse_strings(RefusedOption option, const std::string& reason,
                                 const std::string& hint) {
  throw Error(ErrorKind::invalid_option, std::move(option), reason, hint);
}

// Parses --within for edits, a whole number. All numbers that exceed every possible distance have
// the same effect.
std::uint32_t whole_distance(const std::string& text) {
  const bool digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || text.empty()) {
    refuse_strings({"within"}, fmt::format("'{}' is not a whole number: edits are counted", text),
                   "use --within 2, or --threshold S for a similarity");
  }
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc{} || value > kMost ? kMost : value;
}

void require_one_bound(const Options& options, const StringMeasure& measure) {
  const bool threshold = is_given(options, "threshold");
  const bool within = !options.within.empty();
  if (threshold && within) {
    refuse_strings({"within", options.within},
                   fmt::format("cannot be combined with --threshold {}", options.threshold),
                   "give one of them: a number of edits, or a similarity, which allows longer "
                   "strings more edits");
  }
  if (!threshold && !within) {
    refuse_strings({"within"},
                   fmt::format("this option or --threshold must be given for {}", measure.name),
                   "use --within 2, or --threshold 0.85; pairs and query accept --top K instead");
  }
}

}  // namespace

StringMeasure measure_of_strings(const Options& options) {
  const std::string_view name =
      is_given(options, "measure") ? options.measure : default_measure(kStringItems);
  if (const auto measure = string_measure(name)) return *measure;
  refuse_measure(name, kStringItems);
}

StringForm form_of_strings(const Options& options) {
  if (options.clean == "fold") return StringForm::folded;
  return options.clean == "alnum" ? StringForm::letters : StringForm::as_is;
}

StringSettings resolve_strings(const Options& options, VerbBit verb) {
  refuse_options_of_others(options);
  StringSettings settings;
  settings.run = resolve_run(options);
  settings.measure = measure_of_strings(options);
  settings.form = form_of_strings(options);
  settings.edits.measure = settings.measure.edits;
  const std::string name(settings.measure.name);
  if (options.method == Method::lsh) {
    refuse_strings({"method", "lsh"}, "strings have no signature",
                   "--method exact finds every pair");
  }
  settings.brute = options.method == Method::brute;
  settings.nearest = verb != kDedup && asks_for_nearest(options);
  if (settings.nearest) {
    refuse_audit_of_nearest(options);
    settings.bound = no_bound(name, /*is_similarity=*/false);
    settings.bound.facts.is_count = true;
    return settings;
  }
  require_one_bound(options, settings.measure);
  settings.edits.by_similarity = options.within.empty();
  if (settings.edits.by_similarity) {
    settings.bound = resolve_bound(options, name, /*is_similarity=*/true);
    settings.edits.threshold = settings.bound.bound.terms();
  } else {
    settings.edits.within = whole_distance(options.within);
    settings.bound = {{name, options.within, /*is_similarity=*/false, /*is_count=*/true}, {}};
  }
  return settings;
}

}  // namespace sosie
