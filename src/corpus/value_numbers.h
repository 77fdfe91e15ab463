#pragma once

#include <cstdint>
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
  // Appends the value of the next record.
  void append(std::uint32_t value);
  void add(std::string_view text) { append(number_of(text)); }
  // Memory that the numbers take besides the column.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return sizeof(std::uint32_t) * slots_.capacity();
  }

 private:
  [[nodiscard]] std::size_t slot_of(std::string_view text) const noexcept;
  void grow();

  RecordColumn* column_;
  std::vector<std::uint32_t> slots_;  // numbers of values, 0: free; a power of two, half free
};

}  // namespace sosie
