#include "pipeline/measured/vector_row_joins.h"

#include <utility>
#include <vector>

#include "pipeline/measured/vector_items.h"
#include "pipeline/measured/vector_join.h"

namespace sosie {

VectorRowJoins::VectorRowJoins(const VectorColumn& column, const VectorColumn* behind,
                               const VectorSettings& settings, bool filter, ThreadPool& pool,
                               Scratch& scratch)
    : column_(column),
      behind_(behind),
      settings_(settings),
      filter_(filter),
      pool_(pool),
      scratch_(scratch) {}

std::uint64_t VectorRowJoins::between(std::span<const RowId> lefts, std::span<const RowId> rights,
                                      const EachPairs& each) const {
  const VectorColumn left = take(lefts);
  const VectorColumn right = take(rights);
  return join(left, &right, each);
}

std::uint64_t VectorRowJoins::within(std::span<const RowId> rows, const EachPairs& each) const {
  return join(take(rows), nullptr, each);
}

std::uint64_t VectorRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const {
  if (split == 0) return within(rows, each);
  return between(rows.first(split), rows.subspan(split), counted_from_lefts(split, each));
}

std::optional<double> VectorRowJoins::measure(RowId left, RowId right) const {
  const VectorSums between = sums(left, right);
  if (!settings_.measure->reaches(between, settings_.bound.bound, has_integer_sums(column_))) {
    return std::nullopt;
  }
  return settings_.measure->value(between);
}

double VectorRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(sums(left, right));
}

VectorSums VectorRowJoins::sums(RowId left, RowId right) const {
  const auto place = [this](RowId row) {
    return row < column_.rows ? std::pair{&column_, std::size_t{row}}
                              : std::pair{behind_, row - column_.rows};
  };
  const auto [left_column, left_row] = place(left);
  const auto [right_column, right_row] = place(right);
  VectorSums sums =
      sums_between(*settings_.measure, *left_column, left_row, *right_column, right_row);
  sums.left_square = squared_length(*left_column, left_row);
  sums.right_square = squared_length(*right_column, right_row);
  return sums;
}

VectorColumn VectorRowJoins::take(std::span<const RowId> rows) const {
  if (behind_ == nullptr || rows.empty() || rows.front() < column_.rows) {
    return take_rows(column_, rows);
  }
  std::vector<RowId> in_behind(rows.begin(), rows.end());
  for (RowId& row : in_behind) row -= static_cast<RowId>(column_.rows);
  return take_rows(*behind_, in_behind);
}

std::uint64_t VectorRowJoins::join(const VectorColumn& left, const VectorColumn* right,
                                   const EachPairs& each) const {
  VectorJoinTask task{.left = &left,
                      .right = right,
                      .measure = &*settings_.measure,
                      .bound = settings_.bound.bound,
                      .filter = filter_,
                      .scratch = &scratch_};
  bound_memory(task, settings_.run, pool_);
  return join_vectors(task, pool_, {}, each).candidates;
}

}  // namespace sosie
