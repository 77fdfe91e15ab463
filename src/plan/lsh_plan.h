#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/hash_family.h"
#include "plan/construction.h"

// Plans for hashing items with a locality-sensitive family: a banding (AND of rows, OR of bands)
// and a sketch that drops most of the far pairs in a bucket. No libm, see banding_plan.h.
namespace sosie {

// Costs of a run in nanoseconds of one core, as far as plans differ in them.
struct LshCosts {
  double function = 0;  // to evaluate a function on an item
  double measure = 0;   // to measure a pair
  double bit = 0;       // a bit of a sketch; 0: costs as much as a function
  int at_once = 1;      // functions, bits among them, that are evaluated whether needed or not
};

// Multi-probe: of each function an item is near some cells (`cells` on average), is looked up under
// every choice of them in a band, and meets the items whose own cells these are.
struct ProbeLaw {
  double cells = 1;  // 1: no more than its own
  // Probabilities at a distance that the cell of one item is near the other, and that this is so
  // the other way round, too.
  double (*near_one)(double cells, double distance) = nullptr;
  double (*near_both)(double cells, double distance) = nullptr;
};

// Keys an item is looked up under in a band, at most on average.
inline constexpr double kMostProbes = 64;

// Keys an item is looked up under in a band, on average.
[[nodiscard]] double probes_of(double cells, int rows) noexcept;
// True if a band may have so many functions.
[[nodiscard]] bool can_probe(double cells, int rows) noexcept;

struct LshTask {
  std::string_view measure;                               // for messages
  double (*collision)(double distance) = nullptr;         // law of one function
  double (*sketch_collision)(double distance) = nullptr;  // law of a bit of a sketch; null:
                                                          // `collision`
  double bound = 0;                // distance up to which pairs must be found
  bool in_segments = false;        // collision() takes distances in lengths of a segment
  int sketch_bits = 0;             // one of these is drawn for every item; 0: the item is its own
  double recall = 0.99;            // recall of pairs at the bound, inside (0, 1)
  double pairs_an_item = 0;        // that could be compared, each counted once
  std::span<const double> sample;  // distances of pairs drawn from those
  LshCosts costs;
  std::optional<BandShape> fixed;  // in place of what is cheapest
  ProbeLaw probes;
};

struct LshPlan {
  int bands = 1;
  int rows = 1;
  double segment = 0;  // length of a segment, as bound is given
  double cells = 1;    // cells of a function near an item, see ProbeLaw
  int sketch_bits = 0;
  int most_different = 0;              // bits of the sketches of a pair that is measured
  Construction over = {};              // cascade of the bands; none: their OR
  double expected_recall = 0;          // at the bound
  double cost = 0;                     // nanoseconds an item
  const HashFamily* family = nullptr;  // family of the functions; set by who plans a run

  [[nodiscard]] int functions() const noexcept { return bands * rows + sketch_bits; }
  [[nodiscard]] BandShape shape() const { return {bands, rows, over}; }
};

// Bits of functions of whole numbers are drawn from them: two different ones agree half the time.
[[nodiscard]] double sketch_agreement(const LshTask& task, double segment,
                                      double distance) noexcept;

// A run has this many functions at most, in bands of kMostBandRows at most.
inline constexpr int kMostFunctions = 16384;
inline constexpr int kMostBandRows = 64;

// The plan that costs least among those that find a pair at the bound with the recall asked for;
// with `fixed` that one. The sketch may lose a tenth of the pairs that may be missed. Throws
// Error{unsupported} when no plan reaches the recall.
[[nodiscard]] LshPlan choose_lsh(const LshTask& task);
// Variant of choose_lsh() that returns nothing where it throws, and the function that throws.
[[nodiscard]] std::optional<LshPlan> find_lsh(const LshTask& task);
[[noreturn]] void refuse_lsh(const LshTask& task);

// True if plans for this bound may have segments of this length.
[[nodiscard]] bool is_planned_segment(double segment, double bound) noexcept;

// A plan that was made before, with what the task says of its cost and its recall.
[[nodiscard]] LshPlan forecast_lsh(const LshTask& task, LshPlan plan);

// Counts the pairs of the task's sample that are near enough, and the part of them that the plan
// finds; the pairs that are not, and how many of them it measures in vain. Distances within a
// hundredth count as one.
struct ItemSample {
  double near = 0;
  double recall = 1;
  double far = 0;
  double far_measured = 0;
};
[[nodiscard]] ItemSample item_sample(const LshTask& task, const LshPlan& plan);

// Probability that two items at this distance share a cell of one function (of several that are
// probed: one way), that they share a bucket under the plan, and that they are measured: their
// sketches are similar enough, too.
[[nodiscard]] double one_function_at(const LshTask& task, const LshPlan& plan,
                                     double distance) noexcept;
[[nodiscard]] double candidate_at(const LshTask& task, const LshPlan& plan, double distance);
[[nodiscard]] double lsh_recall_at(const LshTask& task, const LshPlan& plan, double distance);

}  // namespace sosie
