// Chooses components, bands and rows of MinHash banding.
#include "plan/banding_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "plan/banding_cost.h"
#include "plan/candidate_probability.h"
#include "plan/false_pairs.h"
#include "plan/filter.h"
#include "plan/find_banding.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Shares of the allowed misses 1 - recall. The filter gets a tenth, and a tenth is held in reserve:
// the S-curve assumes independent components, and a simulated one-permutation sketch of pairs with
// 5 to 2,000 shingles at the threshold missed 0.5 to 1.06 times as many as predicted (16x6, 18x6,
// 13x5; fewer if there are about as many shingles as components). Banding gets the rest.
constexpr double kFilterShare = 0.1;
constexpr double kBandingShare = 0.8;

// Usual limit for K. Larger signatures are used only if none within it reaches the recall: each
// document keeps K bytes of filter in memory, and saving them matters more than avoiding a few
// verifications.
constexpr int kUsualComponents = 256;
// s^64 is below 1e-6 for every s < 0.8, so more rows would save nothing.
constexpr int kMaxRows = 64;
// Assumed for samples without documents.
constexpr double kAssumedShingles = 400;

void check_options(const Rational& threshold, double recall) {
  if (!(recall > 0 && recall < 1)) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("recall {} is not strictly between 0 and 1", recall),
                "a recall of 1 needs an exact method, such as --method brute");
  }
  if (threshold.num == 0 || threshold.num > threshold.den) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("threshold {} is not in (0, 1]", threshold.value()));
  }
}

// The lowest similarity that the largest signature finds with this recall: r = 1, b = K.
double lowest_threshold(double allowed_misses) noexcept {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 64; ++i) {
    const double middle = low + (high - low) / 2;
    (miss_probability(middle, kMaxComponents, 1) > allowed_misses ? low : high) = middle;
  }
  return high;
}

[[noreturn]] void throw_out_of_reach(const Rational& threshold, double recall) {
  const double lowest = lowest_threshold(kBandingShare * (1 - recall));
  throw Error(ErrorKind::unsupported,
              fmt::format("no banding of {} components finds pairs at threshold {} with recall {}",
                          kMaxComponents, threshold.value(), recall),
              fmt::format("at this recall, thresholds from about {:.2g} are possible; lower "
                          "--recall or use --method exact",
                          lowest));
}

// With fewer bands too much would be missed; more would only cost more. Empty if even K / r bands
// miss too much.
std::optional<int> least_bands(int components, int rows, double threshold, double allowed_misses) {
  for (int bands = 1; bands * rows <= components; ++bands) {
    if (miss_probability(threshold, bands, rows) <= allowed_misses) return bands;
  }
  return std::nullopt;
}

// For each K in the range and each r, the plan with the fewest bands that reaches the recall.
std::vector<BandingPlan> sufficient_plans(int min_components, int max_components, double threshold,
                                          double recall) {
  std::vector<BandingPlan> plans;
  for (int components = min_components; components <= max_components; components *= 2) {
    const int cutoff = filter_cutoff(components, threshold, kFilterShare * (1 - recall));
    for (int rows = 1; rows <= kMaxRows; ++rows) {
      const auto bands = least_bands(components, rows, threshold, kBandingShare * (1 - recall));
      if (!bands) break;
      plans.push_back({components, *bands, rows, cutoff});
    }
  }
  return plans;
}

BandingPlan cheapest(const std::vector<BandingPlan>& plans, double shingles,
                     const std::vector<FalsePairs>& false_pairs) {
  std::vector<std::tuple<double, int, int, int, std::size_t>> ranks;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const double cost = banding_cost_ns(plans[i], shingles, false_pairs, least);
    least = std::min(least, cost);
    ranks.emplace_back(cost, plans[i].components, plans[i].bands, -plans[i].rows, i);
  }
  return plans[std::get<4>(*std::min_element(ranks.begin(), ranks.end()))];
}

double recall_at(const BandingPlan& plan, double similarity) noexcept {
  return candidate_probability(similarity, plan.bands, plan.rows) *
         (1 - filter_loss(plan.components, plan.filter_agreements, similarity));
}

double mean_recall_above(const BandingPlan& plan, double threshold) noexcept {
  constexpr int kSteps = 64;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    sum += recall_at(plan, threshold + (1 - threshold) * (i + 0.5) / kSteps);
  }
  return sum / kSteps;
}

}  // namespace

std::optional<BandingPlan> find_banding(const Rational& threshold, double recall,
                                        const SampleFacts& sample) {
  check_options(threshold, recall);
  const double t = threshold.value();
  const double shingles =
      sample.median_shingles == 0 ? kAssumedShingles : static_cast<double>(sample.median_shingles);
  std::vector<FalsePairs> false_pairs = assumed_false_pairs(t);
  const std::vector<FalsePairs> sampled = sampled_false_pairs(sample, t);
  false_pairs.insert(false_pairs.end(), sampled.begin(), sampled.end());

  std::vector<BandingPlan> plans = sufficient_plans(kMinComponents, kUsualComponents, t, recall);
  if (plans.empty()) plans = sufficient_plans(2 * kUsualComponents, kMaxComponents, t, recall);
  if (plans.empty()) return std::nullopt;
  return cheapest(plans, shingles, false_pairs);
}

BandingPlan choose_banding(const Rational& threshold, double recall, const SampleFacts& sample) {
  const auto plan = find_banding(threshold, recall, sample);
  if (!plan) throw_out_of_reach(threshold, recall);
  return *plan;
}

BandingPlan fixed_banding(int bands, int rows, const Rational& threshold, double recall) {
  check_options(threshold, recall);
  if (bands < 1 || rows < 1 || bands > kMaxComponents || rows > kMaxComponents ||
      bands * rows > kMaxComponents) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("bands {}x{}: both must be at least 1 and their product at most {}",
                            bands, rows, kMaxComponents));
  }
  int components = kMinComponents;
  while (components < bands * rows) components *= 2;
  return {components, bands, rows,
          filter_cutoff(components, threshold.value(), kFilterShare * (1 - recall))};
}

BandingForecast forecast(const BandingPlan& plan, const Rational& threshold,
                         const SampleFacts& sample) {
  const double t = threshold.value();
  const Steepest steepest = steepest_point(plan.bands, plan.rows);
  BandingForecast result;
  result.recall_at_threshold = recall_at(plan, t);
  result.recall_above = mean_recall_above(plan, t);
  result.filter_loss = filter_loss(plan.components, plan.filter_agreements, t);
  result.half_point = half_point(plan.bands, plan.rows);
  result.steepest_point = steepest.at;
  result.steepest_slope = steepest.slope;
  for (const FalsePairs& pairs : sampled_false_pairs(sample, t)) {
    // A candidate counts for both of its documents.
    result.false_candidates_per_document +=
        2 * pairs.per_document * candidate_probability(pairs.similarity, plan.bands, plan.rows);
  }
  return result;
}

}  // namespace sosie
