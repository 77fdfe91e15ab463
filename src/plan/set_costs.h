#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/rational.h"
#include "data/run_summary.h"
#include "plan/banding_plan.h"

namespace sosie {

// The rows that an exact join of two collections keeps if it looks up the larger collection in the
// smaller one while reading: all rows of the smaller one and, estimated from a sample, the rows of
// the larger one that may have a partner.
struct RowsWithPartners {
  std::uint64_t small_elements = 0;  // elements of the smaller collection
  std::uint64_t rows = 0;
  std::uint64_t elements = 0;  // elements of these rows
};

// Facts about a collection of sets that the planner needs in addition to their similarities
// (SampleFacts). All are integers, so that equal rows lead to the same choice everywhere.
struct CollectionFacts {
  std::uint64_t rows = 0;        // estimated if the planner has not seen all of them
  std::uint64_t other_rows = 0;  // rows of the collection that the others are joined with
  std::uint64_t elements = 0;    // elements of all sets, estimated
  // Rows that are not the first of their text, which are not joined, and the elements of their
  // sets; estimated.
  std::uint64_t copied_rows = 0;
  std::uint64_t copied_elements = 0;
  bool whole = false;  // the planner has seen all rows
  bool few = false;    // so few that every pair must be found
  // Only pairs across two collections are needed, and rows without a partner are left out.
  std::optional<RowsWithPartners> partners = {};
  // Counts of an exact join of some rows, each distinct set once.
  std::uint64_t joined_rows = 0;
  JoinCounts joined = {};
};

// The purpose for which all rows are joined.
enum class JoinUse : std::uint8_t { every_pair, survivors };

// Memory that an exact join may use if auto chose it: the lowest memory limit that is guaranteed,
// since the choice of the method must not depend on the available memory.
inline constexpr std::uint64_t kMemoryOfAuto = std::uint64_t{256} << 20;
// Number of elements that fit in this memory, with their index and all that a run keeps for the
// rows.
inline constexpr std::uint64_t kMostElementsOfAuto = 6'000'000;
// Number of rows for which an exact join can keep within this memory all data that cannot go to
// scratch.
inline constexpr std::uint64_t kMostRowsOfAuto = 3'000'000;

// Maximum number of elements for an exact join that was not requested explicitly: as many as fit in
// kMemoryOfAuto, or as take no more memory than the data that lsh keeps for the rows. There is no
// limit if lsh is not possible.
[[nodiscard]] std::uint64_t most_elements_of_auto(const CollectionFacts& collection,
                                                  const std::optional<BandingPlan>& lsh) noexcept;

// Predicted seconds on one processor for each method, without the work that all methods share
// (reading, parsing, shingling, writing). Infinite: the method is ruled out.
struct SetCosts {
  double exact = std::numeric_limits<double>::infinity();
  double lsh = std::numeric_limits<double>::infinity();
  double brute = std::numeric_limits<double>::infinity();
};

// Goal of a join of all rows.
struct JoinGoal {
  Rational threshold;
  JoinUse use = JoinUse::every_pair;
  std::optional<BandingPlan> lsh;  // banding that lsh would use; nullopt if none is possible
};

// Number of sampled rows that are joined exactly: a sixteenth, which reveals the elements that meet
// in the full join, except those so rare that their lists cost little; at least `sketched`. If only
// a few rows, `other_rows`, are joined with all others, there are few pairs, and the sample must
// not have more than these.
[[nodiscard]] std::uint64_t rows_to_join(std::uint64_t rows, std::uint64_t other_rows,
                                         std::uint64_t sketched) noexcept;

// Number of compared pairs among this many rows if `other_rows` of them are joined with the
// remaining ones.
[[nodiscard]] double pairs_among(double rows, double other_rows) noexcept;

// Predicts costs using only + - * / on doubles in a fixed order and compiled-in constants, so that
// every machine makes the same prediction.
[[nodiscard]] SetCosts set_costs(const CollectionFacts& collection, const SampleFacts& sample,
                                 const JoinGoal& goal) noexcept;

// True if lsh would be the cheapest in set_costs() whatever the joined counts are;
// `collection.joined` is not read. For survivors only: if every pair is listed, the number of pairs
// matters.
[[nodiscard]] bool is_lsh_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                                   const JoinGoal& goal) noexcept;
// True if brute would be the cheapest, because few rows are compared with many, or there are few
// rows in all.
[[nodiscard]] bool is_brute_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                                     const JoinGoal& goal) noexcept;

// The costs of each method, even if the method is ruled out.
[[nodiscard]] SetCosts costs_of_every_method(const CollectionFacts& collection,
                                             const SampleFacts& sample,
                                             const JoinGoal& goal) noexcept;

}  // namespace sosie
