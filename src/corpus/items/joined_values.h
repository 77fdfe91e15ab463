#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/token_sets.h"
#include "represent/text_shingler.h"

namespace sosie {

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
