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

// Appends values to a column and stores each distinct value once. The column must outlive this
// object, and nothing else may change it meanwhile.
class ValueNumbers {
 public:
  explicit ValueNumbers(RecordColumn& column) : column_(&column) {}

  // Returns the number of a value; adds the value to the column if necessary. An empty text is a
  // missing value. Throws Error{limit_exceeded} at 2^32 - 1 distinct values.
  [[nodiscard]] std::uint32_t number_of(std::string_view text);
  // Writes the numbers of at most kAtOnce values to `numbers`, as if number_of() were called for
  // each of them in this order. Faster for many values, because memory is prefetched. Both spans
  // must have the same size.
  static constexpr std::size_t kAtOnce = 64;
  void numbers_of(std::span<const std::string_view> texts, std::span<std::uint32_t> numbers);
  // Appends the value of the next record.
  void append(std::uint32_t value);
  void add(std::string_view text) { append(number_of(text)); }
  // Memory of the numbers, without the column.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return sizeof(Slot) * slots_.capacity();
  }

 private:
  // A slot stores the hash next to the number. Texts are therefore read only if they are likely to
  // be equal, and not when the table grows.
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

// Distinct texts that result from joining some fields of each record with spaces, as items: an item
// stands for all records with its text. Items of the left collection come first; a text that occurs
// in both collections is two items. They are numbered in the order of first occurrence.
class JoinedValues {
 public:
  // Joins the fields of all records. A record that lacks all of them has no text.
  JoinedValues(const RecordTable& table, std::span<const std::uint32_t> fields);

  [[nodiscard]] std::uint32_t size() const noexcept { return left_items() + right_items(); }
  // The first item of the right collection; 0 if there is only one collection.
  [[nodiscard]] std::uint32_t split() const noexcept { return across_ ? left_items() : 0; }
  [[nodiscard]] std::string_view text(std::uint32_t item) const noexcept {
    return item < left_items() ? left_.text(item + 1) : right_.text(item - left_items() + 1);
  }
  // The item of each record, numbered from 1; 0 if it has none.
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

// The items as sets of shingles.
[[nodiscard]] HashedSets sets_of(const JoinedValues& values, const ShingleRecipe& recipe,
                                 ThreadPool& pool);

}  // namespace sosie
