// Exact joins of some rows of a column of bit strings.
#include "join/bits/bit_row_joins.h"

#include "join/bits/bit_join.h"

namespace sosie {
namespace {

BitColumn take_rows(const BitColumn& column, std::span<const RowId> rows) {
  BitColumn some{rows.size(), column.bits, column.words, {}};
  some.data.reserve(some.rows * some.words);
  for (const RowId row : rows) {
    some.data.insert(some.data.end(), column.row(row), column.row(row) + column.words);
  }
  return some;
}

}  // namespace

BitRowJoins::BitRowJoins(const BitColumn& column, const BitSettings& settings, bool brute,
                         ThreadPool& pool, Scratch& scratch)
    : column_(column), settings_(settings), brute_(brute), pool_(pool), scratch_(scratch) {}

std::uint64_t BitRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                    const EachPairs& each) const {
  const BitColumn column = take_rows(column_, rows);
  const auto end = static_cast<RowId>(rows.size());
  const auto lefts = static_cast<RowId>(split);
  const BitJoinTask task{
      .column = &column,
      .sides = split == 0 ? JoinSides{{0, end}} : JoinSides{{0, lefts}, RowRange{lefts, end}},
      .measure = settings_.measure,
      .bound = settings_.bound.bound.terms(),
      .brute = brute_,
      .scratch = &scratch_,
      .memory_bytes = settings_.run.memory_bytes};
  return join_bits(task, pool_, each).candidates;
}

std::optional<double> BitRowJoins::measure(RowId left, RowId right) const {
  const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
  if (!settings_.measure->reaches(counts, settings_.bound.bound)) return std::nullopt;
  return settings_.measure->value(counts);
}

double BitRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(count_bits(column_.row(left), column_.row(right), column_.words));
}

}  // namespace sosie
