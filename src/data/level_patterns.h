#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sosie {

// Distinct rows of agreement levels, with one byte per field (0: missing, 1: different, ...,
// highest: equal), numbered in the order of their first occurrence. Counts the occurrences of each
// row.
class LevelPatterns {
 public:
  LevelPatterns() = default;
  explicit LevelPatterns(std::size_t fields) : fields_(fields) {}

  // Counts a row and returns its number.
  std::uint32_t add(std::span<const std::uint8_t> levels, std::uint64_t count = 1);
  // The number of a row; nullopt if it was not added.
  [[nodiscard]] std::optional<std::uint32_t> find(
      std::span<const std::uint8_t> levels) const noexcept;

  [[nodiscard]] std::size_t fields() const noexcept { return fields_; }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(counts_.size());
  }
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t pattern) const noexcept {
    return std::span(levels_).subspan(pattern * fields_, fields_);
  }
  [[nodiscard]] std::uint64_t count(std::size_t pattern) const noexcept { return counts_[pattern]; }
  // The numbers of all rows, sorted by their levels. The result does not depend on the order in
  // which rows were added.
  [[nodiscard]] std::vector<std::uint32_t> ascending() const;

 private:
  // The slot of the row, or the free slot in which it would be stored.
  [[nodiscard]] std::size_t place_of(std::span<const std::uint8_t> levels) const noexcept;
  void grow();

  std::size_t fields_ = 0;
  std::vector<std::uint8_t> levels_;   // row-major
  std::vector<std::uint64_t> counts_;  // by row
  std::vector<std::uint32_t> slots_;   // number of a row + 1, by hash; 0: free
};

// Patterns from several workers merged into one list, in ascending order of their levels.
struct MergedPatterns {
  LevelPatterns patterns;
  std::vector<std::vector<std::uint32_t>> numbers;  // by worker and number there
};
[[nodiscard]] MergedPatterns merged(std::span<const LevelPatterns> workers, std::size_t fields);

}  // namespace sosie
