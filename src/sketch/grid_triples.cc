// Functions that select squares of a grid: sets with all selected squares share a bucket.
#include "sketch/grid_triples.h"

#include <algorithm>
#include <array>

#include "core/mix64.h"

namespace sosie {
namespace {

constexpr std::uint64_t kGridSalt = 0x6A09E667F3BCC909ULL;

template <int kSquares>
double collision(double distance) noexcept {
  double p = 1;
  for (int i = 0; i < kSquares; ++i) p *= 1 - distance;
  return p;
}

}  // namespace

GridCollision grid_collision(int squares) noexcept {
  static constexpr std::array<GridCollision, kMostSquares> kLaws = {
      collision<1>, collision<2>, collision<3>, collision<4>,
      collision<5>, collision<6>, collision<7>, collision<8>};
  return kLaws[static_cast<std::size_t>(squares - 1)];
}

double grid_triples_collision(double distance) noexcept { return collision<3>(distance); }

double shared_squares_collision(std::uint64_t shared, std::uint64_t grid, int squares) noexcept {
  double p = 1;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(squares); ++i) {
    if (shared <= i) return 0;
    p *= static_cast<double>(shared - i) / static_cast<double>(grid - i);
  }
  return p;
}

GridFunctions::GridFunctions(std::span<const std::uint64_t> grid, std::size_t count, int squares,
                             std::uint64_t seed)
    : grid_(grid), each_(static_cast<std::size_t>(squares)) {
  squares_.reserve(count * each_);
  for (std::size_t i = 0; i < count * each_; ++i) {
    // Floyd's sampling: if a square was already drawn, it is replaced with the last possible one.
    const std::size_t drawn = i % each_;
    const std::uint64_t end = grid.size() - each_ + drawn + 1;
    const auto square = static_cast<std::uint32_t>(random64(seed ^ kGridSalt, i) % end);
    const auto before = std::span(squares_).last(drawn);
    const bool is_taken = std::find(before.begin(), before.end(), square) != before.end();
    squares_.push_back(is_taken ? static_cast<std::uint32_t>(end - 1) : square);
  }
}

void GridFunctions::keys(std::span<const std::uint64_t> set, std::size_t rows, std::uint32_t alone,
                         std::span<std::uint32_t> keys) const {
  std::vector<bool> has(grid_.size());
  auto at = grid_.begin();
  for (const std::uint64_t square : set) {
    at = std::lower_bound(at, grid_.end(), square);
    has[static_cast<std::size_t>(at - grid_.begin())] = true;
  }
  const std::size_t of_band = rows * each_;
  for (std::size_t band = 0; band < keys.size(); ++band) {
    const auto named = std::span(squares_).subspan(band * of_band, of_band);
    keys[band] = std::all_of(named.begin(), named.end(), [&](std::uint32_t i) { return has[i]; })
                     ? kMet
                     : alone;
  }
}

}  // namespace sosie
