// Chooses bands, rows and sketch bits for a family, by cost at a given recall.
#include "plan/lsh_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/sort_doubles.h"
#include "data/banded_rows.h"
#include "plan/candidate_probability.h"
#include "plan/filter.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Share of the allowed misses 1 - recall that the sketch may cause.
constexpr double kSketchShare = 0.1;
constexpr int kMostBands = 1024;
// Segment lengths to try, as multiples of the bound's distance.
constexpr std::array<double, 7> kSegments = {1, 1.5, 2, 3, 4, 6, 8};

// Measured constants (see plan/banding_cost.cc). Make a key of a band, group it, and copy the
// sketch into its bucket.
constexpr double kBandKeyNs = 45;
// Put an item with its sketch into the order of a band, and look it up under a key.
constexpr double kOrderNs = 60;
constexpr double kProbeNs = 45;
// Compare two sketches in a bucket.
constexpr double kSketchNs = 1;
// Check if a pair already met in an earlier band.
constexpr double kMetNs = 40;

// Probabilities that a pair meets: in one function, and in all functions of a band, as its rows
// increase.
struct Meetings {
  double one;   // the cell of one item is near the other
  double both;  // and the other way round, too
  double all_one = 1;
  double all_both = 1;

  void add_row() noexcept {
    all_one *= one;
    all_both *= both;
  }
  // Probability that they meet in the band.
  [[nodiscard]] double met() const noexcept { return 2 * all_one - all_both; }
};

// Pairs at about the same distance, for one segment length.
struct SampledPairs {
  double part;     // part of the sample
  double passing;  // probability that the sketches let such a pair through
  Meetings meets{};
};

// Distances of the sample within one hundredth of each other are merged.
struct Distances {
  double mean;
  double count;
};

std::vector<Distances> distances_of(const LshTask& task) {
  std::vector<double> sorted(task.sample.begin(), task.sample.end());
  sort_doubles(sorted);
  std::vector<Distances> merged;
  for (std::size_t i = 0; i < sorted.size();) {
    const double most = sorted[i] + std::max(sorted[i], task.bound / 10) / 100;
    double sum = 0;
    double count = 0;
    for (; i < sorted.size() && (count == 0 || sorted[i] < most); ++i) {
      sum += sorted[i];
      ++count;
    }
    merged.push_back({sum / count, count});
  }
  return merged;
}

double collision_of(const LshTask& task, double segment, double distance) noexcept {
  return task.collision(task.in_segments ? distance / segment : distance);
}

Meetings meetings_of(const LshTask& task, double segment, double distance) noexcept {
  const ProbeLaw& law = task.probes;
  if (law.cells > 1) return {law.near_one(law.cells, distance), law.near_both(law.cells, distance)};
  const double p = collision_of(task, segment, distance);
  return {p, p};
}

// The sketch of a plan: how many bits may differ, and the share of pairs lost at the bound.
struct SketchRule {
  int most_different = 0;
  double lost = 0;
};

SketchRule sketch_rule(const LshTask& task, double segment) noexcept {
  SketchRule rule;
  if (task.sketch_bits == 0) return rule;
  const double p = sketch_agreement(task, segment, task.bound);
  const double budget = kSketchShare * (1 - task.recall);
  int least = task.sketch_bits;
  while ((rule.lost = binomial_below(task.sketch_bits, p, least)) > budget) --least;
  rule.most_different = task.sketch_bits - least;
  return rule;
}

// Probability that the sketches let a pair pass.
double passing_at(const LshTask& task, double segment, int most_different, double distance) {
  if (task.sketch_bits == 0) return distance <= task.bound ? 1 : 0;
  return 1 - binomial_below(task.sketch_bits, sketch_agreement(task, segment, distance),
                            task.sketch_bits - most_different);
}

std::vector<SampledPairs> sampled_pairs(const LshTask& task, std::span<const Distances> sample,
                                        double segment, int most_different) {
  std::vector<SampledPairs> pairs;
  for (const Distances& some : sample) {
    pairs.push_back({some.count / static_cast<double>(task.sample.size()),
                     passing_at(task, segment, most_different, some.mean),
                     meetings_of(task, segment, some.mean)});
  }
  return pairs;
}

double cost_of_functions(const LshCosts& costs, const LshPlan& plan) noexcept {
  if (costs.bit > 0) return costs.function * plan.bands * plan.rows + costs.bit * plan.sketch_bits;
  const int blocks = (plan.functions() + costs.at_once - 1) / costs.at_once;
  return costs.function * costs.at_once * blocks;
}

double cost_of_bands(const LshPlan& plan) noexcept {
  if (plan.cells <= 1) return kBandKeyNs * static_cast<double>(bucketed_bands(plan.shape()));
  return (kOrderNs + kProbeNs * probes_of(plan.cells, plan.rows)) * plan.bands;
}

double cost_of(const LshTask& task, const LshPlan& plan, std::span<const SampledPairs> pairs) {
  double a_pair = 0;
  const auto bucketed = static_cast<double>(bucketed_bands(plan.shape()));
  const Construction over = over_bands(plan.shape());
  for (const SampledPairs& pair : pairs) {
    const double met = pair.meets.met();
    const double ever_met = amplify(over, met).found;
    a_pair += pair.part * (bucketed * met * (kSketchNs + pair.passing * kMetNs) +
                           ever_met * pair.passing * task.costs.measure);
  }
  return cost_of_functions(task.costs, plan) + cost_of_bands(plan) + a_pair * task.pairs_an_item;
}

