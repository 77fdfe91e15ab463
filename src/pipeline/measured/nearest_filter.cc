#include "pipeline/measured/nearest_filter.h"

#include <algorithm>

#include "kernels/panel_products.h"

namespace sosie {

using kernels::kPanelVectors;

namespace {

constexpr std::size_t kCachedBytes = std::size_t{1} << 18;
constexpr std::size_t kPanelsAtOnce = 64;
constexpr std::size_t kSampledLefts = 16;
constexpr std::size_t kSampledRights = 256;

std::size_t panels_of(std::size_t rows) noexcept {
  return (rows + kPanelVectors - 1) / kPanelVectors;
}

}  // namespace

double usual_distance(const VectorSides& sides) {
  std::vector<double> distances;
  const std::size_t lefts = std::min(kSampledLefts, sides.left().rows);
  const std::size_t rights = std::min(kSampledRights, sides.right().rows);
  for (std::size_t i = 0; i < lefts; ++i) {
    for (std::size_t k = 0; k < rights; ++k) {
      const VectorSums sums =
          sides.sums(sides.left().rows * i / lefts, sides.right().rows * k / rights);
      distances.push_back(sides.byte_distance(sides.measure().value(sums)));
    }
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

NearestFilter::NearestFilter(VectorSides& sides, Form form, ThreadPool& pool)
    : sides_(sides),
      form_(form),
      left_count_(panels_of(sides.left().rows)),
      right_count_(panels_of(sides.right().rows)) {
  if (form == Form::words) {
    sides.make_panels(pool);
    word_limits_.assign(left_count_ * kPanelVectors, kEveryPair);
  }
  if (form == Form::bytes) {
    const ByteScale scale = sides.byte_scale();
    left_bytes_ = std::make_unique<BytePanels>(sides.left(), scale, sides.left_squares(), pool);
    right_bytes_ = std::make_unique<BytePanels>(sides.right(), scale, sides.right_squares(), pool);
    byte_limits_ = left_bytes_->limits_of_nearest(*right_bytes_, usual_distance(sides));
  }
}

std::size_t NearestFilter::cached_panels() const noexcept {
  if (form_ == Form::words) return sides_.cached_panels();
  if (form_ == Form::none) return kPanelsAtOnce;
  const std::size_t panel_bytes = right_bytes_->bytes() / right_bytes_->panel_count();
  return std::max<std::size_t>(1, kCachedBytes / panel_bytes);
}

void NearestFilter::candidates(std::size_t panel, const PanelStretch& rights,
                               std::span<std::uint32_t> hits) const {
  if (form_ == Form::words) {
    sides_.left_panels().candidates(
        panel, std::span(word_limits_).subspan(panel * kPanelVectors, kPanelVectors),
        sides_.right_panels(), rights.begin, rights.end, hits);
  } else if (form_ == Form::bytes) {
    left_bytes_->candidates(panel, *right_bytes_, rights, byte_limits_.limits, hits);
  } else {
    std::fill_n(hits.begin(), (rights.end - rights.begin) * kPanelVectors, ~std::uint32_t{0});
  }
}

void NearestFilter::nearer_than(double bound, std::size_t left_row) {
  if (form_ == Form::words) word_limits_[left_row] = sides_.limit(left_row, bound);
  if (form_ == Form::bytes) {
    left_bytes_->nearer_than(sides_.byte_distance(bound), left_row, byte_limits_);
  }
}

}  // namespace sosie
