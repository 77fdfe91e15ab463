// Squares of a grid that points lie in.
#include "read/append_squares.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "data/format.h"
#include "read/append_numbers.h"

namespace sosie {
namespace {

constexpr double kFarthest = 1 << 30;  // columns and rows of an unbounded grid

// Columns or rows from `first` to `last` that a coordinate belongs to.
struct Lanes {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::int64_t count_lanes(double extent, double cell) noexcept {
  return static_cast<std::int64_t>(std::ceil(extent / cell));
}

// `extent`: of the grid along this axis; 0: it has no end.
Lanes lanes_of(double at, const Grid& grid, double extent, std::string_view point) {
  const double lane = std::floor(at / grid.cell);
  if (std::abs(lane) > kFarthest || (extent > 0 && (at < 0 || at >= extent))) {
    throw RowError(fmt::format("the point {} lies outside of the grid", point));
  }
  Lanes lanes{static_cast<std::int64_t>(lane), static_cast<std::int64_t>(lane)};
  if (grid.border == 0) return lanes;
  const double inside = at - lane * grid.cell;
  if (inside <= grid.border && (extent == 0 || lanes.first > 0)) --lanes.first;
  if (grid.cell - inside <= grid.border &&
      (extent == 0 || lanes.last + 1 < count_lanes(extent, grid.cell))) {
    ++lanes.last;
  }
  return lanes;
}

// The sector of an angle in degrees: 0 begins at 0 degrees.
unsigned sector_of(double degrees, unsigned directions) noexcept {
  const double turn = degrees / 360 - std::floor(degrees / 360);
  return std::min(static_cast<unsigned>(turn * directions), directions - 1);
}

}  // namespace

void append_squares(const Grid& grid, std::string_view point, std::string& lines) {
  std::vector<double> numbers;
  if (!append_numbers(point, numbers) || numbers.size() < 2 || numbers.size() > 3) {
    throw RowError(fmt::format("'{}' is not a point: X,Y or X,Y,ANGLE", point));
  }
  if (grid.directions > 0 && numbers.size() < 3) {
    throw RowError(fmt::format("the point {} has no angle, which --represent tells apart", point));
  }
  const Lanes columns = lanes_of(numbers[0], grid, grid.width, point);
  const Lanes rows = lanes_of(numbers[1], grid, grid.height, point);
  for (std::int64_t column = columns.first; column <= columns.last; ++column) {
    for (std::int64_t row = rows.first; row <= rows.last; ++row) {
      fmt::format_to(std::back_inserter(lines), "{},{}", column, row);
      if (grid.directions > 0) {
        fmt::format_to(std::back_inserter(lines), ",{}", sector_of(numbers[2], grid.directions));
      }
      lines += '\n';
    }
  }
}

std::uint64_t count_squares(const Grid& grid) noexcept {
  return static_cast<std::uint64_t>(count_lanes(grid.width, grid.cell)) *
         static_cast<std::uint64_t>(count_lanes(grid.height, grid.cell)) *
         std::max(1U, grid.directions);
}

std::string all_squares(const Grid& grid) {
  std::string lines;
  const std::int64_t columns = count_lanes(grid.width, grid.cell);
  const std::int64_t rows = count_lanes(grid.height, grid.cell);
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (unsigned sector = 0; sector < std::max(1U, grid.directions); ++sector) {
        fmt::format_to(std::back_inserter(lines), "{},{}", column, row);
        if (grid.directions > 0) fmt::format_to(std::back_inserter(lines), ",{}", sector);
        lines += '\n';
      }
    }
  }
  return lines;
}

}  // namespace sosie