// The fewest bands that miss at most this share; empty if it would take too many.
std::optional<int> least_bands(double met, int rows, double allowed_misses) noexcept {
  const double missed_by_one = 1 - met;
  double missed = 1;
  for (int bands = 1; bands <= kMostBands && bands * rows <= kMostFunctions; ++bands) {
    missed *= missed_by_one;
    if (missed <= allowed_misses) return bands;
  }
  return std::nullopt;
}

// Requested plans may fall short of the recall; then the plan that misses the least is better.
bool is_better(const LshTask& task, const LshPlan& plan, const std::optional<LshPlan>& best) {
  if (!best) return true;
  const bool reaches = plan.expected_recall >= task.recall;
  if (task.fixed && (!reaches || best->expected_recall < task.recall)) {
    return plan.expected_recall > best->expected_recall;
  }
  return plan.cost < best->cost;
}

// The best plan with segments of one length, if there is one.
std::optional<LshPlan> best_plan(const LshTask& task, std::span<const Distances> sample,
                                 double segment) {
  const SketchRule rule = sketch_rule(task, segment);
  Meetings at_bound = meetings_of(task, segment, task.bound);
  const double allowed = 1 - task.recall / (1 - rule.lost);
  std::vector<SampledPairs> pairs = sampled_pairs(task, sample, segment, rule.most_different);
  std::optional<LshPlan> best;
  for (int rows = 1; rows <= kMostBandRows && can_probe(task.probes.cells, rows); ++rows) {
    for (SampledPairs& pair : pairs) pair.meets.add_row();
    at_bound.add_row();
    const bool given = task.fixed && task.fixed->rows == rows;
    if (task.fixed && !given) continue;
    const auto bands = given ? task.fixed->bands : least_bands(at_bound.met(), rows, allowed);
    if (!bands) break;
    LshPlan plan{.bands = *bands,
                 .rows = rows,
                 .segment = task.in_segments ? segment : 0,
                 .cells = task.probes.cells,
                 .sketch_bits = task.sketch_bits,
                 .most_different = rule.most_different,
                 .over = given ? task.fixed->over : Construction{}};
    plan.cost = cost_of(task, plan, pairs);
    plan.expected_recall =
        (1 - rule.lost) * amplify(over_bands(plan.shape()), at_bound.met()).found;
    if (is_better(task, plan, best)) best = plan;
  }
  return best;
}

}  // namespace

double probes_of(double cells, int rows) noexcept {
  return integer_power(cells, static_cast<std::uint64_t>(rows));
}

bool can_probe(double cells, int rows) noexcept {
  return cells <= 1 || (static_cast<std::size_t>(rows) <= kMostProbedFunctions &&
                        probes_of(cells, rows) <= kMostProbes);
}

double sketch_agreement(const LshTask& task, double segment, double distance) noexcept {
  if (task.sketch_collision != nullptr) return task.sketch_collision(distance);
  const double p = collision_of(task, segment, distance);
  return task.in_segments ? p + (1 - p) / 2 : p;
}

std::optional<LshPlan> find_lsh(const LshTask& task) {
  const std::vector<Distances> sample = distances_of(task);
  std::optional<LshPlan> best;
  for (const double segment : kSegments) {
    // Items at distance 0 are in the same segment regardless of its length.
    const auto plan = best_plan(task, sample, segment * (task.bound > 0 ? task.bound : 1));
    if (plan && is_better(task, *plan, best)) best = plan;
    if (!task.in_segments) break;
  }
  return best;
}

double one_function_at(const LshTask& task, const LshPlan& plan, double distance) noexcept {
  return meetings_of(task, plan.segment, distance).one;
}

double candidate_at(const LshTask& task, const LshPlan& plan, double distance) {
  Meetings meets = meetings_of(task, plan.segment, distance);
  for (int row = 0; row < plan.rows; ++row) meets.add_row();
  return amplify(over_bands(plan.shape()), meets.met()).found;
}

double lsh_recall_at(const LshTask& task, const LshPlan& plan, double distance) {
  return passing_at(task, plan.segment, plan.most_different, distance) *
         candidate_at(task, plan, distance);
}

ItemSample item_sample(const LshTask& task, const LshPlan& plan) {
  ItemSample facts;
  double found = 0;
  for (const Distances& some : distances_of(task)) {
    const double measured = some.count * lsh_recall_at(task, plan, some.mean);
    const bool near = some.mean <= task.bound;
    (near ? facts.near : facts.far) += some.count;
    (near ? found : facts.far_measured) += measured;
  }
  if (facts.near > 0) facts.recall = found / facts.near;
  return facts;
}

LshPlan forecast_lsh(const LshTask& task, LshPlan plan) {
  const std::vector<Distances> sample = distances_of(task);
  std::vector<SampledPairs> pairs = sampled_pairs(task, sample, plan.segment, plan.most_different);
  for (SampledPairs& pair : pairs) {
    for (int row = 0; row < plan.rows; ++row) pair.meets.add_row();
  }
  plan.cost = cost_of(task, plan, pairs);
  plan.expected_recall = lsh_recall_at(task, plan, task.bound);
  return plan;
}

bool is_planned_segment(double segment, double bound) noexcept {
  return std::any_of(kSegments.begin(), kSegments.end(),
                     [&](double length) { return segment == length * (bound > 0 ? bound : 1); });
}

void refuse_lsh(const LshTask& task) {
  throw Error(ErrorKind::unsupported,
              fmt::format("no construction of {} functions finds pairs at this {} distance with "
                          "recall {}",
                          kMostFunctions, task.measure, task.recall),
              "--method exact finds every pair");
}

LshPlan choose_lsh(const LshTask& task) {
  const auto best = find_lsh(task);
  if (!best) refuse_lsh(task);
  return *best;
}

}  // namespace sosie
