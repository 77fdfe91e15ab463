// Cost of a document under a banding plan: signature, keys and false candidates.
#include "plan/banding_cost.h"

#include <cstdint>

#include "plan/candidate_probability.h"
#include "plan/filter.h"

namespace sosie {
namespace {

// These constants are compiled in and never measured at run time, because every machine must choose
// the same plan. They were measured with prototypes on one core at about 2.65 GHz; only their
// ratios matter.

// Reset, scatter and mix a component, and keep its filter byte.
constexpr double kComponentNs = 2;
// Try one shingle for one bin into which no shingle fell (permfill), 4 to 8 lanes at a time.
constexpr double kFillNs = 0.25;
// Build, spill and group a key (15 ns for grouping alone), and keep its 8 bytes.
constexpr double kBandNs = 29;
// Compare two filter signatures in the same bucket: 3 to 5 ns in cache, but most are not.
constexpr double kFilterNs = 20;
// Find two texts again, rebuild their shingle sets, and intersect these: 5 to 6 us at 400 shingles.
constexpr double kVerifyNs = 3000;
constexpr double kVerifyShingleNs = 10;

// A bin stays empty with probability (1 - 1/K)^n and is then filled from all n shingles.
double fill_steps(int components, double shingles) noexcept {
  const double missed = integer_power(1 - 1.0 / components, static_cast<std::uint64_t>(shingles));
  return components * missed * shingles;
}

}  // namespace

double banding_cost_ns(const BandingPlan& plan, double shingles,
                       std::span<const FalsePairs> false_pairs, double most) noexcept {
  const double verify_ns = kVerifyNs + kVerifyShingleNs * shingles;
  double cost = kComponentNs * plan.components + kFillNs * fill_steps(plan.components, shingles) +
                kBandNs * plan.bands;
  // The filter's tails are most of the work; they are skipped if they do not change the sum.
  constexpr double kLost = 0x1p-55;
  for (const FalsePairs& pairs : false_pairs) {
    if (cost > most) return cost;
    const double candidates =
        pairs.per_document * candidate_probability(pairs.similarity, plan.bands, plan.rows);
    if (candidates * (kFilterNs + verify_ns) < cost * kLost) continue;
    const double passing = filter_pass_of_candidates(plan.components, plan.filter_agreements,
                                                     plan.rows, pairs.similarity);
    cost += candidates * (kFilterNs + passing * verify_ns);
  }
  return cost;
}

}  // namespace sosie
