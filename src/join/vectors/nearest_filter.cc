// Filters rows that cannot be among the nearest, by byte panels and shrinking limits.
#include "join/vectors/nearest_filter.h"

#include <algorithm>

#include "kernels/products_reaching.h"

namespace sosie {

using kernels::kPanelVectors;

namespace {

constexpr std::size_t kSampledLefts = 16;
constexpr std::size_t kSampledRights = 256;

}  // namespace

double usual_distance(const VectorSides& sides) {
  std::vector<double> distances;
  const std::size_t lefts = std::min(kSampledLefts, sides.left().size());
  const std::size_t rights = std::min(kSampledRights, sides.right().size());
  for (std::size_t i = 0; i < lefts; ++i) {
    for (std::size_t k = 0; k < rights; ++k) {
      const VectorSums sums =
          sides.sums(sides.left().size() * i / lefts, sides.right().size() * k / rights);
      distances.push_back(sides.byte_distance(sides.measure().value(sums)));
    }
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

NearestFilter::NearestFilter(const VectorSides& sides, PanelForm form)
    : sides_(sides), maker_(sides, form) {
  if (form == PanelForm::bytes) usual_distance_ = usual_distance(sides);
}

NearestFilter::Rights NearestFilter::rights(const PanelStretch& place) const {
  Rights rights{maker_.rights(place), {}};
  if (rights.rows.bytes) rights.limits = rights.rows.bytes->limits_of_nearest(usual_distance_);
  return rights;
}

double NearestFilter::reach(double bound) const {
  if (maker_.form() != PanelForm::words) return sides_.byte_distance(bound);
  return sides_.by_angle() ? sides_.least_cosine(bound) : sides_.most_distance(bound);
}

std::int32_t NearestFilter::limit(double reach, const SidePanels& lefts, std::size_t row,
                                  const Rights& rights) const noexcept {
  if (lefts.bytes) return lefts.bytes->nearer_than(reach, row, rights.limits);
  if (!lefts.words) return limit_of_all();
  if (sides_.by_angle()) return lefts.words->cosine_limit(*rights.rows.words, reach);
  return lefts.words->distance_limit(row, *rights.rows.words, reach);
}

std::int32_t NearestFilter::limit_of_all() const noexcept {
  return maker_.form() == PanelForm::bytes ? BytePanels::kEveryPair : kEveryPair;
}

void NearestFilter::candidates(const SidePanels& lefts, std::span<const std::int32_t> limits,
                               const Rights& rights, std::span<std::uint32_t> hits) {
  const std::size_t count = rights.rows.place.end - rights.rows.place.begin;
  if (lefts.words) {
    lefts.words->candidates(0, limits, *rights.rows.words, 0, count, hits);
  } else if (lefts.bytes) {
    lefts.bytes->candidates(0, limits, {*rights.rows.bytes, {0, count}, rights.limits.limits},
                            hits);
  } else {
    std::fill_n(hits.begin(), count * kPanelVectors, ~std::uint32_t{0});
  }
}

}  // namespace sosie
