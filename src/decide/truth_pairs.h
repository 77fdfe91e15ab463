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

// The true pairs of one or two collections: pairs of records, or all pairs of records with equal
// labels, which are never listed explicitly.
class TruePairs {
 public:
  // Pairs in any order, with repetitions; within one collection left < right.
  [[nodiscard]] static TruePairs of_pairs(std::vector<RecordPair> pairs);
  // Pairs of records of one collection with equal labels.
  [[nodiscard]] static TruePairs of_labels(std::vector<std::uint32_t> labels);
  // Pairs of a left and a right record with equal labels.
  [[nodiscard]] static TruePairs of_labels(std::vector<std::uint32_t> left,
                                           std::vector<std::uint32_t> right);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  // O(log pairs), with labels O(1). With labels, records of one collection must differ.
  [[nodiscard]] bool contains(const RecordPair& pair) const;

  // Calls see(pair) by (left, right) until it returns false.
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
  bool across_ = false;  // labels of two collections
  std::uint64_t count_ = 0;
};

// Records by their ids.
struct NamedRecords {
  const ItemIds& left;
  const ItemIds* right;  // null: one collection
  std::uint32_t left_rows = 0;
  std::uint32_t right_rows = 0;
};

// True pairs in a file.
struct TruthPairs {
  TruePairs pairs;
  std::uint64_t unknown = 0;  // pairs with an unknown id
};

// Reads pairs of ids from the columns left and right of a table, or from its first two columns.
// Right records are numbered after the left ones; within a single collection a pair may be in
// either order. Throws Error{malformed_input} if there are no two columns, if a record is paired
// with itself, and if no record has any of the ids.
[[nodiscard]] TruthPairs read_truth(TableReader& table, const std::string& path,
                                    const NamedRecords& records, const std::atomic<bool>* cancel);

// True pairs of records with equal values in a column of one collection or two; white space and
// missing values identify no entity.
[[nodiscard]] TruePairs truth_of_values(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
