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

// Hands on the pairs that options.top and options.top_pairs leave, sorted by (left, right), some at
// a time.
void for_each_wanted(const Options& options, const PairRows& pairs,
                     const std::function<void(std::span<const RowPair>)>& each);

// Writes these pairs; returns how many. Does not commit.
std::uint64_t write_pair_table(Run& run, const PairRows& pairs, TableWriter& out);

}  // namespace sosie
