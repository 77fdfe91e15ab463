#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "candidates/prefix_join.h"
#include "core/rational.h"
#include "data/measure.h"
#include "data/record.h"
#include "options/input_list.h"
#include "options/set_cascade.h"
#include "represent/text_shingler.h"
#include "sketch/minhash.h"
#include "sosie/options.h"
#include "verify/measures.h"

namespace sosie {

enum class BadRows : std::uint8_t { stop, skip, keep };

// A criterion for --keep.
struct KeepRule {
  enum class By : std::uint8_t { first, last, longest, shortest, greatest, least } by = By::first;
  std::string field;  // field for greatest and least
};

// Options in the form that the stages use: parsed, checked, with names resolved.
struct Settings {
  Rational threshold;
  bool lowers_threshold = false;  // no threshold was given: it is lowered as far as --top or
                                  // --top-pairs need
  double recall = 0.99;
  ShingleRecipe shingle;
  std::optional<Rational> ignore_common;  // a shingle in a larger share of the items is left out
  ElementRules elements;
  SketchKind sketch = SketchKind::permfill;
  const Measure* measure = nullptr;
  std::shared_ptr<const Measure> made_measure;  // owns it
  Method method = Method::automatic;
  PrefixFilters filters;  // filters of method exact
  int fixed_bands = 0;    // 0: chosen by the planner
  int fixed_rows = 0;
  std::optional<SetCascade> cascade;  // instead of bands of minhashes
  std::uint64_t seed = 1;
  std::vector<KeepRule> keep;
  BadRows bad_rows = BadRows::stop;
  bool stops_for_encoding = true;  // stops if too many rows are invalid in their encoding
  std::vector<std::string> show;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;
  std::string scratch;
  std::uint64_t scratch_limit_bytes = ~std::uint64_t{0};

  // True if a rule of `keep` needs the lengths of texts.
  [[nodiscard]] bool ranks_by_length() const noexcept;
};

// The settings that all kinds of items share: seed, keep rules, bad rows, threads, memory, scratch.
[[nodiscard]] Settings resolve_run(const Options& options);

// All settings for items that are compared as sets. Throws Error{invalid_option} for combinations
// that make no sense.
[[nodiscard]] Settings resolve(const Options& options);

// Throws Error{invalid_option} unless texts, sets or bags can be indexed with these options.
void require_index_of_sets(const Options& options, const Settings& settings);

// Options for reading the rows of OTHER: --column and similar options are replaced with
// --other-column and so on.
[[nodiscard]] Options options_of_other(Options options);
// The options that apply to each input separately.
[[nodiscard]] ToldOfFile told_of(const Options& options);

// The rules set by --format, --delimiter, --no-header and --follow. The result refers to the
// options.
[[nodiscard]] InputRules input_rules(const Options& options);

// Parses "first", "max:score,longest"; nullopt for any other text.
[[nodiscard]] std::optional<std::vector<KeepRule>> parse_keep(std::string_view text);

// Parses "drop:3", "liked-hated:3.5" or "bag".
[[nodiscard]] std::optional<Ratings> parse_ratings(std::string_view text);

// Parses "14x8" as bands and rows.
[[nodiscard]] std::optional<std::pair<int, int>> parse_bands(std::string_view text);

}  // namespace sosie
