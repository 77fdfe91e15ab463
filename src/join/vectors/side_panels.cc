// Panels of two sides in bytes, words or no form, made when they are needed or kept.
#include "join/vectors/side_panels.h"

#include <algorithm>
#include <cmath>

#include "kernels/products_reaching.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using kernels::panels_of;

constexpr std::size_t kCachedBytes = std::size_t{1} << 18;
constexpr std::size_t kPanelsAtOnce = 64;  // panels taken at once without a form
// Two doubles and a limit.
constexpr std::uint64_t kPanelRowBytes = 20;

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

}  // namespace sosie
