#pragma once

// The signature filter: a candidate pair is verified only if enough of the K 8-bit components of
// its two filter signatures agree. The pairs that this misses are part of the recall budget. Does
// not use libm.
namespace sosie {

// Probability that two sets of similarity s agree in an 8-bit component: either their minhashes
// agree, or the mixed 8 bits are equal by chance: s + (1 - s) / 256.
[[nodiscard]] double filter_agreement(double s) noexcept;

// P(X < c) for X ~ Binomial(n, p), 0 <= p <= 1. Preserves relative precision far out in the tail.
// O(n); exactly zero only for values below 1e-300.
[[nodiscard]] double binomial_below(int n, double p, int c) noexcept;

// The cut-off: the largest c with P(agreements < c) <= loss for pairs at the threshold.
[[nodiscard]] int filter_cutoff(int components, double threshold, double loss) noexcept;

// Share of the pairs of similarity s that are dropped by a filter that requires `agreements`.
[[nodiscard]] double filter_loss(int components, int agreements, double s) noexcept;

// Share of the pairs of similarity s that pass the filter although they are candidates only because
// they share a band. The `rows` components of this band agree with certainty.
[[nodiscard]] double filter_pass_of_candidates(int components, int agreements, int rows,
                                               double s) noexcept;

}  // namespace sosie
