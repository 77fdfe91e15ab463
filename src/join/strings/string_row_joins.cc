// Joins listed strings, and compares individual pairs of strings.
#include "join/strings/string_row_joins.h"

#include <algorithm>

#include "core/mix64.h"
#include "join/strings/string_join.h"

namespace sosie {
namespace {

StringColumn take_rows(const StringColumn& column, std::span<const RowId> rows) {
  StringColumn some{column.width, column.alphabet, {0}, {}};
  some.starts.reserve(rows.size() + 1);
  for (const RowId row : rows) some.starts.push_back(some.starts.back() + column.length(row));
  some.symbols.reserve(some.starts.back() * some.width);
  for (const RowId row : rows) {
    const std::string_view bytes = column.row(row).bytes();
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    some.symbols.insert(some.symbols.end(), begin, begin + bytes.size());
  }
  return some;
}

}  // namespace

StringRowJoins::StringRowJoins(const StringColumn& column, const StringRowRules& rules,
                               ThreadPool& pool, Scratch& scratch)
    : column_(column), rules_(rules), pool_(pool), scratch_(scratch) {}

std::uint64_t StringRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const {
  const StringColumn column = take_rows(column_, rows);
  const auto end = static_cast<RowId>(rows.size());
  const auto lefts = static_cast<RowId>(split);
  const StringJoinTask task{
      .column = &column,
      .sides = split == 0 ? JoinSides{{0, end}} : JoinSides{{0, lefts}, RowRange{lefts, end}},
      .bound = rules_.bound,
      .brute = rules_.brute,
      .scratch = &scratch_,
      .memory_bytes = rules_.memory_bytes};
  return join_strings(task, pool_, each).candidates;
}

std::optional<double> StringRowJoins::measure(RowId left, RowId right) const {
  const std::uint32_t x = column_.length(left);
  const std::uint32_t y = column_.length(right);
  const std::uint32_t most = rules_.bound.most_edits(x, y);
  EditPattern pattern(rules_.bound.measure, column_.alphabet, &pool_);
  pattern.set(column_.row(left));
  const std::uint32_t distance = pattern.distance(column_.row(right), most);
  if (distance > most) return std::nullopt;
  return rules_.bound.value(x, y, distance);
}

double StringRowJoins::value(RowId left, RowId right) const {
  if (const auto near = measure(left, right)) return *near;  // costs little where the bound does
  EditPattern pattern(rules_.bound.measure, column_.alphabet, &pool_);
  pattern.set(column_.row(left));
  return rules_.bound.value(column_.length(left), column_.length(right),
                            pattern.distance(column_.row(right), ~0U));
}

double StringRowJoins::value_seconds(RowId left, RowId right) const noexcept {
  constexpr double kCellSeconds = 2e-9;
  constexpr double kCellsOfWord = 64;
  const bool by_words = rules_.bound.measure != EditMeasure::damerau;
  const double cells = static_cast<double>(column_.length(left)) * column_.length(right);
  return cells / (by_words ? kCellsOfWord : 1) * kCellSeconds;
}

double StringRowJoins::sampled_share(const JoinSides& sides, std::uint64_t seed) const {
  constexpr std::uint64_t kDrawnPairs = std::uint64_t{1} << 14;
  constexpr std::uint64_t kMostSymbols = std::uint64_t{1} << 28;  // symbols of drawn pairs
  const RowRange rights = sides.right.value_or(sides.left);
  if (sides.is_nothing()) return 0;
  EditPattern pattern(rules_.bound.measure, column_.alphabet, &pool_);
  std::uint64_t drawn = 0;
  std::uint64_t found = 0;
  for (std::uint64_t symbols = 0; drawn < kDrawnPairs && symbols < kMostSymbols; ++drawn) {
    const std::uint64_t left = sides.left.begin + random64(seed, 2 * drawn) % sides.left.size();
    const std::uint64_t right = rights.begin + random64(seed, 2 * drawn + 1) % rights.size();
    const std::uint32_t x = column_.length(left);
    const std::uint32_t y = column_.length(right);
    const std::uint32_t most = rules_.bound.most_edits(x, y);
    symbols += (std::uint64_t{x} + y) * (std::min(most, std::max(x, y)) / 64 + 1);
    if (sides.is_self() && left == right) continue;
    pattern.set(column_.row(left));
    found += pattern.distance(column_.row(right), most) <= most ? 1U : 0U;
  }
  return static_cast<double>(found) / static_cast<double>(drawn);
}

std::uint64_t StringRowJoins::least_pairs(const JoinSides& sides) const {
  if (rules_.bound.by_similarity) return 0;
  const bool replaces = rules_.bound.measure != EditMeasure::indel;
  const std::uint32_t longest = rules_.bound.within / (replaces ? 1 : 2);
  const auto short_rows = [&](const RowRange& rows) {
    std::uint64_t count = 0;
    for (RowId row = rows.begin; row < rows.end; ++row) {
      count += column_.length(row) <= longest ? 1U : 0U;
    }
    return count;
  };
  const std::uint64_t lefts = short_rows(sides.left);
  if (sides.right) return lefts * short_rows(*sides.right);
  return lefts == 0 ? 0 : lefts * (lefts - 1) / 2;
}

}  // namespace sosie
