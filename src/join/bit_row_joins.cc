#include "join/bit_row_joins.h"

#include "join/bit_join.h"

namespace sosie {
namespace {

// Some rows of a column, and then some more.
BitColumn take_rows(const BitColumn& column, std::span<const RowId> rows,
                    std::span<const RowId> more = {}) {
  BitColumn some{rows.size() + more.size(), column.bits, column.words, {}};
  some.data.reserve(some.rows * some.words);
  for (const auto& part : {rows, more}) {
    for (const RowId row : part) {
      some.data.insert(some.data.end(), column.row(row), column.row(row) + column.words);
    }
  }
  return some;
}

}  // namespace

BitRowJoins::BitRowJoins(const BitColumn& column, const BitSettings& settings, bool brute,
                         ThreadPool& pool, Scratch& scratch)
    : column_(column), settings_(settings), brute_(brute), pool_(pool), scratch_(scratch) {}

std::uint64_t BitRowJoins::between(std::span<const RowId> lefts, std::span<const RowId> rights,
                                   const EachPairs& each) const {
  if (lefts.empty() || rights.empty()) return 0;
  return join(take_rows(column_, lefts, rights), lefts.size(), each);
}

std::uint64_t BitRowJoins::within(std::span<const RowId> rows, const EachPairs& each) const {
  return join(take_rows(column_, rows), 0, each);
}

std::uint64_t BitRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                    const EachPairs& each) const {
  if (split == 0) return within(rows, each);
  return between(rows.first(split), rows.subspan(split), counted_from_lefts(split, each));
}

std::optional<double> BitRowJoins::measure(RowId left, RowId right) const {
  const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
  if (!settings_.measure->reaches(counts, settings_.bound.bound)) return std::nullopt;
  return settings_.measure->value(counts);
}

double BitRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(count_bits(column_.row(left), column_.row(right), column_.words));
}

std::uint64_t BitRowJoins::join(const BitColumn& column, std::size_t split,
                                const EachPairs& each) const {
  const BitJoinTask task{.column = &column,
                         .split = split,
                         .measure = settings_.measure,
                         .bound = settings_.bound.bound,
                         .brute = brute_,
                         .scratch = &scratch_,
                         .memory_bytes = settings_.run.memory_bytes};
  return join_bits(task, pool_, each).candidates;
}

}  // namespace sosie
