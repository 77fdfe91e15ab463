// Panels of two sides, as bytes, words or none at all, made on demand or kept.
#include "join/vectors/side_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/count_text.h"
#include "core/size_text.h"
#include "kernels/products_reaching.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using kernels::panels_of;

constexpr std::size_t kCachedBytes = std::size_t{1} << 18;
constexpr std::size_t kPanelsAtOnce = 64;  // panels taken at once without a form
// Two doubles and a limit.
constexpr std::uint64_t kPanelRowBytes = 20;

constexpr std::uint64_t kLeastPairBytes = std::uint64_t{1} << 17;
constexpr std::uint64_t kLeastPanelBytes = std::uint64_t{1} << 18;
constexpr std::uint64_t kSampledPanels = 8;

}  // namespace

PanelMaker::PanelMaker(const VectorSides& sides, PanelForm form)
    : sides_(&sides),
      form_(form),
      left_count_(panels_of(sides.left().size())),
      right_count_(panels_of(sides.right().size())) {
  if (form == PanelForm::bytes) scale_ = sides.byte_scale();
  if (form == PanelForm::words && !sides.by_angle()) {
    largest_length_ =
        std::sqrt(std::max(largest_square(sides.left()), largest_square(sides.right())));
  }
}

std::size_t PanelMaker::cached_panels() const noexcept {
  const std::size_t dimension = sides_->left().column->dimension;
  if (form_ == PanelForm::none) return kPanelsAtOnce;
  const std::size_t bytes = form_ == PanelForm::bytes ? BytePanels::panel_bytes(dimension)
                                                      : VectorPanels::panel_bytes(dimension);
  return std::max<std::size_t>(1, kCachedBytes / std::max<std::size_t>(1, bytes));
}

std::uint64_t PanelMaker::panel_bytes() const noexcept {
  const std::size_t dimension = sides_->left().column->dimension;
  if (form_ == PanelForm::none) return 1;
  return kPanelVectors * kPanelRowBytes + (form_ == PanelForm::bytes
                                               ? BytePanels::panel_bytes(dimension)
                                               : VectorPanels::panel_bytes(dimension));
}

SidePanels PanelMaker::lefts(const PanelStretch& place) const {
  return make(sides_->left(), place);
}

SidePanels PanelMaker::rights(const PanelStretch& place) const {
  return make(sides_->right(), place);
}

SidePanels PanelMaker::make(const VectorSubset& side, const PanelStretch& place) const {
  SidePanels panels{place, nullptr, nullptr};
  const VectorSubset rows =
      side.part(place.begin * kPanelVectors, std::min(side.size(), place.end * kPanelVectors));
  if (form_ == PanelForm::bytes) panels.bytes = std::make_unique<BytePanels>(rows, scale_);
  if (form_ == PanelForm::words) {
    const auto form =
        sides_->by_angle() ? VectorPanels::Form::of_length_one : VectorPanels::Form::as_they_are;
    panels.words = std::make_unique<VectorPanels>(rows, form, largest_length_);
  }
  return panels;
}

std::uint64_t most_panel_bytes(std::size_t dimension) noexcept {
  return kPanelVectors * kPanelRowBytes + VectorPanels::panel_bytes(dimension);
}

std::uint64_t least_exact_bytes(std::size_t dimension, unsigned threads) noexcept {
  const std::uint64_t panel = most_panel_bytes(dimension);
  // Memory per worker: left panels and (while candidates are sampled) a right panel.
  const ExactMemoryShare least = least_memory_share(dimension);
  return panel * (kSampledPanels + threads * (kLeftPanels + 1)) + least.panel_bytes +
         least.pair_bytes;
}

ExactMemoryShare least_memory_share(std::size_t dimension) noexcept {
  return {std::max(kLeastPanelBytes, most_panel_bytes(dimension)), kLeastPairBytes};
}

ExactMemoryShare exact_memory_share(const ExactNeeds& needs) {
  const std::uint64_t least = needs.besides + least_exact_bytes(needs.dimension, needs.threads);
  if (needs.memory_bytes < least) {
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("the vectors and their bookkeeping need about {}; --memory is {}",
                            bytes_text(least), limit_text(needs.memory_bytes)),
                fmt::format("--memory {} is enough", round_size_text(least)));
  }
  const std::uint64_t left = needs.memory_bytes - least;
  const std::uint64_t pairs = std::min(needs.memory_bytes / 8, left / 4);
  const ExactMemoryShare memory_share = least_memory_share(needs.dimension);
  return {memory_share.panel_bytes + left - pairs, memory_share.pair_bytes + pairs};
}

}  // namespace sosie
