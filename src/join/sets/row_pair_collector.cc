// Expands pairs of items into pairs of rows: copies on the left when a pair is added, copies on the
// right when it is read.
#include "join/sets/row_pair_collector.h"

#include <algorithm>
#include <utility>

#include "join/pair_selection.h"

namespace sosie {
namespace {

constexpr Overlap kSame{1, 1, 1};

}  // namespace

template class SortedRecords<RowPair>;
template class PairChooser<RowPair, MoreSimilar>;

// --top and --top-pairs compare exact fractions, not rounded values.
void choose_row_pairs(const RowPairChoice& choice,
                      const std::function<void(const TakeRowPairs& take)>& find,
                      const EachPairs& each) {
  std::vector<ScoredPair> block;
  PairChooser<RowPair, MoreSimilar> chooser(
      choice.wanted, choice.order, MoreSimilar{&choice.measure}, choice.memory,
      [&](std::uint64_t count) { check_pair_limit(choice.wanted, choice.facts, count); },
      [&](std::span<const RowPair> pairs) {
        block.clear();
        for (const RowPair& pair : pairs) {
          block.push_back({pair.left, pair.right, choice.measure.shown(pair.overlap)});
        }
        each(block);
      });
  find([&](std::span<const RowPair> pairs) { chooser.add(pairs); });
  chooser.finish();
}

RowPairCollector::RowPairCollector(const Items* items, Task task)
    : items_(items),
      task_(std::move(task)),
      kept_(task_.memory.scratch, task_.memory.bytes,
            prune_unwanted<RowPair>(task_.wanted, MoreSimilar{task_.measure})) {
  if (items_ == nullptr || items_->copies.empty()) return;
  list_rows();
  if (!task_.across) add_identical();
}

void RowPairCollector::list_rows() {
  rows_.reserve(items_->rows.size() + items_->copies.size());
  row_starts_.reserve(items_->rows.size() + 1);
  row_starts_.push_back(0);
  for (Place item = 0; item < items_->size(); ++item) {
    const auto begin = static_cast<std::ptrdiff_t>(rows_.size());
    const std::span<const RowId> copies = items_->copies_of(item);
    rows_.push_back(items_->rows[item]);
    rows_.insert(rows_.end(), copies.begin(), copies.end());
    std::sort(rows_.begin() + begin, rows_.end());
    row_starts_.push_back(rows_.size());
  }
}

std::span<const RowId> RowPairCollector::rows_of(Place item) const noexcept {
  if (rows_.empty()) return {&items_->rows[item], 1};
  return {rows_.data() + row_starts_[item], rows_.data() + row_starts_[item + 1]};
}

// True if items with this overlap are a pair in this direction.
bool RowPairCollector::is_pair(const Overlap& overlap) const noexcept {
  return !task_.measure->is_ordered() || task_.measure->left_reaches(overlap, task_.threshold);
}

void RowPairCollector::add_count(std::uint64_t pairs) {
  const std::uint64_t all = count_ += pairs;
  if (task_.check) task_.check(all);
}

void RowPairCollector::add_identical() {
  for (Place item = 0; item < items_->size(); ++item) add_group(rows_of(item));
}

void RowPairCollector::add_group(std::span<const RowId> rows) {
  if (rows.size() < 2) return;
  const std::uint64_t ways = task_.measure->is_ordered() ? 2 : 1;
  add_count(ways * (rows.size() * (rows.size() - 1) / 2));
  std::vector<RowPair> out;
  add_lefts(rows, rows, kSame, out);
  hand_over(out);
}

void RowPairCollector::add(std::span<const VerifiedPair> pairs) {
  std::vector<RowPair> out;
  out.reserve(std::min(pairs.size(), kBlockPairs));
  if (rows_.empty() && !task_.across && !task_.measure->is_ordered()) {
    for (const VerifiedPair& pair : pairs) {
      const RowId left = items_->rows[pair.left];
      const RowId right = items_->rows[pair.right];
      out.push_back(left < right ? RowPair{left, right, pair.overlap}
                                 : RowPair{right, left, pair.overlap.flipped()});
    }
    add_rows(out);
    return;
  }
  for (const VerifiedPair& pair : pairs) {
    add_pair(rows_of(pair.left), rows_of(pair.right), pair.overlap, out);
  }
  hand_over(out);
}

void RowPairCollector::add_groups(std::span<const RowId> left, std::span<const RowId> right,
                                  const Overlap& overlap) {
  std::vector<RowPair> out;
  add_pair(left, right, overlap, out);
  hand_over(out);
}

void RowPairCollector::add_pair(std::span<const RowId> left, std::span<const RowId> right,
                                const Overlap& overlap, std::vector<RowPair>& out) {
  const Overlap flipped = overlap.flipped();
  const bool forth = !task_.across && is_pair(overlap);  // items of OTHER stand on the left
  const bool back = is_pair(flipped);
  const bool one_way = task_.across || !task_.measure->is_ordered();
  const std::uint64_t ways = one_way ? (back ? 1 : 0) : (forth ? 1 : 0) + (back ? 1 : 0);
  add_count(ways * left.size() * right.size());
  if (forth) add_lefts(left, right, overlap, out);
  if (back) add_lefts(right, left, flipped, out);
}

// Adds each left row that has a right row to form a pair. If items are compared, one right row
// stands for those that follow it; otherwise, as many are listed as can be wanted.
void RowPairCollector::add_lefts(std::span<const RowId> lefts, std::span<const RowId> rights,
                                 const Overlap& overlap, std::vector<RowPair>& out) {
  const bool only_later = !task_.across && !task_.measure->is_ordered();
  const std::uint64_t most_equal = task_.wanted.most_equal();
  const std::uint64_t most_rights = items_ != nullptr ? 1 : most_equal;
  std::uint64_t most_lefts = task_.wanted.top == 0 ? most_equal : ~std::uint64_t{0};
  for (const RowId row : lefts) {
    auto right = only_later ? std::upper_bound(rights.begin(), rights.end(), row) : rights.begin();
    std::uint64_t listed = 0;
    for (; right != rights.end() && listed < most_rights; ++right) {
      if (*right == row) continue;
      out.push_back({row, *right, overlap});
      ++listed;
      if (out.size() >= kBlockPairs) hand_over(out);
    }
    if (only_later && listed == 0) return;
    if (--most_lefts == 0) return;
  }
}

void RowPairCollector::hand_over(std::vector<RowPair>& pairs) {
  if (!pairs.empty()) kept_.add(pairs);
  pairs.clear();
}

void RowPairCollector::add_rows(std::span<const RowPair> pairs) {
  add_count(pairs.size());
  if (!pairs.empty()) kept_.add(pairs);
}

void RowPairCollector::finish() { kept_.finish(); }

void RowPairCollector::expand(const RowPair& kept, std::vector<RowPair>& out) const {
  const std::span<const RowId> rights = rows_of(items_->place_of[kept.right]);
  std::uint64_t most = task_.wanted.most_equal();
  for (auto right = std::lower_bound(rights.begin(), rights.end(), kept.right);
       right != rights.end() && most > 0; ++right) {
    if (*right == kept.left) continue;
    out.push_back({kept.left, *right, kept.overlap});
    --most;
  }
}

void RowPairCollector::for_each(const std::function<bool(std::span<const RowPair>)>& each) const {
  if (rows_.empty()) {
    for_each_block(kept_, each);
    return;
  }
  std::vector<RowPair> block;
  std::size_t of_left = 0;  // where the pairs of the last left row begin
  bool goes_on = true;
  const auto end_left = [&] {
    std::sort(block.begin() + static_cast<std::ptrdiff_t>(of_left), block.end(),
              [](const RowPair& a, const RowPair& b) { return a.right < b.right; });
    if (block.size() >= kBlockPairs) {
      goes_on = each(block);
      block.clear();
    }
    of_left = block.size();
  };
  kept_.for_each([&](const RowPair& kept) {
    if (of_left < block.size() && block[of_left].left != kept.left) end_left();
    if (goes_on) expand(kept, block);
    return goes_on;
  });
  if (goes_on) end_left();
  if (goes_on && !block.empty()) each(block);
}

}  // namespace sosie
