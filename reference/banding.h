#pragma once

// Banding of minhash signatures and the filter before verification, following the book's formulas
// (MMDS 3.4): slow, using std::pow and log-gamma, as a check of the planner.

#include <cmath>

namespace sosie::reference {

// A band agrees if all its r rows do: s^r. None of b independent bands agrees: (1 - s^r)^b.
inline double banding_miss(double s, int bands, int rows) {
  return std::pow(1 - std::pow(s, rows), bands);
}

// The similarity at which the curve reaches 1/2, obtained by solving for s.
inline double banding_half_point(int bands, int rows) {
  return std::pow(1 - std::pow(2.0, -1.0 / bands), 1.0 / rows);
}

// P(X = k) for X ~ Binomial(n, p), 0 < p < 1.
inline double binomial(int n, double p, int k) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                  k * std::log(p) + (n - k) * std::log1p(-p));
}

// P(X < c).
inline double binomial_below(int n, double p, int c) {
  if (p >= 1) return c > n ? 1 : 0;
  double sum = 0;
  for (int k = 0; k < c && k <= n; ++k) sum += binomial(n, p, k);
  return sum;
}

// Share of pairs of similarity s that are dropped by a filter requiring c of n 8-bit components to
// agree. A component agrees if its minhash does, and otherwise by chance once in 256.
inline double filter_miss(double s, int n, int c) {
  return binomial_below(n, s + (1 - s) / 256, c);
}

}  // namespace sosie::reference
