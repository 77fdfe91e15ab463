#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "corpus/item_ids.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "read/table_reader.h"

namespace sosie {

// The label of a record without a value.
inline constexpr std::uint32_t kNoLabel = 0xFFFFFFFF;

// The true pairs in one or two collections: either given pairs of records, or all pairs of records
// with equal labels, which are never listed explicitly.
class TruePairs {
 public:
  // The pairs may be in any order and contain duplicates; within one collection, left < right.
  [[nodiscard]] static TruePairs of_pairs(std::vector<RecordPair> pairs);
  // All pairs of records with equal labels in a single collection.
  [[nodiscard]] static TruePairs of_labels(std::vector<std::uint32_t> labels);
  // All pairs of a left and a right record with equal labels.
  [[nodiscard]] static TruePairs of_labels(std::vector<std::uint32_t> left,
                                           std::vector<std::uint32_t> right);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  // O(log pairs); O(1) with labels. With labels, two records of the same collection must differ.
  [[nodiscard]] bool contains(const RecordPair& pair) const;

  // Calls see(pair) for the pairs, sorted by (left, right), until see() returns false.
  void each(const std::function<bool(const RecordPair&)>& see) const;

 private:
  void list_labels();
  [[nodiscard]] const std::vector<std::uint32_t>& right_labels() const noexcept {
    return across_ ? right_ : left_;
  }
  [[nodiscard]] std::span<const std::uint32_t> partners_of(std::uint32_t left) const;

  std::vector<RecordPair> pairs_;        // by (left, right); empty with labels
  std::vector<std::uint32_t> left_;      // labels
  std::vector<std::uint32_t> right_;     // labels, if there is a right collection
  std::vector<std::uint32_t> by_label_;  // right records by (label, record)
  bool has_labels_ = false;
  bool across_ = false;  // true for labels of two collections
  std::uint64_t count_ = 0;
};

// Ids of the records in one or two collections.
struct NamedRecords {
  const ItemIds& left;
  const ItemIds* right;  // null: one collection
  std::uint32_t left_rows = 0;
  std::uint32_t right_rows = 0;
};

// The true pairs in a file.
struct TruthPairs {
  TruePairs pairs;
  std::uint64_t unknown = 0;  // pairs with an unknown id
};

// Reads pairs of ids from the columns left and right of a table or, if it has no such columns, from
// its first two. Right records are numbered after left ones; within a single collection, the
// records of a pair may be in either order. Throws Error{malformed_input} unless there are two
// columns, if a record is paired with itself, or if none of the ids belongs to a record.
[[nodiscard]] TruthPairs read_truth(TableReader& table, const std::string& path,
                                    const NamedRecords& records, const std::atomic<bool>* cancel);

// The pairs of records with equal values in a column of one or two collections. White space and
// missing values do not identify an entity.
[[nodiscard]] TruePairs truth_of_values(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
