#include "pipeline/measured/vector_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/panel_products.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kCachedBytes = std::size_t{1} << 18;
// Beyond this part of the pairs, measuring them costs more than 16-bit integers do, if these let
// fewer pass.
constexpr double kManyPass = 0.05;
constexpr std::size_t kSampledStretches = 8;  // of both sides
constexpr std::size_t kSampledPanels = 64;    // of a stretch on the right

std::size_t panels_of(std::size_t rows) noexcept {
  return (rows + kPanelVectors - 1) / kPanelVectors;
}

}  // namespace

VectorFilter::VectorFilter(VectorSides& sides, std::optional<double> bound, ThreadPool& pool)
    : sides_(sides),
      left_count_(panels_of(sides.left().rows)),
      right_count_(panels_of(sides.right().rows)) {
  if (!bound) return;
  use_bytes(*bound, pool);
  const double passing = passing_part();
  if (passing <= kManyPass) return;
  use_words(*bound, pool);
  const bool tell_more = passing_part() <= passing / 2;
  if (tell_more) {
    left_bytes_.reset();
    right_bytes_.reset();
  } else {
    word_limits_ = {};
    sides_.drop_panels();
  }
}

void VectorFilter::use_bytes(double bound, ThreadPool& pool) {
  const VectorColumn* right = sides_.is_self() ? nullptr : &sides_.right();
  const ByteScale scale = sides_.byte_scale();
  left_bytes_ = std::make_unique<BytePanels>(sides_.left(), scale, sides_.left_squares(), pool);
  if (right != nullptr) {
    right_bytes_ = std::make_unique<BytePanels>(*right, scale, sides_.right_squares(), pool);
  }
  byte_limits_ = left_bytes_->limits_within(right_bytes(), sides_.byte_distance(bound));
}

void VectorFilter::use_words(double bound, ThreadPool& pool) {
  sides_.make_panels(pool);
  word_limits_.assign(left_count_ * kPanelVectors, std::numeric_limits<std::int32_t>::max() / 2);
  if (sides_.by_angle()) {
    std::fill(word_limits_.begin(), word_limits_.end(), sides_.limit(0, bound));
    return;
  }
  for (std::size_t row = 0; row < sides_.left().rows; ++row) {
    word_limits_[row] = sides_.limit(row, bound);
  }
}

double VectorFilter::passing_part() const {
  std::vector<std::uint32_t> hits(kSampledPanels * kPanelVectors);
  double passed = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < kSampledStretches; ++i) {
    for (std::size_t j = 0; j < kSampledStretches; ++j) {
      const std::size_t begin = right_count_ * j / kSampledStretches;
      const std::size_t end = std::min(right_count_, begin + kSampledPanels);
      candidates(left_count_ * i / kSampledStretches, {begin, end}, hits);
      const std::size_t count = (end - begin) * kPanelVectors;
      for (std::size_t k = 0; k < count; ++k) passed += std::popcount(hits[k]);
      pairs += static_cast<double>(count * kPanelVectors);
    }
  }
  return passed / pairs;
}

std::size_t VectorFilter::cached_panels() const noexcept {
  if (!word_limits_.empty()) return sides_.cached_panels();
  if (!left_bytes_) return kSampledPanels;
  const std::size_t panel_bytes = right_bytes().bytes() / right_bytes().panel_count();
  return std::max<std::size_t>(1, kCachedBytes / panel_bytes);
}

void VectorFilter::candidates(std::size_t panel, const PanelStretch& rights,
                              std::span<std::uint32_t> hits) const {
  if (!word_limits_.empty()) {
    sides_.left_panels().candidates(
        panel, std::span(word_limits_).subspan(panel * kPanelVectors, kPanelVectors),
        sides_.right_panels(), rights.begin, rights.end, hits);
  } else if (left_bytes_) {
    left_bytes_->candidates(panel, right_bytes(), rights, byte_limits_, hits);
  } else {
    std::fill_n(hits.begin(), (rights.end - rights.begin) * kPanelVectors, ~std::uint32_t{0});
  }
}

}  // namespace sosie
