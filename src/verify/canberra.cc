// The Canberra distance of vectors: differences relative to the size of the components.
#include "verify/canberra.h"

#include <cmath>

#include "verify/vector_measures.h"

namespace sosie {
namespace {

// Sizes are halved if their sum would overflow.
double relative_difference(double x, double y) noexcept {
  double size = std::abs(x) + std::abs(y);
  if (size == 0) return 0;
  if (!std::isfinite(size)) {
    x /= 2;
    y /= 2;
    size = std::abs(x) + std::abs(y);
  }
  return std::abs(x - y) / size;
}

VectorSums relative_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                         std::size_t right_row, double /*parameter*/) {
  return with_vector_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    for (std::size_t i = 0; i < n; ++i) {
      sums.total += relative_difference(static_cast<double>(x[i]), static_cast<double>(y[i]));
    }
    return sums;
  });
}

double value(const VectorSums& sums) noexcept { return sums.total; }

bool reaches(const VectorSums& sums, const Bound& bound, bool /*exact*/) noexcept {
  return sums.total <= bound.value();
}

double one_for_each(std::size_t /*dimension*/) noexcept { return 1; }

}  // namespace

std::optional<VectorMeasure> canberra_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.sums = relative_sums,
                       .value = value,
                       .reaches = reaches,
                       .euclidean_factor = one_for_each,
                       .can_filter = false};
}

}  // namespace sosie
