#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// Some bands that follow each other: first to last - 1.
struct BandRange {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

// Rows of a block that follow each other: begin to end - 1.
struct RowSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Functions of a band at most, where rows are near several cells of each.
inline constexpr std::size_t kMostProbedFunctions = 12;

// Rows as an OR-construction of AND-constructions sees them, each with a sketch that tells most far
// pairs from near ones. A pair is a candidate when the two agree in the key of a band and their
// sketches differ in few bits: that depends on the two rows alone.
struct BandedRows {
  std::size_t rows = 0;
  std::size_t bands = 0;
  std::vector<std::uint32_t> keys;          // rows * bands, row-major; none where rows have cells
  std::size_t sketch_words = 0;             // words of a row's sketch
  const std::uint64_t* sketches = nullptr;  // rows * sketch_words, row-major; not owned
  std::uint64_t most_different = 0;         // bits in which the sketches of candidates may differ

  // Multi-probe, in place of keys: of each function of a band a row has a cell (0 to 31), and cells
  // that it is near (bit i: cell i), its own among them. Two rows meet in a band when every cell of
  // one is near the other. rows * bands * functions, row-major; 0 functions: rows have keys.
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
