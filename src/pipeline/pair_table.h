#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pair_rows.h"
#include "pipeline/run.h"
#include "write/table.h"

namespace sosie {

// left, right, similarity, then left_FIELD right_FIELD for each shown field.
[[nodiscard]] std::vector<std::string> pair_columns(const std::vector<std::string>& show);

// How the pairs of one left row follow each other.
enum class PairOrder : std::uint8_t {
  input,       // by right row
  best_first,  // the most similar first; ties: by right row
};

// Hands on the pairs that --top and --top-pairs leave, left rows in input order, some
// at a time.
void for_each_wanted(const Run& run, const PairRows& pairs, PairOrder order,
                     const std::function<void(std::span<const RowPair>)>& each);

// What was written.
struct PairCounts {
  std::uint64_t pairs = 0;
  std::uint64_t lefts = 0;  // rows that are the left one of a pair
};

// Writes these pairs. Does not commit.
PairCounts write_pair_table(Run& run, const PairRows& pairs, PairOrder order, TableWriter& out);

}  // namespace sosie
