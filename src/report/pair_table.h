#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/pair_order.h"
#include "join/pair_rows.h"
#include "join/run.h"
#include "write/table.h"

namespace sosie {

// left, right, similarity (or what else the value is called), then left_FIELD right_FIELD for each
// shown field.
[[nodiscard]] std::vector<std::string> pair_columns(const std::vector<std::string>& show,
                                                    std::string_view value_name = "similarity");

// Hands on the pairs that --top and --top-pairs leave, left rows in input order, some
// at a time.
void for_each_wanted(const Run& run, const PairRows& pairs, PairOrder order,
                     const std::function<void(std::span<const RowPair>)>& each);

// Writes these pairs. Does not commit.
PairCounts write_pair_table(Run& run, const PairRows& pairs, PairOrder order, TableWriter& out);

}  // namespace sosie
