// Predicts the cost of each method for a join of sets.
#include "plan/set_costs.h"

#include <algorithm>
#include <cmath>

#include "core/memory_budget.h"
#include "core/most_rows.h"
#include "plan/banding_cost.h"
#include "plan/candidate_probability.h"
#include "plan/false_pairs.h"
#include "plan/filter.h"
#include "plan/set_bytes.h"

namespace sosie {
namespace {

// Measured constants (see plan/banding_cost.cc): nanoseconds on one processor, fitted to runs of
// bench/method_choice.py (docs/measurements.md).

// Exact: keep and sort a row's set; number and index that of the first row of each text.
constexpr double kKeptRowNs = 100;
constexpr double kKeptElementNs = 30;
constexpr double kIndexedRowNs = 200;
constexpr double kIndexedElementNs = 80;
// Look up a row, and each of its elements, in a small collection.
constexpr double kLookedUpRowNs = 50;
constexpr double kLookedUpElementNs = 1;
// Read a posting of suitable length; compare two sets token by token.
constexpr double kPostingNs = 1;
constexpr double kCompareNs = 80;
constexpr double kCompareElementNs = 2;
// List a found pair, and sort it with the others.
constexpr double kPairNs = 70;

// Brute: compare two parity signatures; rebuild a row's set from its text.
constexpr double kBruteNs = 10;
constexpr double kBruteRowNs = 1500;
constexpr double kBruteElementNs = 30;

// Lsh: the cost of a row besides signature and keys; compare two signatures in a bucket; verify a
// pair whose sets are in memory, and a pair whose sets are rebuilt from their texts.
constexpr double kLshRowNs = 3000;
constexpr double kSetVerifyNs = 450;
constexpr double kReadNs = 3000;
constexpr double kReadElementNs = 10;

constexpr double kListedPairBytes = 64;  // bytes of a pair that an exact join lists
// Bytes that methods keep per row, and per element or band of it; lsh also keeps a byte per
// component.
constexpr std::uint64_t kExactRowBytes = 100;
constexpr std::uint64_t kExactElementBytes = 32;
constexpr std::uint64_t kLshRowBytes = 200;
constexpr std::uint64_t kLshBandBytes = 16;

struct Prediction {
  const CollectionFacts& collection;
  double rows;
  double elements;
  double joined_rows;  // with distinct texts
  double joined_elements;
  double mean;   // elements of a joined row
  double pairs;  // that are compared
  double scale;  // pairs that are compared for each of the sample

  explicit Prediction(const CollectionFacts& facts) noexcept
      : collection(facts),
        rows(static_cast<double>(facts.rows)),
        elements(static_cast<double>(facts.elements)),
        joined_rows(rows - static_cast<double>(facts.copied_rows)),
        joined_elements(elements - static_cast<double>(facts.copied_elements)),
        mean(joined_elements / std::max(1.0, joined_rows)),
        pairs(pairs_among(joined_rows, static_cast<double>(facts.other_rows) * joined_rows /
                                           std::max(1.0, rows))),
        scale(kept_share(facts) * pairs /
              std::max(1.0, pairs_among(static_cast<double>(facts.joined_rows), 0))) {}

  [[nodiscard]] double of_all(std::uint64_t in_sample) const noexcept {
    return static_cast<double>(in_sample) * scale;
  }

  [[nodiscard]] double compare_ns() const noexcept {
    return of_all(collection.joined.verified) * (kCompareNs + kCompareElementNs * mean);
  }

  [[nodiscard]] double exact() const noexcept {
    return least_of_exact() + of_all(collection.joined.length) * kPostingNs + compare_ns() +
           of_all(collection.joined.pairs) * kPairNs;
  }

  [[nodiscard]] double brute() const noexcept {
    return joined_rows * kBruteRowNs + joined_elements * kBruteElementNs + pairs * kBruteNs +
           compare_ns() + of_all(collection.joined.pairs) * kPairNs;
  }

  [[nodiscard]] double verify_ns() const noexcept {
    const double bytes = joined_elements * 8 + joined_rows * kSetOverheadBytes;
    const double missed = std::max(0.0, 1 - kSetBytes / std::max(1.0, bytes));
    return kSetVerifyNs + mean + missed * (kReadNs + kReadElementNs * mean);
  }

  // If survivors are searched for, most of the similar rows are removed and meet no further rows.
  [[nodiscard]] double lsh(const SampleFacts& sample, const JoinGoal& goal) const noexcept {
    const double found = of_all(collection.joined.pairs);
    const bool all = goal.use == JoinUse::every_pair;
    return lsh_of(sample, *goal.lsh, goal.threshold, all ? found : std::min(found, joined_rows),
                  all ? 0 : found / std::max(1.0, joined_rows));
  }

  // Cost without the part that depends on the pairs that an exact join finds or compares.
  [[nodiscard]] double least_of_exact() const noexcept {
    const auto& partners = collection.partners;
    if (!partners) {
      return rows * kKeptRowNs + elements * kKeptElementNs + joined_rows * kIndexedRowNs +
             joined_elements * kIndexedElementNs;
    }
    return rows * kLookedUpRowNs + elements * kLookedUpElementNs +
           static_cast<double>(partners->rows) * (kKeptRowNs + kIndexedRowNs) +
           static_cast<double>(partners->elements) * (kKeptElementNs + kIndexedElementNs);
  }
  [[nodiscard]] double least_of_lsh(const SampleFacts& sample,
                                    const JoinGoal& goal) const noexcept {
    const double partners = goal.use == JoinUse::every_pair ? 0 : joined_rows;
    return lsh_of(sample, *goal.lsh, goal.threshold, 0, partners);
  }
  // Cost of brute if every pair were compared and found.
  [[nodiscard]] double most_of_brute() const noexcept {
    return joined_rows * kBruteRowNs + joined_elements * kBruteElementNs +
           pairs * (kBruteNs + kCompareNs + kCompareElementNs * mean + kPairNs);
  }

