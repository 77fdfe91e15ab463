#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/token_sets.h"
#include "represent/text_shingler.h"

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

// Different texts of some fields of records, joined by a blank, as items: each stands once for all
// of its records. Texts of the left collection come in front; a text that both have is two items.
// Texts are numbered in the order in which they come.
class JoinedValues {
 public:
  // Joins the fields of all records; one that lacks all of them has no text.
  JoinedValues(const RecordTable& table, std::span<const std::uint32_t> fields);

  [[nodiscard]] std::uint32_t size() const noexcept { return left_items() + right_items(); }
  // First item of the right collection; 0: there is one collection.
  [[nodiscard]] std::uint32_t split() const noexcept { return across_ ? left_items() : 0; }
  [[nodiscard]] std::string_view text(std::uint32_t item) const noexcept {
    return item < left_items() ? left_.text(item + 1) : right_.text(item - left_items() + 1);
  }
  // Item of each record from 1 on; 0: it has none.
  [[nodiscard]] std::vector<std::uint32_t> keys() const;
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return left_.memory_bytes() + right_.memory_bytes();
  }

 private:
  [[nodiscard]] std::uint32_t left_items() const noexcept { return left_.distinct() - 1; }
  [[nodiscard]] std::uint32_t right_items() const noexcept { return right_.distinct() - 1; }

  RecordColumn left_;
  RecordColumn right_;
  bool across_;
};

// Items as sets of shingles.
[[nodiscard]] HashedSets sets_of(const JoinedValues& values, const ShingleRecipe& recipe,
                                 ThreadPool& pool);

}  // namespace sosie
