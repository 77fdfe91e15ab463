// Dot products and sums of squared and absolute differences, always added in the same order.
#include "kernels/dot_product.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dot_product.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/add_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kSums = 8;
using Doubles = hn::CappedTag<double, kSums>;
using DoubleVector = hn::Vec<Doubles>;

HWY_INLINE DoubleVector load(const float* in) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), in));
}
HWY_INLINE DoubleVector load(const double* in) { return hn::LoadU(Doubles(), in); }

// Terms of a sum, for vectors of components and for a single component.
struct Product {
  static HWY_INLINE DoubleVector of(DoubleVector x, DoubleVector y) { return hn::Mul(x, y); }
  template <typename T>
  static HWY_INLINE T of(T x, T y) {
    return x * y;
  }
};
struct Square {
  static HWY_INLINE DoubleVector of(DoubleVector x, DoubleVector y) {
    const auto difference = hn::Sub(x, y);
    return hn::Mul(difference, difference);
  }
  template <typename T>
  static HWY_INLINE T of(T x, T y) {
    return (x - y) * (x - y);
  }
};
struct Difference {
  static HWY_INLINE DoubleVector of(DoubleVector x, DoubleVector y) {
    return hn::Abs(hn::Sub(x, y));
  }
  template <typename T>
  static HWY_INLINE T of(T x, T y) {
    return x < y ? y - x : x - y;
  }
};