  // Upper bound of lsh() for survivors, whatever an exact join finds.
  [[nodiscard]] double most_of_lsh(const SampleFacts& sample, const BandingPlan& banding,
                                   const Rational& threshold) const noexcept {
    return lsh_of(sample, banding, threshold, joined_rows, 0);
  }

 private:
  // Rows that are left out are in no pair.
  [[nodiscard]] static double kept_share(const CollectionFacts& facts) noexcept {
    if (!facts.partners) return 1;
    return static_cast<double>(facts.partners->rows) /
           std::max(1.0, static_cast<double>(facts.rows));
  }

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

// True if auto may choose an exact join, judging by the number of elements.
bool fits_exact(const CollectionFacts& collection, const JoinGoal& goal) noexcept {
  const auto& partners = collection.partners;
  return (partners ? partners->elements : collection.elements) <=
         most_elements_of_auto(collection, goal.lsh);
}

// True if auto may choose brute, which reads the sets of two collections again if they do not fit.
bool may_be_brute(const CollectionFacts& collection, const JoinGoal& goal) noexcept {
  const bool fits = collection.elements <= kMostElementsOfAuto || !goal.lsh;
  return collection.whole && (fits || collection.other_rows > 0);
}

}  // namespace

std::uint64_t rows_to_join(std::uint64_t rows, std::uint64_t other_rows,
                           std::uint64_t sketched) noexcept {
  constexpr std::uint64_t kRowsPerJoined = 16;
  constexpr double kPairsPerJoined = 64;
  constexpr double kFewest = 128;
  const std::uint64_t most = std::max(sketched, rows / kRowsPerJoined);
  if (other_rows == 0) return most;
  const double pairs = static_cast<double>(rows - other_rows) * static_cast<double>(other_rows);
  const double root = std::ceil(std::sqrt(std::floor(pairs / kPairsPerJoined)));
  return std::min(most, static_cast<std::uint64_t>(std::max(kFewest, root)));
}

double pairs_among(double rows, double other_rows) noexcept {
  return other_rows > 0 ? (rows - other_rows) * other_rows : rows * (rows - 1) / 2;
}

std::uint64_t most_elements_of_auto(const CollectionFacts& collection,
                                    const std::optional<BandingPlan>& lsh) noexcept {
  if (!lsh) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t rows = collection.rows;
  if (collection.partners) {  // all others go to scratch where they do not fit
    return rows > most_rows() / 2 ? 0 : kMostElementsOfAuto;
  }
  if (rows > kMostRowsOfAuto - kMostRowsOfAuto / 8) return 0;  // `rows` may be an estimate
  const std::uint64_t lsh_bytes = kLshRowBytes +
                                  kLshBandBytes * static_cast<std::uint64_t>(lsh->bands) +
                                  static_cast<std::uint64_t>(lsh->components);
  return std::max(kMostElementsOfAuto, rows * (lsh_bytes - kExactRowBytes) / kExactElementBytes);
}

bool is_lsh_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                     const JoinGoal& goal) noexcept {
  if (collection.few || !goal.lsh) return false;
  if (!fits_exact(collection, goal)) return !may_be_brute(collection, goal);
  if (goal.use == JoinUse::every_pair) return false;
  CollectionFacts without_pairs = collection;
  without_pairs.joined = {};
  const Prediction least(without_pairs);
  const double most = least.most_of_lsh(sample, *goal.lsh, goal.threshold);
  return most < least.exact() && most < least.brute();
}

bool is_brute_cheapest(const CollectionFacts& collection, const SampleFacts& sample,
                       const JoinGoal& goal) noexcept {
  const Prediction prediction(collection);
  if (!collection.few && !may_be_brute(collection, goal)) return false;
  if (prediction.pairs * kListedPairBytes > kMemoryOfAuto) return false;
  const double most = prediction.most_of_brute();
  if (most > prediction.least_of_exact()) return false;
  return collection.few || !goal.lsh || most < prediction.least_of_lsh(sample, goal);
}

SetCosts costs_of_every_method(const CollectionFacts& collection, const SampleFacts& sample,
                               const JoinGoal& goal) noexcept {
  constexpr double kNsASecond = 1e9;
  const Prediction prediction(collection);
  SetCosts costs{.exact = prediction.exact() / kNsASecond,
                 .brute = prediction.brute() / kNsASecond};
  if (goal.lsh) costs.lsh = prediction.lsh(sample, goal) / kNsASecond;
  return costs;
}

SetCosts set_costs(const CollectionFacts& collection, const SampleFacts& sample,
                   const JoinGoal& goal) noexcept {
  const SetCosts all = costs_of_every_method(collection, sample, goal);
  const Prediction prediction(collection);
  SetCosts costs;
  const bool lists =
      !goal.lsh || prediction.of_all(collection.joined.pairs) * kListedPairBytes <= kMemoryOfAuto;
  if (lists && fits_exact(collection, goal)) costs.exact = all.exact;
  if (collection.few || (lists && may_be_brute(collection, goal))) costs.brute = all.brute;
  if (!collection.few) costs.lsh = all.lsh;
  return costs;
}

}  // namespace sosie
