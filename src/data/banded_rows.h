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

// Rows as an OR-construction of AND-constructions sees them, each with a sketch that tells most far
// pairs from near ones. A pair is a candidate when the two agree in the key of a band and their
// sketches differ in few bits: that depends on the two rows alone.
struct BandedRows {
  std::size_t rows = 0;
  std::size_t bands = 0;
  std::vector<std::uint32_t> keys;          // rows * bands, row-major
  std::size_t sketch_words = 0;             // of a row
  const std::uint64_t* sketches = nullptr;  // rows * sketch_words, row-major; not owned
  std::uint64_t most_different = 0;         // bits in which the sketches of candidates may differ

  [[nodiscard]] const std::uint32_t* keys_of(std::size_t row) const noexcept {
    return keys.data() + row * bands;
  }
  [[nodiscard]] const std::uint64_t* sketch_of(std::size_t row) const noexcept {
    return sketches + row * sketch_words;
  }
};

}  // namespace sosie
