#pragma once

#include <string>
#include <string_view>

#include "core/rational.h"
#include "data/row_writer.h"
#include "sosie/options.h"

namespace sosie {

// The measure and the bound by which pairs were found.
struct BoundFacts {
  std::string measure;
  std::string bound;  // bound as written; empty: none
  bool is_similarity = true;
  bool is_count = false;  // distances are whole numbers, and displayed as such

  // The value as it appears in tables.
  [[nodiscard]] Cell cell(double value) const {
    return is_count ? Cell(static_cast<std::uint64_t>(value)) : Cell(Decimal{value});
  }
  // "similarity" or "distance".
  [[nodiscard]] std::string value_name() const { return is_similarity ? "similarity" : "distance"; }
};

// Measure and bound for pairs of texts, sets and bags, for messages and files. `falls`: there is no
// threshold, so it is lowered as needed.
[[nodiscard]] BoundFacts facts_of_sets(const Options& options, bool falls);

// The bound on a measure that --threshold or --within sets.
struct ItemBound {
  BoundFacts facts;
  Bound bound;
};

// Throws Error{invalid_option} if --threshold is above 1.
void require_fraction(const Options& options);

// The bound for the measure with this name. Throws Error{invalid_option} unless exactly one of the
// two options is given and it fits the measure.
[[nodiscard]] ItemBound resolve_bound(const Options& options, std::string_view name,
                                      bool is_similarity);

// True if --top is given without a bound, so that only --top selects the pairs.
[[nodiscard]] bool asks_for_nearest(const Options& options);
[[nodiscard]] ItemBound no_bound(std::string_view name, bool is_similarity);

// Throws Error{invalid_option} if --audit is given, because it needs a bound to count pairs.
void refuse_audit_of_nearest(const Options& options);

// Throws Error{invalid_option} if an option for the rows of another collection (such as
// --other-column) is given; expect_other() does so unless there is another collection.
void refuse_told_of_other(const Options& options, std::string_view why, std::string_view way);
void expect_other(const Options& options);
// True if such an option is given.
[[nodiscard]] bool tells_of_other(const Options& options);

// Throws Error{invalid_option} for options that do not apply to items in memory, and if two inputs
// are standard input.
void refuse_options_of_texts(const Options& options, KindBit kind);

// For a similarity S whose 1 - S is a distance, replaces --within D with the threshold 1 - D,
// exactly; leaves other options unchanged. Kind and measure must be set. Throws
// Error{invalid_option} if D is 1 or more, which every pair satisfies, and if --threshold is also
// given.
void take_distance_as_threshold(Options& options);

// Throws an error that lists the measures for items of this kind, and the kinds for which the typed
// measure exists.
[[noreturn]] void refuse_measure(std::string_view typed, KindBit kind);

// True if tables with fields also show texts as they were compared.
[[nodiscard]] bool shows_compared(const Options& options);

// True if set_option() was called for this option.
[[nodiscard]] bool is_given(const Options& options, std::string_view name);

// The value most recently given to this option; empty if the option was not given.
[[nodiscard]] std::string given_value(const Options& options, std::string_view name);

}  // namespace sosie
