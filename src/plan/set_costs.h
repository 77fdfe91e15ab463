#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/rational.h"
#include "data/run_summary.h"
#include "plan/banding_plan.h"

namespace sosie {

// Facts about a collection of sets for the planner, besides their similarities (SampleFacts).
// Integers only, so that the same rows make the same choice everywhere.
struct CollectionFacts {
  std::uint64_t rows = 0;        // in all: about, when there is more than the planner has seen
  std::uint64_t other_rows = 0;  // rows of the collection that the others are joined with
  std::uint64_t elements = 0;    // elements of all sets, estimated
  bool whole = false;            // the planner has seen all rows
  bool few = false;              // so few that every pair must be found
  // An exact join of some rows, each different set once: what it has looked at.
  std::uint64_t joined_rows = 0;
  JoinCounts joined = {};
};

// Purpose of a join of all rows.
enum class JoinUse : std::uint8_t { every_pair, survivors };

// Memory that an exact join chosen by auto may take: the least memory limit that is promised to be
// kept. The choice of the method must not depend on the memory there is.
inline constexpr std::uint64_t kMemoryOfAuto = std::uint64_t{256} << 20;
// Elements that fit into it, with their index and all that a run keeps of the rows.
inline constexpr std::uint64_t kMostElementsOfAuto = 6'000'000;
// Rows of which an exact join keeps what it cannot put into scratch within it.
inline constexpr std::uint64_t kMostRowsOfAuto = 3'000'000;

// Elements that an exact join nobody asked for may hold: so many as fit kMemoryOfAuto, or take no
// more than what lsh keeps of the rows. Any number where there is no lsh.
[[nodiscard]] std::uint64_t most_elements_of_auto(std::uint64_t rows,
                                                  const std::optional<BandingPlan>& lsh) noexcept;

// Seconds of one processor that each method is predicted to take besides what all of them do (read,
// parse, shingle, write). Infinite: not to be taken.
struct SetCosts {
  double exact = std::numeric_limits<double>::infinity();
  double lsh = std::numeric_limits<double>::infinity();
  double brute = std::numeric_limits<double>::infinity();
};

// Goal of a join of all rows.
struct JoinGoal {
  Rational threshold;
  JoinUse use = JoinUse::every_pair;
  std::optional<BandingPlan> lsh;  // banding that lsh would use; nothing where none will do
};

// Pairs that are compared among so many rows; `other_rows` of them are joined with the others.
[[nodiscard]] double pairs_among(double rows, double other_rows) noexcept;

// Uses + - * / on doubles only, in one fixed order, and compiled-in constants: every machine
// predicts the same.
[[nodiscard]] SetCosts set_costs(const CollectionFacts& collection, const SampleFacts& sample,
                                 const JoinGoal& goal) noexcept;

// True if lsh would be the cheapest of set_costs() whatever the joined counts were:
// `collection.joined` is not read. For survivors; where every pair is listed, their number decides.
[[nodiscard]] bool is_lsh_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                                   const JoinGoal& goal) noexcept;
// True if brute would be the cheapest: few rows meet many, or all rows are few.
[[nodiscard]] bool is_brute_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                                     const JoinGoal& goal) noexcept;

// The costs of each method, whether or not it would be taken.
[[nodiscard]] SetCosts costs_of_every_method(const CollectionFacts& collection,
                                             const SampleFacts& sample,
                                             const JoinGoal& goal) noexcept;

}  // namespace sosie
