// Filters of vectors by byte or word panels: for a join with a bound, and for the nearest rows,
// whose limits shrink.
#include "join/vectors/vector_filter.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "kernels/products_reaching.h"

namespace sosie {

using kernels::kPanelVectors;

namespace {

using kernels::kPanelVectors;

// If more than this share of the pairs passes, measuring them costs more than 16-bit integers do,
// provided that these let fewer pass.
constexpr double kManyPassFilter = 0.05;
constexpr std::size_t kSampledStretches = 8;  // sampled stretches of both sides
constexpr std::size_t kFilterPanels = 64;     // sampled panels of a stretch on the right

constexpr std::size_t kSampledLefts = 16;
constexpr std::size_t kSampledRights = 256;

}  // namespace

VectorFilter::VectorFilter(const VectorSides& sides, std::optional<double> bound, ThreadPool& pool)
    : sides_(sides),
      bound_(bound.value_or(0)),
      maker_(sides, bound ? PanelForm::bytes : PanelForm::none) {
  if (!bound) return;
  const double passing = passing_part(pool);
  if (passing <= kManyPassFilter) return;
  PanelMaker bytes = maker_;
  maker_ = PanelMaker(sides, PanelForm::words);
  const bool tell_more = passing_part(pool) <= passing / 2;
  if (!tell_more) maker_ = std::move(bytes);
}

VectorFilter::Panels VectorFilter::lefts(const PanelStretch& place) const {
  Panels panels{maker_.lefts(place), {}};
  panels.limits = panels.rows.words ? word_limits(*panels.rows.words) : byte_limits(panels.rows);
  return panels;
}

VectorFilter::Panels VectorFilter::rights(const PanelStretch& place) const {
  Panels panels{maker_.rights(place), {}};
  panels.limits = byte_limits(panels.rows);
  return panels;
}

std::vector<std::int32_t> VectorFilter::byte_limits(const SidePanels& panels) const {
  if (!panels.bytes) return {};
  return panels.bytes->limits_within(sides_.byte_distance(bound_));
}

// Right panels have their own limits, which lose as much by rounding.
std::vector<std::int32_t> VectorFilter::word_limits(const VectorPanels& lefts) const {
  std::vector<std::int32_t> limits(lefts.panel_count() * kPanelVectors,
                                   std::numeric_limits<std::int32_t>::max() / 2);
  if (sides_.by_angle()) {
    std::fill(limits.begin(), limits.end(), lefts.cosine_limit(lefts, sides_.least_cosine(bound_)));
    return limits;
  }
  for (std::size_t row = 0; row < lefts.rows(); ++row) {
    limits[row] = lefts.distance_limit(row, lefts, sides_.most_distance(bound_));
  }
  return limits;
}

double VectorFilter::passing_part(ThreadPool& pool) const {
  std::vector<Panels> sampled;
  for (std::size_t i = 0; i < kSampledStretches; ++i) {
    const std::size_t panel = maker_.left_count() * i / kSampledStretches;
    sampled.push_back(lefts({panel, panel + 1}));
  }
  std::vector<PanelStretch> chunks;
  for (std::size_t j = 0; j < kSampledStretches; ++j) {
    std::size_t begin = maker_.right_count() * j / kSampledStretches;
    const std::size_t end = std::min(maker_.right_count(), begin + kFilterPanels);
    for (; begin < end; begin = chunks.back().end) {
      chunks.push_back({begin, std::min(end, begin + maker_.cached_panels())});
    }
  }
  std::atomic<std::uint64_t> passed = 0;
  std::atomic<std::uint64_t> pairs = 0;
  pool.for_each(chunks.size(), [&](unsigned /*worker*/, std::size_t i) {
    const Panels right = rights(chunks[i]);
    const std::size_t panels = chunks[i].end - chunks[i].begin;
    std::vector<std::uint32_t> hits(panels * kPanelVectors);
    for (const Panels& left : sampled) {
      candidates(left, 0, right, {0, panels}, hits);
      std::uint64_t count = 0;
      for (const std::uint32_t bits : hits) count += static_cast<unsigned>(std::popcount(bits));
      passed += count;
      pairs += hits.size() * kPanelVectors;
    }
  });
  return static_cast<double>(passed) / static_cast<double>(pairs);
}

void VectorFilter::candidates(const Panels& lefts, std::size_t panel, const Panels& rights,
                              const PanelStretch& stretch, std::span<std::uint32_t> hits) {
  const auto limits = [&] {
    return std::span(lefts.limits).subspan(panel * kPanelVectors, kPanelVectors);
  };
  if (lefts.rows.words) {
    lefts.rows.words->candidates(panel, limits(), *rights.rows.words, stretch.begin, stretch.end,
                                 hits);
  } else if (lefts.rows.bytes) {
    lefts.rows.bytes->candidates(panel, limits(), {*rights.rows.bytes, stretch, rights.limits},
                                 hits);
  } else {
    std::fill_n(hits.begin(), (stretch.end - stretch.begin) * kPanelVectors, ~std::uint32_t{0});
  }
}

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
