#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// The family "grid-triples" for sets of squares, such as fingerprints (MMDS 3.8.3). A function
// selects some squares. All sets that contain all of these squares share the function's only
// bucket; every other set is alone.
inline constexpr int kMostSquares = 8;

// Probability that both sets contain all squares of a function with `squares` squares (1 to
// kMostSquares). `distance`: share of the grid's squares that are not in both sets.
using GridCollision = double (*)(double distance) noexcept;
[[nodiscard]] GridCollision grid_collision(int squares) noexcept;
// The law for three squares.
[[nodiscard]] double grid_triples_collision(double distance) noexcept;

// Probability that a function of `squares` different squares, in a grid of `grid` squares, finds
// two sets that share `shared` of these squares.
[[nodiscard]] double shared_squares_collision(std::uint64_t shared, std::uint64_t grid,
                                              int squares) noexcept;

// Functions of the family.
class GridFunctions {
 public:
  // `grid`: all squares, ascending; at least as many as a function selects. The squares of each
  // function are all different and chosen at random from the seed, independently of all other
  // functions.
  GridFunctions(std::span<const std::uint64_t> grid, std::size_t count, int squares,
                std::uint64_t seed);

  // The squares of a function, as positions in the grid.
  [[nodiscard]] std::span<const std::uint32_t> squares_of(std::size_t function) const noexcept {
    return std::span(squares_).subspan(function * each_, each_);
  }

  // The keys of bands of `rows` functions for a set (squares of the grid, ascending): `kMet` if the
  // set contains all squares of the band's functions; otherwise `alone`, which must be unique to
  // this set and different from kMet.
  static constexpr std::uint32_t kMet = 0;
  void keys(std::span<const std::uint64_t> set, std::size_t rows, std::uint32_t alone,
            std::span<std::uint32_t> keys) const;

 private:
  std::span<const std::uint64_t> grid_;
  std::size_t each_;
  std::vector<std::uint32_t> squares_;
};

}  // namespace sosie
