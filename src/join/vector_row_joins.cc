#include "join/vector_row_joins.h"

#include <utility>
#include <vector>

#include "join/vector_join.h"

namespace sosie {

namespace {

// Rows as those of the collection that they are in.
class PlacedRows {
 public:
  PlacedRows(const JoinedRows& all, std::span<const RowId> rows) {
    const std::size_t own = all.own.size();
    if (rows.empty() || rows.front() < own) {
      vectors_ = some_of(*all.own.column, all.own.squares, rows);
      return;
    }
    in_behind_.assign(rows.begin(), rows.end());
    for (RowId& row : in_behind_) row -= static_cast<RowId>(own);
    vectors_ = some_of(*all.behind->column, all.behind->squares, in_behind_);
  }

  [[nodiscard]] const VectorSubset& vectors() const noexcept { return vectors_; }

 private:
  std::vector<RowId> in_behind_;
  VectorSubset vectors_;
};

}  // namespace

VectorRowJoins::VectorRowJoins(const JoinedRows& rows, const VectorSettings& settings,
                               const How& how, ThreadPool& pool, Scratch& scratch)
    : rows_(rows), settings_(settings), how_(how), pool_(pool), scratch_(scratch) {}

std::uint64_t VectorRowJoins::between(std::span<const RowId> lefts, std::span<const RowId> rights,
                                      const EachPairs& each) const {
  return join(lefts, rights, each);
}

std::uint64_t VectorRowJoins::within(std::span<const RowId> rows, const EachPairs& each) const {
  return join(rows, std::nullopt, each);
}

std::uint64_t VectorRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const {
  if (split == 0) return within(rows, each);
  return between(rows.first(split), rows.subspan(split), counted_from_lefts(split, each));
}

std::optional<double> VectorRowJoins::measure(RowId left, RowId right) const {
  const VectorSums between = sums(left, right);
  if (!settings_.measure->reaches(between, settings_.bound.bound,
                                  has_integer_sums(*rows_.own.column))) {
    return std::nullopt;
  }
  return settings_.measure->value(between);
}

double VectorRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(sums(left, right));
}

VectorSums VectorRowJoins::sums(RowId left, RowId right) const {
  const std::size_t own = rows_.own.size();
  const auto place = [&](RowId row) {
    return row < own ? std::pair{&rows_.own, std::size_t{row}}
                     : std::pair{&*rows_.behind, row - own};
  };
  const auto [left_side, left_row] = place(left);
  const auto [right_side, right_row] = place(right);
  VectorSums sums = sums_between(*settings_.measure, *left_side->column, left_row,
                                 *right_side->column, right_row);
  sums.left_square = left_side->square(left_row);
  sums.right_square = right_side->square(right_row);
  return sums;
}

std::uint64_t VectorRowJoins::join(std::span<const RowId> lefts,
                                   std::optional<std::span<const RowId>> rights,
                                   const EachPairs& each) const {
  const PlacedRows left(rows_, lefts);
  std::optional<PlacedRows> right;
  if (rights) right.emplace(rows_, *rights);
  VectorJoinTask task{.left = left.vectors(),
                      .right = right ? std::optional(right->vectors()) : std::nullopt,
                      .measure = &*settings_.measure,
                      .bound = settings_.bound.bound,
                      .filter = how_.filter,
                      .scratch = &scratch_,
                      .room = how_.room};
  estimate_pairs(task, settings_.run.seed, pool_);
  return join_vectors(task, pool_, {}, each).candidates;
}

}  // namespace sosie
