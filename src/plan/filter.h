#pragma once

// The signature filter: a candidate pair is verified only if enough of the K 8-bit components of
// its two filter signatures agree. The pairs that it misses count towards the recall budget. No
// libm.
namespace sosie {

// Probability that an 8-bit component of two sets of similarity s agrees: either the minhash
// agrees, or its mixed 8 bits are equal by chance: s + (1 - s) / 256.
[[nodiscard]] double filter_agreement(double s) noexcept;

// P(X < c) for X ~ Binomial(n, p), 0 <= p <= 1. Keeps relative precision far out in the tail. O(n),
// exact zeros only below 1e-300.
[[nodiscard]] double binomial_below(int n, double p, int c) noexcept;

// The cut-off: the largest c with P(agreements < c) <= loss for pairs at the threshold.
[[nodiscard]] int filter_cutoff(int components, double threshold, double loss) noexcept;

// Share of the pairs of similarity s that a filter with a minimum of `agreements` drops.
[[nodiscard]] double filter_loss(int components, int agreements, double s) noexcept;

// Share of the pairs of similarity s that pass the filter although they are candidates only because
// they share a band of `rows` components: those components agree for certain.
[[nodiscard]] double filter_pass_of_candidates(int components, int agreements, int rows,
                                               double s) noexcept;

}  // namespace sosie
