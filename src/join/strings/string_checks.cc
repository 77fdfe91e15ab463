// Measures candidate pairs of strings.
#include "join/strings/string_checks.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "join/pair_selection.h"
#include "join/strings/string_levels.h"
#include "verify/distance_by_diagonals.h"
#include "verify/few_edits.h"

namespace sosie {
namespace {}  // namespace

StringChecks::StringChecks(const OrderedStrings& strings, const EditBound& bound,
                           const ThreadPool& pool, Each each)
    : strings_(strings),
      bound_(bound),
      each_(std::move(each)),
      pattern_(bound.measure, strings.column.alphabet, &pool) {}

std::uint32_t StringChecks::near_distance(EditMeasure measure, std::uint32_t item,
                                          std::uint32_t other, std::uint32_t most) const {
  const SymbolSpan x = strings_.column.row(item);
  const SymbolSpan y = strings_.column.row(other);
  return most <= kMostFewEdits ? few_edits(measure, x, y, most, ReadBehind::yes)
                               : distance_by_diagonals(measure, x, y, most);
}

// Returns a number above most_ if the strings are not a pair.
std::uint32_t StringChecks::distance(std::uint32_t item, std::uint32_t other) {
  const std::uint32_t x = strings_.column.length(item);
  const std::uint32_t y = strings_.column.length(other);
  const std::uint32_t longer_by = std::max(x, y) - std::min(x, y);
  most_ = bound_.most_edits(x, y);
  if (longer_by > most_) return most_ + 1;
  const auto bits = static_cast<std::uint32_t>(
      std::popcount(strings_.signatures[item] ^ strings_.signatures[other]));
  if (bits > most_bits(bound_.measure, most_, longer_by)) return most_ + 1;
  ++pairs_measured_;
  if (bound_.measure != EditMeasure::damerau && most_ <= kMostDiagonalEdits) {
    return near_distance(bound_.measure, item, other, most_);
  }
  if (pattern_item_ != item) {
    pattern_.set(strings_.column.row(item));
    pattern_item_ = item;
  }
  return pattern_.distance(strings_.column.row(other), most_);
}

void StringChecks::check(std::uint32_t item, std::span<const std::uint32_t> others) {
  for (const std::uint32_t other : others) {
    const std::uint32_t found = distance(item, other);
    if (found <= most_) add(item, other, found);
  }
}

void StringChecks::check_deletions(std::uint32_t item, std::span<const std::uint32_t> others,
                                   std::uint32_t below, std::uint32_t level) {
  const std::uint32_t x = strings_.column.length(item);
  for (const std::uint32_t other : others) {
    const std::uint32_t y = strings_.column.length(other);
    if (std::min(x, y) >= below) continue;
    const std::uint32_t found = distance(item, other);
    if (found > most_) continue;
    // Without replacements, the distance determines the number of deletions that the pair needs.
    const std::uint32_t deleted = x + y - 2 * level;
    const bool is_sooner =
        std::min(x, y) > level && deleted - 2 <= kMostDiagonalEdits &&
        near_distance(EditMeasure::indel, item, other, deleted - 2) <= deleted - 2;
    if (!is_sooner) add(item, other, found);
  }
}

void StringChecks::add_copies(std::uint32_t item) {
  const std::span<const RowId> rows = strings_.rows_of(item);
  const std::uint32_t length = strings_.column.length(item);
  const double value = bound_.value(length, length, 0);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) add_pair(rows[i], rows[i + 1], value);
}

void StringChecks::add(std::uint32_t item, std::uint32_t other, std::uint32_t distance) {
  const double value =
      bound_.value(strings_.column.length(item), strings_.column.length(other), distance);
  if (strings_.across && !strings_.is_left(item)) std::swap(item, other);
  add_lefts(strings_.rows_of(item), strings_.rows_of(other), value);
  if (!strings_.across) add_lefts(strings_.rows_of(other), strings_.rows_of(item), value);
}

void StringChecks::add_lefts(std::span<const RowId> lefts, std::span<const RowId> rights,
                             double value) {
  auto right = rights.begin();
  for (const RowId left : lefts) {
    while (!strings_.across && right != rights.end() && *right < left) ++right;
    if (right == rights.end()) return;
    add_pair(left, *right, value);
  }
}

void StringChecks::add_pair(RowId left, RowId right, double value) {
  found_.push_back({left, right, value});
  if (found_.size() < kBlockPairs) return;
  each_(found_);
  found_.clear();
}

void StringChecks::finish() {
  if (!found_.empty()) each_(found_);
  found_.clear();
}

}  // namespace sosie
