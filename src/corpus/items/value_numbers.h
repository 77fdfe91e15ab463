#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// Appends values to a column, each different one stored once. Belongs to one column, which outlives
// it and which nobody else changes meanwhile.
class ValueNumbers {
 public:
  explicit ValueNumbers(RecordColumn& column) : column_(&column) {}

  // Number of a value, which is added to the column if need be; an empty text is a missing value.
  // Throws Error{limit_exceeded} for 2^32 - 1 different values.
  [[nodiscard]] std::uint32_t number_of(std::string_view text);
  // Numbers of several values, as number_of() gives them in this order. Faster where values are
  // many: what they need of memory is asked for ahead. One of `numbers` for each of at most
  // kAtOnce.
  static constexpr std::size_t kAtOnce = 64;
  void numbers_of(std::span<const std::string_view> texts, std::span<std::uint32_t> numbers);
  // Appends the value of the next record.
  void append(std::uint32_t value);
  void add(std::string_view text) { append(number_of(text)); }
  // Memory that the numbers take besides the column.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return sizeof(Slot) * slots_.capacity();
  }

 private:
  // The hash beside the number: texts are looked at only where they are likely to be equal, and not
  // at all when the table grows.
  struct Slot {
    std::uint32_t number = 0;  // 0: free
    std::uint32_t hash = 0;
  };

  [[nodiscard]] std::uint32_t number_of(std::string_view text, std::uint32_t hash);
  [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint32_t hash) const noexcept;
  void grow();

  RecordColumn* column_;
  std::vector<Slot> slots_;  // a power of two, half of them free
};

}  // namespace sosie
