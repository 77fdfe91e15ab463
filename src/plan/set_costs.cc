#include "plan/set_costs.h"

#include <algorithm>

#include "plan/banding_cost.h"
#include "plan/false_pairs.h"
#include "plan/filter.h"
#include "plan/s_curve.h"

namespace sosie {
namespace {

// Compiled in, see plan/banding_cost.cc: nanoseconds, one processor, fitted to runs of
// bench/method_choice.py (docs/measurements.md).

// Exact: keep, sort, number and index a row's set.
constexpr double kExactRowNs = 300;
constexpr double kExactElementNs = 110;
// Look at a posting of a fitting length; compare two sets token by token.
constexpr double kPostingNs = 1;
constexpr double kCompareNs = 80;
constexpr double kCompareElementNs = 2;
// List a pair that is found, and sort it with the others.
constexpr double kPairNs = 70;

// Brute: compare two parity signatures; make a row's set again from its text.
constexpr double kBruteNs = 10;
constexpr double kBruteRowNs = 1500;
constexpr double kBruteElementNs = 30;

// Lsh: what a row takes besides signature and keys; compare two signatures of a bucket; verify a
// pair whose sets are at hand, and one whose sets are made again from their texts.
constexpr double kLshRowNs = 3000;
constexpr double kCandidateNs = 30;
constexpr double kVerifyNs = 450;
constexpr double kReadNs = 3000;
constexpr double kReadElementNs = 10;
// Sets that stay at hand, and what one takes besides its elements.
constexpr double kSetBytes = 32 << 20;
constexpr double kSetOverheadBytes = 160;

constexpr double kPairBytes = 64;  // of a pair that an exact join lists

// Pairs that are compared among so many rows.
double pairs_among(double rows, double other_rows) noexcept {
  return other_rows > 0 ? (rows - other_rows) * other_rows : rows * (rows - 1) / 2;
}

struct Prediction {
  const CollectionFacts& collection;
  double rows;
  double elements;
  double mean;   // elements a row
  double pairs;  // that are compared
  double scale;  // pairs that are compared for each of the sample

  explicit Prediction(const CollectionFacts& facts) noexcept
      : collection(facts),
        rows(static_cast<double>(facts.rows)),
        elements(static_cast<double>(facts.elements)),
        mean(elements / std::max(1.0, rows)),
        pairs(pairs_among(rows, static_cast<double>(facts.other_rows))),
        scale(pairs / std::max(1.0, pairs_among(static_cast<double>(facts.joined_rows), 0))) {}

  [[nodiscard]] double of_all(std::uint64_t in_sample) const noexcept {
    return static_cast<double>(in_sample) * scale;
  }

  [[nodiscard]] double compare_ns() const noexcept {
    return of_all(collection.joined.verified) * (kCompareNs + kCompareElementNs * mean);
  }

  [[nodiscard]] double exact() const noexcept {
    return rows * kExactRowNs + elements * kExactElementNs +
           of_all(collection.joined.length) * kPostingNs + compare_ns() +
           of_all(collection.joined.pairs) * kPairNs;
  }

  [[nodiscard]] double brute() const noexcept {
    return rows * kBruteRowNs + elements * kBruteElementNs + pairs * kBruteNs + compare_ns() +
           of_all(collection.joined.pairs) * kPairNs;
  }

  [[nodiscard]] double verify_ns() const noexcept {
    const double bytes = elements * 8 + rows * kSetOverheadBytes;
    const double missed = std::max(0.0, 1 - kSetBytes / std::max(1.0, bytes));
    return kVerifyNs + mean + missed * (kReadNs + kReadElementNs * mean);
  }

  // Where survivors are looked for, most of the similar rows are removed and met by no other.
  [[nodiscard]] double lsh(const SampleFacts& sample, const BandingPlan& banding,
                           const Rational& threshold, JoinUse use) const noexcept {
    const double found = of_all(collection.joined.pairs);
    if (use == JoinUse::every_pair) return lsh_of(sample, banding, threshold, found, 0);
    return lsh_of(sample, banding, threshold, std::min(found, rows), found / std::max(1.0, rows));
  }

  // The most that lsh() can be for survivors, whatever an exact join finds.
  [[nodiscard]] double most_of_lsh(const SampleFacts& sample, const BandingPlan& banding,
                                   const Rational& threshold) const noexcept {
    return lsh_of(sample, banding, threshold, rows, 0);
  }

 private:
  [[nodiscard]] double lsh_of(const SampleFacts& sample, const BandingPlan& banding,
                              const Rational& threshold, double verified,
                              double partners) const noexcept {
    const double sampled = pairs_among(static_cast<double>(sample.documents), 0);
    double candidates = 0;
    for (const FalsePairs& some : sampled_false_pairs(sample, threshold.value())) {
      const double all =
          some.per_document * static_cast<double>(sample.documents) * pairs / sampled;
      const double met = all * candidate_probability(some.similarity, banding.bands, banding.rows);
      candidates += met / (1 + std::min(1.0, partners));
      verified += met / (1 + partners) *
                  filter_pass_of_candidates(banding.components, banding.filter_agreements,
                                            banding.rows, some.similarity);
    }
    return rows * (kLshRowNs +
                   banding_cost_ns(banding, static_cast<double>(sample.median_shingles), {})) +
           candidates * kCandidateNs + verified * verify_ns();
  }
};

}  // namespace

bool is_lsh_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                     const BandingPlan& banding, const Rational& threshold, JoinUse use) noexcept {
  if (collection.few) return false;
  if (collection.elements > kMostElementsOfAuto) return true;
  if (use == JoinUse::every_pair) return false;
  CollectionFacts without_pairs = collection;
  without_pairs.joined = {};
  const Prediction least(without_pairs);
  const double most = least.most_of_lsh(sample, banding, threshold);
  return most < least.exact() && most < least.brute();
}

SetCosts costs_of_every_method(const CollectionFacts& collection, const SampleFacts& sample,
                               const BandingPlan& banding, const Rational& threshold,
                               JoinUse use) noexcept {
  constexpr double kNsASecond = 1e9;
  const Prediction prediction(collection);
  return {.exact = prediction.exact() / kNsASecond,
          .lsh = prediction.lsh(sample, banding, threshold, use) / kNsASecond,
          .brute = prediction.brute() / kNsASecond};
}

SetCosts set_costs(const CollectionFacts& collection, const SampleFacts& sample,
                   const BandingPlan& banding, const Rational& threshold, JoinUse use) noexcept {
  const SetCosts all = costs_of_every_method(collection, sample, banding, threshold, use);
  const Prediction prediction(collection);
  SetCosts costs;
  const bool fits = collection.elements <= kMostElementsOfAuto &&
                    prediction.of_all(collection.joined.pairs) * kPairBytes <= kMemoryOfAuto;
  if (fits) costs.exact = all.exact;
  if (collection.few || (collection.whole && fits)) costs.brute = all.brute;
  if (!collection.few) costs.lsh = all.lsh;
  return costs;
}

}  // namespace sosie
