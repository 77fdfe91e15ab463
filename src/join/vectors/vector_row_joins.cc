// Exact joins of some rows of a column of vectors.
#include "join/vectors/vector_row_joins.h"

#include <utility>
#include <vector>

#include "join/vectors/vector_join.h"

namespace sosie {

VectorRowJoins::VectorRowJoins(const VectorSubset& rows, const VectorSettings& settings,
                               const How& how, ThreadPool& pool, Scratch& scratch)
    : rows_(rows), settings_(settings), how_(how), pool_(pool), scratch_(scratch) {}

std::uint64_t VectorRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const {
  const auto some = [this](std::span<const RowId> of) {
    return some_of(*rows_.column, rows_.squares, of);
  };
  const bool is_self = split == 0;
  VectorJoinTask task{.left = some(is_self ? rows : rows.first(split)),
                      .right = is_self ? std::nullopt : std::optional(some(rows.subspan(split))),
                      .measure = &*settings_.measure,
                      .bound = settings_.bound.bound,
                      .filter = how_.filter,
                      .scratch = &scratch_,
                      .memory_share = how_.memory_share};
  estimate_pairs(task, settings_.run.seed, pool_);
  const auto past_lefts = static_cast<RowId>(split);
  return join_vectors(task, pool_, {}, shifted(0, past_lefts, each)).candidates;
}

std::optional<double> VectorRowJoins::measure(RowId left, RowId right) const {
  const VectorSums between = sums(left, right);
  if (!settings_.measure->reaches(between, settings_.bound.bound,
                                  has_integer_sums(*rows_.column))) {
    return std::nullopt;
  }
  return settings_.measure->value(between);
}

double VectorRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(sums(left, right));
}

VectorSums VectorRowJoins::sums(RowId left, RowId right) const {
  VectorSums sums = sums_between(*settings_.measure, *rows_.column, left, *rows_.column, right);
  sums.left_square = rows_.squares[left];
  sums.right_square = rows_.squares[right];
  return sums;
}

}  // namespace sosie
