#include "pipeline/sets/pair_rows.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sosie {
namespace {

constexpr Overlap kSame{1, 1, 1};

}  // namespace

SpilledPairs::SpilledPairs(bool across, Scratch& scratch, const MemoryBudget& budget)
    : across_(across),
      sorted_(scratch, budget.sorts() / 2),
      in_order_(scratch, sizeof(RowPair), kLargePage) {}

void SpilledPairs::add(RowId left, RowId right, const Overlap& overlap) {
  const bool swapped = !across_ && left > right;
  if (swapped) std::swap(left, right);
  sorted_.add({std::uint64_t{left} << 32 | right, swapped ? overlap.flipped() : overlap});
}

void SpilledPairs::add_with_copies(const RowPair& pair, const SpilledCopies& copies) {
  const auto add_left = [&](RowId left) {
    add(left, pair.right, pair.overlap);
    copies.for_each_copy(pair.right, [&](RowId right) { add(left, right, pair.overlap); });
  };
  add_left(pair.left);
  copies.for_each_copy(pair.left, add_left);
}

void SpilledPairs::add_copies_of(RowId row, const SpilledCopies& copies) {
  copies.for_each_copy(row, [&](RowId left) {
    add(row, left, kSame);
    copies.for_each_copy(row, [&](RowId right) {
      if (left < right) add(left, right, kSame);
    });
  });
}

void SpilledPairs::finish() {
  sorted_.drain([&](const Keyed& pair) {
    const RowPair row_pair{static_cast<RowId>(pair.key >> 32), static_cast<RowId>(pair.key),
                           pair.overlap};
    in_order_.append(&row_pair, 1);
  });
  in_order_.finish();
}

PairRows::PairRows(const Corpus& corpus, const Items& items, const Settings& settings, bool across,
                   FoundPairs pairs)
    : corpus_(&corpus),
      items_(&items),
      settings_(&settings),
      across_(across),
      pairs_(std::move(pairs)) {
  count_pairs();
  if (!pairs_.spilled) list_by_item();
}

void PairRows::list_by_item() {
  const std::vector<VerifiedPair>& pairs = pairs_.pairs;
  starts_.assign(std::size_t{items_->size()} + 1, 0);
  for (const VerifiedPair& pair : pairs) {
    ++starts_[pair.left + 1];
    ++starts_[pair.right + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  by_item_.resize(2 * pairs.size());
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    by_item_[next[pairs[i].left]++] = i;
    by_item_[next[pairs[i].right]++] = i;
  }
}

PairRows::PairRows(std::unique_ptr<SpilledPairs> spilled)
    : count_(spilled->in_order().size()), spilled_(std::move(spilled)) {}

// Whether items with this overlap are a pair this way round.
bool PairRows::is_pair(const Overlap& overlap) const noexcept {
  const Measure& measure = *settings_->measure;
  return !measure.is_ordered() || measure.left_reaches(overlap, settings_->threshold);
}

void PairRows::count_pairs() {
  const bool both_ways = settings_->measure->is_ordered() && !across_;
  const auto rows_of = [&](Place p) { return items_->copies_of(p).size() + 1; };
  pairs_.source()([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      std::uint64_t ways = is_pair(pair.overlap.flipped()) ? 1 : 0;
      if (both_ways && is_pair(pair.overlap)) ++ways;
      count_ += ways * rows_of(pair.left) * rows_of(pair.right);
    }
  });
  for (Place p = 0; p < items_->size() && !across_; ++p) {
    count_ += rows_of(p) * (rows_of(p) - 1) / (both_ways ? 1 : 2);
  }
}

void PairRows::append(RowId left, Place place, const Overlap& overlap,
                      std::vector<RowPair>& out) const {
  if (!is_pair(overlap)) return;
  const bool both_ways = across_ || settings_->measure->is_ordered();
  const auto add = [&](RowId right) {
    if (right > left || (both_ways && right != left)) out.push_back({left, right, overlap});
  };
  add(items_->rows[place]);
  for (const RowId copy : items_->copies_of(place)) add(copy);
}

void PairRows::append_listed(RowId left, Place place, std::vector<RowPair>& out) const {
  for (std::uint64_t i = starts_[place]; i < starts_[place + 1]; ++i) {
    const VerifiedPair& pair = pairs_.pairs[by_item_[i]];
    if (pair.left == place) append(left, pair.right, pair.overlap, out);
    if (pair.right == place) append(left, pair.left, pair.overlap.flipped(), out);
  }
}

void PairRows::for_each_left(const std::function<bool(std::span<const RowPair>)>& each) const {
  if (spilled_) {
    for_each_spilled_left(each);
    return;
  }
  std::optional<SpilledNeighbours::Reader> in_scratch;
  if (pairs_.spilled) in_scratch.emplace(*pairs_.spilled);
  std::vector<RowPair> found;
  for (RowId left = corpus_->first_own_row; left < corpus_->rows; ++left) {
    const Place place = items_->place_of[left];
    if (place == kNoPlace) continue;
    found.clear();
    if (!across_) append(left, place, kSame, found);
    if (in_scratch) {
      in_scratch->for_each(place, [&](const Neighbour& neighbour) {
        append(left, neighbour.item, neighbour.overlap, found);
      });
    } else {
      append_listed(left, place, found);
    }
    if (found.empty()) continue;
    std::sort(found.begin(), found.end(),
              [](const RowPair& a, const RowPair& b) { return a.right < b.right; });
    if (!each(found)) return;
  }
}

void PairRows::for_each_spilled_left(
    const std::function<bool(std::span<const RowPair>)>& each) const {
  ColumnReader<RowPair> pairs(spilled_->in_order());
  std::vector<RowPair> found;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const RowPair& pair = pairs[i];
    if (!found.empty() && found.front().left != pair.left) {
      if (!each(found)) return;
      found.clear();
    }
    found.push_back(pair);
  }
  if (!found.empty()) each(found);
}

}  // namespace sosie
