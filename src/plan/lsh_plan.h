#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/hash_family.h"
#include "plan/construction.h"

// Plans for hashing items with a locality-sensitive family: a banding (AND of rows, OR of bands),
// and a sketch that drops most far pairs in a bucket. Does not use libm, see banding_plan.h.
namespace sosie {

// Costs of a run that differ between plans, in nanoseconds on one core.
struct LshCosts {
  double function = 0;  // to evaluate a function on an item
  double measure = 0;   // to measure a pair
  double bit = 0;       // a bit of a sketch; 0: costs as much as a function
  int at_once = 1;      // functions and bits that are always evaluated together
};

// Multi-probe: for each function, several cells are near an item (`cells` on average). In each
// band, an item is looked up under every combination of these cells and meets the items whose own
// cells they are.
struct ProbeLaw {
  double cells = 1;  // 1: only its own
  // At a given distance, the probability that the cell of the first item is near the second item,
  // and the probability that the converse is also true.
  double (*near_one)(double cells, double distance) = nullptr;
  double (*near_both)(double cells, double distance) = nullptr;
};

// Maximum average number of keys under which an item is looked up in a band.
inline constexpr double kMostProbes = 64;

// Average number of keys under which an item is looked up in a band.
[[nodiscard]] double probes_of(double cells, int rows) noexcept;
// True if a band may have this many functions.
[[nodiscard]] bool can_probe(double cells, int rows) noexcept;

struct LshTask {
  std::string_view measure;                               // for messages
  double (*collision)(double distance) = nullptr;         // law of a single function
  double (*sketch_collision)(double distance) = nullptr;  // law of a bit of a sketch; null:
                                                          // `collision`
  double bound = 0;                // distance up to which pairs must be found
  bool in_segments = false;        // collision() expects distances in segment lengths
  int sketch_bits = 0;             // drawn for every item; 0: the item is its own sketch
  double recall = 0.99;            // recall of pairs at the bound, inside (0, 1)
  double pairs_an_item = 0;        // pairs per item that could be compared, each counted once
  std::span<const double> sample;  // distances of sampled pairs
  LshCosts costs;
  std::optional<BandShape> fixed;  // instead of the cheapest shape
  ProbeLaw probes;
};

struct LshPlan {
  int bands = 1;
  int rows = 1;
  double segment = 0;  // length of a segment, in the unit of the bound
  double cells = 1;    // average number of near cells per function, see ProbeLaw
  int sketch_bits = 0;
  int most_different = 0;              // maximum differing sketch bits of a pair that is measured
  Construction over = {};              // cascade of the bands; empty: their OR
  double expected_recall = 0;          // at the bound
  double cost = 0;                     // nanoseconds per item
  const HashFamily* family = nullptr;  // family of the functions; set by the caller

  [[nodiscard]] int functions() const noexcept { return bands * rows + sketch_bits; }
  [[nodiscard]] BandShape shape() const { return {bands, rows, over}; }
};

// If a function has integral values, its sketch bits are derived from these values, and two
// different values agree in half of all cases.
[[nodiscard]] double sketch_agreement(const LshTask& task, double segment,
                                      double distance) noexcept;

// Maximum number of functions in a run, in bands of at most kMostBandRows.
inline constexpr int kMostFunctions = 16384;
inline constexpr int kMostBandRows = 64;

// The cheapest plan that finds a pair exactly at the bound with the required recall; with `fixed`,
// the plan of that shape. The sketch may lose a tenth of the pairs that may be missed. Throws
// Error{unsupported} if no plan reaches the recall.
[[nodiscard]] LshPlan choose_lsh(const LshTask& task);
// find_lsh() is like choose_lsh() but returns nullopt instead of throwing; refuse_lsh() throws the
// error.
[[nodiscard]] std::optional<LshPlan> find_lsh(const LshTask& task);
[[noreturn]] void refuse_lsh(const LshTask& task);

// True if plans for this bound may have segments of this length.
[[nodiscard]] bool is_planned_segment(double segment, double bound) noexcept;

// An existing plan, with its cost and recall computed for the task.
[[nodiscard]] LshPlan forecast_lsh(const LshTask& task, LshPlan plan);

// Counts the near pairs in the task's sample and the share that the plan finds; for all other
// pairs, also the number that it measures in vain. Distances within a hundredth of each other count
// as equal.
struct ItemSample {
  double near = 0;
  double recall = 1;
  double far = 0;
  double far_measured = 0;
};
[[nodiscard]] ItemSample item_sample(const LshTask& task, const LshPlan& plan);

// For two items at this distance: the probability that they share a cell of a function (if several
// cells are probed: in one direction), that they share a bucket under the plan, and that they are
// measured because their sketches are also similar enough.
[[nodiscard]] double one_function_at(const LshTask& task, const LshPlan& plan,
                                     double distance) noexcept;
[[nodiscard]] double candidate_at(const LshTask& task, const LshPlan& plan, double distance);
[[nodiscard]] double lsh_recall_at(const LshTask& task, const LshPlan& plan, double distance);

}  // namespace sosie
