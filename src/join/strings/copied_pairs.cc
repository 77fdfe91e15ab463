// Pairs of equal strings, made when they are handed on.
#include "join/strings/copied_pairs.h"

#include <algorithm>

namespace sosie {

std::vector<RowId> next_copies(const OrderedStrings& strings, std::size_t column_rows) {
  std::vector<RowId> next;
  if (strings.size() == strings.rows.size()) return next;
  next.assign(column_rows, kNoRow);
  for (std::uint32_t item = 0; item < strings.size(); ++item) {
    const std::span<const RowId> rows = strings.rows_of(item);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) next[rows[i]] = rows[i + 1];
  }
  return next;
}

void CopiedPairs::add(const ScoredPair& found) {
  hand_over_before(found.left == left_ ? found.right : kNoRow);
  left_ = found.left;
  hand_over({found.right, most_, found.value});
}

void CopiedPairs::hand_over_before(RowId right) {
  const auto is_later = [](const Waiting& a, const Waiting& b) { return a.right > b.right; };
  while (!waiting_.empty() && waiting_.front().right < right) {
    std::pop_heap(waiting_.begin(), waiting_.end(), is_later);
    const Waiting pair = waiting_.back();
    waiting_.pop_back();
    hand_over(pair);
  }
}

void CopiedPairs::hand_over(const Waiting& pair) {
  each_({left_, pair.right, pair.value});
  if (next_.empty() || next_[pair.right] == kNoRow || pair.most <= 1) return;
  waiting_.push_back({next_[pair.right], pair.most - 1, pair.value});
  std::push_heap(waiting_.begin(), waiting_.end(),
                 [](const Waiting& a, const Waiting& b) { return a.right > b.right; });
}

std::uint64_t CopiedPairs::count(std::span<const RowId> next, const ScoredPair& found,
                                 std::uint64_t enough) noexcept {
  std::uint64_t pairs = 1;
  if (next.empty()) return pairs;
  for (RowId right = next[found.right]; right != kNoRow && pairs < enough; right = next[right]) {
    ++pairs;
  }
  return pairs;
}

}  // namespace sosie
