#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/rational.h"
#include "data/run_summary.h"
#include "plan/banding_plan.h"

namespace sosie {

// Facts about a collection of sets for the planner, in addition to their similarities
// (SampleFacts). Integers only, so that equal rows lead to the same choice everywhere.
struct CollectionFacts {
  std::uint64_t rows = 0;        // estimated if the planner has not seen all of them
  std::uint64_t other_rows = 0;  // rows of the collection that the others are joined with
  std::uint64_t elements = 0;    // elements of all sets, estimated
  bool whole = false;            // the planner has seen all rows
  bool few = false;              // so few that every pair must be found
  // Counts of an exact join of some rows, each distinct set once.
  std::uint64_t joined_rows = 0;
  JoinCounts joined = {};
};

// Purpose of a join of all rows.
enum class JoinUse : std::uint8_t { every_pair, survivors };

// Memory that an exact join chosen by auto may use: the lowest memory limit that is guaranteed. The
// choice of the method must not depend on the available memory.
inline constexpr std::uint64_t kMemoryOfAuto = std::uint64_t{256} << 20;
// Number of elements that fit in it, with their index and everything that a run keeps of the rows.
inline constexpr std::uint64_t kMostElementsOfAuto = 6'000'000;
// Number of rows for which an exact join can keep the data that cannot go to scratch within it.
inline constexpr std::uint64_t kMostRowsOfAuto = 3'000'000;

// Maximum number of elements of an exact join that was not requested explicitly: as many as fit in
// kMemoryOfAuto, or take no more memory than the data that lsh keeps of the rows. Unlimited without
// lsh.
[[nodiscard]] std::uint64_t most_elements_of_auto(std::uint64_t rows,
                                                  const std::optional<BandingPlan>& lsh) noexcept;

// Predicted seconds of one processor for each method, without the work common to all of them
// (reading, parsing, shingling, writing). Infinite: ruled out.
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

// Number of compared pairs among this many rows; `other_rows` of them are joined with the others.
[[nodiscard]] double pairs_among(double rows, double other_rows) noexcept;

// Uses only + - * / on doubles, in a fixed order, and compiled-in constants: every machine makes
// the same prediction.
[[nodiscard]] SetCosts set_costs(const CollectionFacts& collection, const SampleFacts& sample,
                                 const JoinGoal& goal) noexcept;

// True if lsh would be the cheapest of set_costs() for any joined counts: `collection.joined` is
// not read. For survivors; if every pair is listed, their number matters.
[[nodiscard]] bool is_lsh_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                                   const JoinGoal& goal) noexcept;
// True if brute would be the cheapest: few rows are compared with many, or there are few rows in
// all.
[[nodiscard]] bool is_brute_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                                     const JoinGoal& goal) noexcept;

// The costs of each method, even if it is ruled out.
[[nodiscard]] SetCosts costs_of_every_method(const CollectionFacts& collection,
                                             const SampleFacts& sample,
                                             const JoinGoal& goal) noexcept;

}  // namespace sosie
