#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "corpus/item_ids.h"
#include "data/record_table.h"
#include "decide/true_pairs.h"

namespace sosie {

// Records by their ids.
struct NamedRecords {
  const ItemIds& left;
  const ItemIds* right;  // null: one collection
  std::uint32_t left_rows = 0;
  std::uint32_t right_rows = 0;
};

// True pairs that a file names.
struct TruthPairs {
  TruePairs pairs;
  std::uint64_t unknown = 0;  // pairs with an id that no record has
};

// Reads pairs of ids from the columns left and right of a table, or from its first two columns.
// Right records are numbered behind the left ones; within one collection a pair may come in either
// order. Throws Error{malformed_input} when there are no two columns, when a pair is a record with
// itself, and when no record has any of the ids.
[[nodiscard]] TruthPairs read_truth(const std::string& path, const NamedRecords& records,
                                    const std::atomic<bool>* cancel);

// True pairs of records of equal values in a column of one collection or two; blanks and missing
// values name no entity.
[[nodiscard]] TruePairs truth_of_values(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