template <typename Term, typename T>
HWY_INLINE double real_sum(const T* x, const T* y, std::size_t dimension) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  if (dimension >= kSums) {
    // One vector per sum; a target never uses the vectors that it does not need.
    DoubleVector all[kSums / hn::MaxLanes(Doubles())];
    for (auto& sum : all) sum = hn::Zero(d);
    for (; i + kSums <= dimension; i += kSums) {
      std::size_t at = i;
      for (auto& sum : all) {
        sum = hn::Add(sum, Term::of(load(x + at), load(y + at)));
        at += lanes;
      }
    }
    std::size_t at = 0;
    for (const auto& sum : all) {
      hn::StoreU(sum, d, sums.data() + at);
      at += lanes;
    }
  }
  for (std::size_t lane = 0; i < dimension; ++i, ++lane) {
    sums[lane] += Term::of(static_cast<double>(x[i]), static_cast<double>(y[i]));
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

#if HWY_TARGET != HWY_SCALAR

HWY_INLINE SumVector add(SumVector sum, HalfVector x, HalfVector y, Product /*term*/) {
  return add_products(sum, x, y);
}
HWY_INLINE SumVector add(SumVector sum, HalfVector x, HalfVector y, Square /*term*/) {
  const auto difference = hn::Sub(x, y);
  return add_products(sum, difference, difference);
}
HWY_INLINE SumVector add(SumVector sum, HalfVector x, HalfVector y, Difference /*term*/) {
  return add_products(sum, hn::Abs(hn::Sub(x, y)), hn::Set(Halves(), 1));
}

#endif

// A sum of 2^17 terms below 2^16 exceeds 32 bits, but no lane does: a step has eight or more terms,
// of which only two share a lane.
template <typename Term, typename T>
HWY_INLINE double integer_sum(const T* x, const T* y, std::size_t dimension) {
  std::int64_t all = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Halves halves;
  const hn::Rebind<T, Halves> bytes;
  SumVector sums = hn::Zero(Sums());
  for (; i + hn::Lanes(halves) <= dimension; i += hn::Lanes(halves)) {
    sums = add(sums, hn::PromoteTo(halves, hn::LoadU(bytes, x + i)),
               hn::PromoteTo(halves, hn::LoadU(bytes, y + i)), Term());
  }
  std::int32_t lanes[hn::MaxLanes(Sums())];
  hn::StoreU(sums, Sums(), lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(Sums()); ++lane) all += lanes[lane];
#endif
  for (; i < dimension; ++i) {
    all += Term::of(static_cast<std::int64_t>(x[i]), static_cast<std::int64_t>(y[i]));
  }
  return static_cast<double>(all);
}

#define SOSIE_SUM(NAME, TERM, TYPE, SUM)                             \
  double NAME(const TYPE* x, const TYPE* y, std::size_t dimension) { \
    return SUM<TERM>(x, y, dimension);                               \
  }
SOSIE_SUM(dot_i8, Product, std::int8_t, integer_sum)
SOSIE_SUM(dot_u8, Product, std::uint8_t, integer_sum)
SOSIE_SUM(dot_f32, Product, float, real_sum)
SOSIE_SUM(dot_f64, Product, double, real_sum)
SOSIE_SUM(square_i8, Square, std::int8_t, integer_sum)
SOSIE_SUM(square_u8, Square, std::uint8_t, integer_sum)
SOSIE_SUM(square_f32, Square, float, real_sum)
SOSIE_SUM(square_f64, Square, double, real_sum)
SOSIE_SUM(difference_i8, Difference, std::int8_t, integer_sum)
SOSIE_SUM(difference_u8, Difference, std::uint8_t, integer_sum)
SOSIE_SUM(difference_f32, Difference, float, real_sum)
SOSIE_SUM(difference_f64, Difference, double, real_sum)
#undef SOSIE_SUM

#if HWY_TARGET != HWY_SCALAR

// Number of rows processed together, so that their sums do not wait for each other.
constexpr std::size_t kRowsAtOnce = 4;

// Products with consecutive rows, for the components that fill whole vectors.
template <std::size_t kRows>
HWY_INLINE std::size_t whole_vectors(const std::int8_t* x, const std::int8_t* rows,
                                     std::size_t dimension, std::int64_t* out) {
  const Halves halves;
  const hn::Rebind<std::int8_t, Halves> bytes;
  SumVector sums[kRows];
  for (SumVector& sum : sums) sum = hn::Zero(Sums());
  std::size_t at = 0;
  for (; at + hn::Lanes(halves) <= dimension; at += hn::Lanes(halves)) {
    const auto of_x = hn::PromoteTo(halves, hn::LoadU(bytes, x + at));
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto of_row = hn::PromoteTo(halves, hn::LoadU(bytes, rows + r * dimension + at));
      sums[r] = add(sums[r], of_x, of_row, Product());
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) out[r] = hn::GetLane(hn::SumOfLanes(Sums(), sums[r]));
  return at;
}

#endif

void dots_i8(const std::int8_t* x, const std::int8_t* rows, std::size_t count,
             std::size_t dimension, std::int64_t* out) {
  std::fill_n(out, count, 0);
  std::size_t whole = 0;
#if HWY_TARGET != HWY_SCALAR
  std::size_t row = 0;
  for (; row + kRowsAtOnce <= count; row += kRowsAtOnce) {
    whole = whole_vectors<kRowsAtOnce>(x, rows + row * dimension, dimension, out + row);
  }
  for (; row < count; ++row)
    whole = whole_vectors<1>(x, rows + row * dimension, dimension, out + row);
#endif
  if (whole == dimension) return;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t at = whole; at < dimension; ++at) {
      out[i] += std::int64_t{x[at]} * rows[i * dimension + at];
    }
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

#define SOSIE_EXPORT(NAME, KERNEL, TYPE)                                      \
  HWY_EXPORT(KERNEL);                                                         \
  }                                                                           \
  double NAME(const TYPE* x, const TYPE* y, std::size_t dimension) noexcept { \
    return HWY_DYNAMIC_DISPATCH(KERNEL)(x, y, dimension);                     \
  }                                                                           \
  namespace {
SOSIE_EXPORT(dot_product, dot_i8, std::int8_t)
SOSIE_EXPORT(dot_product, dot_u8, std::uint8_t)
SOSIE_EXPORT(dot_product, dot_f32, float)
SOSIE_EXPORT(dot_product, dot_f64, double)
SOSIE_EXPORT(square_distance, square_i8, std::int8_t)
SOSIE_EXPORT(square_distance, square_u8, std::uint8_t)
SOSIE_EXPORT(square_distance, square_f32, float)
SOSIE_EXPORT(square_distance, square_f64, double)
SOSIE_EXPORT(sum_of_differences, difference_i8, std::int8_t)
SOSIE_EXPORT(sum_of_differences, difference_u8, std::uint8_t)
SOSIE_EXPORT(sum_of_differences, difference_f32, float)
SOSIE_EXPORT(sum_of_differences, difference_f64, double)
#undef SOSIE_EXPORT
HWY_EXPORT(dots_i8);

}  // namespace

void dot_products(const std::int8_t* x, const std::int8_t* rows, std::size_t count,
                  std::size_t dimension, std::int64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(dots_i8)(x, rows, count, dimension, out);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
