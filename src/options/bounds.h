#pragma once

#include <string>
#include <string_view>

#include "core/rational.h"
#include "data/row_writer.h"
#include "sosie/options.h"

namespace sosie {

// Measure and bound that pairs were found by.
struct BoundFacts {
  std::string measure;
  std::string bound;  // bound as written; empty: none
  bool is_similarity = true;
  bool is_count = false;  // distances are whole numbers, and shown so

  // A value as tables show it.
  [[nodiscard]] Cell cell(double value) const {
    return is_count ? Cell(static_cast<std::uint64_t>(value)) : Cell(Decimal{value});
  }
  // "similarity" or "distance".
  [[nodiscard]] std::string value_name() const { return is_similarity ? "similarity" : "distance"; }
};

// Measure and bound of pairs of texts, sets and bags, for messages and files. `falls`: no threshold
// is given.
[[nodiscard]] BoundFacts facts_of_sets(const Options& options, bool falls);

// Bound that --threshold or --within sets for a measure.
struct ItemBound {
  BoundFacts facts;
  Bound bound;
};

// Throws Error{invalid_option} when --threshold is more than 1.
void require_fraction(const Options& options);

// The bound of the measure called `name`. Throws Error{invalid_option} unless the option that goes
// with it is given, and the other is not.
[[nodiscard]] ItemBound resolve_bound(const Options& options, std::string_view name,
                                      bool is_similarity);

// True if --top is given and no bound, so that it decides alone.
[[nodiscard]] bool asks_for_nearest(const Options& options);
[[nodiscard]] ItemBound no_bound(std::string_view name, bool is_similarity);

// Throws Error{invalid_option} with --audit, which needs a bound to count pairs by.
void refuse_audit_of_nearest(const Options& options);

// Throws Error{invalid_option} when something was said of the rows of another collection
// (--other-column); expect_other() does unless there is one.
void refuse_told_of_other(const Options& options, std::string_view why, std::string_view way);
void expect_other(const Options& options);
// True if something was.
[[nodiscard]] bool tells_of_other(const Options& options);

// Throws Error{invalid_option} when an option was given that items in memory have no use for, and
// when two inputs are standard input.
void refuse_options_of_texts(const Options& options, std::string_view kind);

// Makes --within D of a similarity S whose 1 - S is a distance the threshold 1 - D, exactly; other
// options stay. Kind and measure are known. Throws Error{invalid_option} for a D of 1 or more,
// which every pair is within, and with --threshold.
void take_distance_as_threshold(Options& options);

// Names the measures that items of this kind have, and the kinds that have the typed one.
[[noreturn]] void refuse_measure(std::string_view typed, std::string_view kind);

// True if tables that show fields also show the text that was compared.
[[nodiscard]] bool shows_compared(const Options& options);

// True if set_option() was told this option.
[[nodiscard]] bool is_given(const Options& options, std::string_view name);

// The value that it was told last; empty: none.
[[nodiscard]] std::string given_value(const Options& options, std::string_view name);

}  // namespace sosie
