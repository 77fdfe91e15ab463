// Rule of the signature filter: binomial tails in exact integers.
#include "plan/filter.h"

#include <algorithm>

namespace sosie {
namespace {

// P(k + 1) / P(k) for Binomial(n, p).
double rise(int n, double p, int k) noexcept {
  return (static_cast<double>(n - k) * p) / (static_cast<double>(k + 1) * (1 - p));
}

// Terms below this share of the mode's term, 1e-300, are not counted.
constexpr double kNegligible = 1e-300;

// Calls visit(k, weight) for k = 0 ... n, with weights proportional to P(k) and equal to 1 at the
// mode. Starting at the mode, only negligible terms underflow; starting at k = 0, the first term of
// Binomial(1024, 0.8) would be 1e-716, and all others would underflow with it.
template <typename Visit>
void visit_binomial(int n, double p, Visit visit) noexcept {
  const int mode = std::clamp(static_cast<int>((n + 1) * p), 0, n);
  int first = mode;
  double weight = 1;
  while (first > 0 && weight > kNegligible) weight /= rise(n, p, --first);
  for (int k = first; k < mode; ++k) {
    visit(k, weight);
    weight *= rise(n, p, k);
  }
  weight = 1;
  for (int k = mode; k <= n && weight > kNegligible; ++k) {
    visit(k, weight);
    if (k < n) weight *= rise(n, p, k);
  }
}

double total_weight(int n, double p) noexcept {
  double total = 0;
  visit_binomial(n, p, [&](int, double weight) { total += weight; });
  return total;
}

}  // namespace

double filter_agreement(double s) noexcept { return s + (1 - s) / 256; }

double binomial_below(int n, double p, int c) noexcept {
  if (c <= 0) return 0;
  if (c > n) return 1;
  if (p >= 1) return 0;
  double below = 0;
  double total = 0;
  visit_binomial(n, p, [&](int k, double weight) {
    if (k < c) below += weight;
    total += weight;
  });
  return below / total;
}

int filter_cutoff(int components, double threshold, double loss) noexcept {
  const double p = filter_agreement(threshold);
  if (p >= 1) return components;
  const double budget = loss * total_weight(components, p);
  double below = 0;
  int cutoff = 0;
  visit_binomial(components, p, [&](int k, double weight) {
    below += weight;
    if (below <= budget) cutoff = k + 1;
  });
  return std::min(cutoff, components);
}

double filter_loss(int components, int agreements, double s) noexcept {
  return binomial_below(components, filter_agreement(s), agreements);
}

double filter_pass_of_candidates(int components, int agreements, int rows, double s) noexcept {
  return 1 - binomial_below(components - rows, filter_agreement(s), agreements - rows);
}

}  // namespace sosie
