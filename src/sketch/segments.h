#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// Random lines, divided into segments of equal length with a random offset. The cell of a vector on
// a line is the segment that contains its projection. Source: Datar, Immorlica, Indyk, Mirrokni,
// SoCG 2004; MMDS 3.7.4.
class SegmentLines {
 public:
  // Component number i of all lines, which are numbered consecutively (sketch/standard_normal.h).
  using Component = double (*)(std::uint64_t seed, std::uint64_t i) noexcept;

  struct Cut {
    double length = 1;  // length of a segment, above 0
    std::uint64_t seed = 1;
    std::size_t first = 0;  // number of the first line; a line depends only on its number
  };

  // `count` is rounded up to whole blocks.
  SegmentLines(Component component, std::size_t count, std::size_t dimension, const Cut& cut);

  [[nodiscard]] std::size_t count() const noexcept { return offsets_.size(); }

  // The segment numbers of up to kCellVectors vectors, as integral doubles without negative zeros:
  // the number for vector v on line i is at cells[v * count() + i]. Bits are identical on every
  // CPU. O(count * dimension).
  void cells(std::span<const double* const> vectors, std::vector<double>& cells) const;

 private:
  std::size_t dimension_;
  std::vector<double> lines_;  // in units of the segment length, in the kernel's order
  std::vector<double> offsets_;
};

}  // namespace sosie
