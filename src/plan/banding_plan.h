#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/rational.h"

namespace sosie {

// Allowed signature sizes: powers of two.
inline constexpr int kMinComponents = 64;
inline constexpr int kMaxComponents = 1024;

// Similarities among the documents in the first 32 MiB of text, for the planner. All are integers,
// so that the same text gives the same plan everywhere.
struct SampleFacts {
  std::uint64_t documents = 0;        // in the sample, without texts that have no tokens
  std::uint64_t median_shingles = 0;  // distinct shingles of the median document; 0: unknown
  // pairs_by_similarity[i]: number of sampled pairs of documents with an estimated similarity in
  // [i/64, (i+1)/64); the last bin is exactly 1.
  std::array<std::uint64_t, 65> pairs_by_similarity{};
};

// All parameters of MinHash banding that affect results. b * r <= K.
struct BandingPlan {
  int components = 128;  // K, a power of two: minhash values per signature
  int bands = 20;        // b
  int rows = 5;          // r
  // A candidate is verified only if at least this many of its K 8-bit filter components agree.
  int filter_agreements = 0;

  friend bool operator==(const BandingPlan&, const BandingPlan&) = default;
};

// The properties predicted for a plan, for `sosie plan` and the summary of a run.
struct BandingForecast {
  // Recall of a pair exactly at the threshold: the recall of the banding multiplied by that of the
  // filter. This is a lower bound, because agreement in one makes agreement in the other more
  // likely.
  double recall_at_threshold = 0;
  double recall_above = 0;    // mean over [t, 1], pairs distributed uniformly
  double filter_loss = 0;     // share of pairs at the threshold dropped by the filter
  double half_point = 0;      // similarity found with probability 1/2
  double steepest_point = 0;  // where the slope of the S-curve is largest
  double steepest_slope = 0;
  double false_candidates_per_document = 0;  // in the sample: partners below t that share a band
};

// Chooses K, b and r so that a pair exactly at the threshold is found with probability at least
// `recall`, including the loss of the signature filter, at the lowest predicted cost on the sample.
// The filter may lose (1 - recall) / 10 of the pairs at the threshold; another tenth is reserved,
// since the S-curve is a law for large sets. An empty sample stands for a typical collection. Among
// plans of equal cost, prefers the smaller K, then fewer bands, then more rows. Uses only + - * /
// on doubles in a fixed order (no libm), so that every machine makes the same choice. Throws
// Error{invalid_option} unless recall is in (0, 1) and threshold in (0, 1], and Error{unsupported},
// with a hint at alternatives, if no plan with K <= 1024 reaches the recall (for example recall
// 0.99 at threshold 0.001).
[[nodiscard]] BandingPlan choose_banding(const Rational& threshold, double recall,
                                         const SampleFacts& sample);

// The plan for bands and rows set by the user (`--bands 14x8`). K is the smallest power of two that
// is at least b * r and at least 64; the cut-off of the filter is chosen for `recall` as above.
// Throws Error{invalid_option} as above, and if b or r is below 1 or b * r above 1024.
[[nodiscard]] BandingPlan fixed_banding(int bands, int rows, const Rational& threshold,
                                        double recall);

[[nodiscard]] BandingForecast forecast(const BandingPlan& plan, const Rational& threshold,
                                       const SampleFacts& sample);

}  // namespace sosie
