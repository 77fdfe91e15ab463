#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// Consecutive bands: first to last - 1.
struct BandRange {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

// Consecutive rows of a block: begin to end - 1.
struct RowSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Maximum number of functions per band if rows can be near several cells of each function.
inline constexpr std::size_t kMostProbedFunctions = 12;

// Rows in the form needed by an OR-construction of AND-constructions. Each row has a sketch that
// distinguishes most far pairs from near ones. Two rows are a candidate pair if they agree in the
// key of a band and their sketches differ in few bits; this depends only on these two rows.
struct BandedRows {
  std::size_t rows = 0;
  std::size_t bands = 0;
  std::vector<std::uint32_t> keys;          // rows * bands, row-major; none if rows have cells
  std::size_t sketch_words = 0;             // words of a row's sketch
  const std::uint64_t* sketches = nullptr;  // rows * sketch_words, row-major; not owned
  std::uint64_t most_different = 0;         // bits in which the sketches of candidates may differ

  // Multi-probe, which replaces keys: for each function of a band, a row has a cell (0 to 31) and a
  // set of cells that it is near (bit i: cell i), including its own. Two rows meet in a band if
  // each is near every cell of the other. rows * bands * functions, row-major; 0 functions: rows
  // have keys.
  std::size_t functions = 0;
  std::vector<std::uint8_t> cells;
  std::vector<std::uint32_t> near;

  [[nodiscard]] const std::uint8_t* cells_of(std::size_t row, std::size_t band) const noexcept {
    return cells.data() + (row * bands + band) * functions;
  }
  [[nodiscard]] const std::uint32_t* near_of(std::size_t row, std::size_t band) const noexcept {
    return near.data() + (row * bands + band) * functions;
  }

  [[nodiscard]] const std::uint32_t* keys_of(std::size_t row) const noexcept {
    return keys.data() + row * bands;
  }
  [[nodiscard]] const std::uint64_t* sketch_of(std::size_t row) const noexcept {
    return sketches + row * sketch_words;
  }
};

}  // namespace sosie
