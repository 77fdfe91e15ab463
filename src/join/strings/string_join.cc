// Joins of strings by edit distance.
#include "join/strings/string_join.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "candidates/ordered_strings.h"
#include "core/memory_budget.h"
#include "join/pair_selection.h"
#include "join/strings/string_checks.h"
#include "join/strings/string_levels.h"
#include "kernels/near_signatures.h"

namespace sosie {
namespace {

// Generates all pairs from found pairs, each of which stands for its left row combined with its
// right row and the later copies of that. The found pairs thus grow with the rows, not with the
// products.
class CopiedPairs {
 public:
  using Each = std::function<void(const ScoredPair& pair)>;

  // `next`: from next_copies(), must outlive this object. `most`: maximum number of pairs wanted
  // from a found pair.
  CopiedPairs(std::span<const RowId> next, std::uint64_t most, Each each)
      : next_(next), most_(most), each_(std::move(each)) {}

  // Found pairs must be added in (left, right) order without repetitions; all pairs are passed on
  // sorted. O(log copied strings) time per pair.
  void add(const ScoredPair& found);
  // Call after the last add().
  void finish() { hand_over_before(kNoRow); }

  // Number of pairs for which a found pair stands, counted up to `enough`.
  [[nodiscard]] static std::uint64_t count(std::span<const RowId> next, const ScoredPair& found,
                                           std::uint64_t enough) noexcept;

 private:
  // The next pair of a found pair, and how many more may follow.
  struct Waiting {
    RowId right;
    std::uint64_t most;
    double value;
  };

  void hand_over_before(RowId right);
  void hand_over(const Waiting& pair);

  std::span<const RowId> next_;
  std::uint64_t most_;
  Each each_;
  RowId left_ = kNoRow;
  std::vector<Waiting> waiting_;  // pairs of left_: a heap, the least right row in front
};

// For each row of a column: the next row on the same side with an equal string, or kNoRow. Empty if
// neither side has two equal strings. O(rows) time, 4 bytes per row.
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

constexpr std::size_t kScanRows = 64;        // left rows of a task
constexpr std::size_t kScannedItems = 4096;  // that these are compared with at a time

bool is_same_pair(const ScoredPair& a, const ScoredPair& b) noexcept {
  return a.left == b.left && a.right == b.right;
}

// Removes repeated pairs before pruning.
SortedPairs<ScoredPair>::Prune prune_different(SortedPairs<ScoredPair>::Prune prune) {
  if (!prune) return {};
  return [prune = std::move(prune)](std::vector<ScoredPair>& sorted) {
    sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same_pair), sorted.end());
    prune(sorted);
  };
}

// Measures every pair, in row order.
class BruteStrings {
 public:
  BruteStrings(const StringJoinTask& task, ThreadPool& pool,
               const std::function<void(std::vector<ScoredPair>&)>& each)
      : task_(task), column_(*task.column), pool_(pool), each_(each) {}

  std::uint64_t run() {
    const std::size_t first = task_.sides.left.begin;
    const std::size_t past = task_.sides.left.end;
    const std::size_t tasks = (past - first + kScanRows - 1) / kScanRows;
    pool_.for_each(tasks, [&](unsigned /*worker*/, std::size_t i) {
      EditPattern pattern(task_.bound.measure, column_.alphabet, &pool_);
      std::vector<ScoredPair> found;
      const std::size_t end = std::min(past, first + (i + 1) * kScanRows);
      for (std::size_t left = first + i * kScanRows; left < end; ++left) {
        pool_.check_cancelled();
        scan_row(static_cast<RowId>(left), pattern, found);
      }
      if (!found.empty()) each_(found);
    });
    return candidates_;
  }

 private:
  void scan_row(RowId left, EditPattern& pattern, std::vector<ScoredPair>& found) {
    const RowId first = task_.sides.right ? task_.sides.right->begin : left + 1;
    const RowId past = task_.sides.right.value_or(task_.sides.left).end;
    const std::uint32_t x = column_.length(left);
    pattern.set(column_.row(left));
    for (RowId right = first; right < past; ++right) {
      const std::uint32_t y = column_.length(right);
      const std::uint32_t most = task_.bound.most_edits(x, y);
      const std::uint32_t distance = pattern.distance(column_.row(right), most);
      if (distance > most) continue;
      found.push_back({left, right, task_.bound.value(x, y, distance)});
      if (found.size() < kBlockPairs) continue;
      each_(found);
      found.clear();
    }
    if (first < past) candidates_ += past - first;
  }

  const StringJoinTask& task_;
  const StringColumn& column_;
  ThreadPool& pool_;
  const std::function<void(std::vector<ScoredPair>&)>& each_;
  std::atomic<std::uint64_t> candidates_ = 0;
};

// Finds pairs through the keys that similar strings share, level by level.
class KeyedStrings {
 public:
  KeyedStrings(const StringJoinTask& task, std::uint32_t segments_from, ThreadPool& pool,
               const std::function<void(std::vector<ScoredPair>&)>& each)
      : task_(task),
        segments_from_(segments_from),
        pool_(pool),
        strings_(order_strings(*task.column, {task.sides.left.begin, task.sides.left.end},
                               task.sides.right
                                   ? ItemRange{task.sides.right->begin, task.sides.right->end}
                                   : ItemRange{})),
        lengths_(lengths_of(strings_)) {
    for (unsigned worker = 0; worker < pool.size(); ++worker) {
      checks_.push_back(std::make_unique<StringChecks>(strings_, task.bound, pool, each));
    }
    key_bytes_ = bytes_of_keys(task.memory_bytes);
  }

  std::uint64_t run() {
    if (!strings_.across) add_copies();
    const StringKeys keys(strings_);
    for (StringLevel& level : deletion_levels(lengths_, task_.bound, segments_from_)) {
      find(keys, {std::move(level.jobs), level.edits},
           [&](StringChecks& checks, std::uint32_t item, std::span<const std::uint32_t> others) {
             checks.check_deletions(item, others, segments_from_, level.length);
           });
    }
    find_segments(keys);
    std::uint64_t measured = 0;
    for (const auto& checks : checks_) {
      checks->finish();
      measured += checks->measured();
    }
    return measured;
  }

  [[nodiscard]] std::vector<RowId> next_copies() const {
    return sosie::next_copies(strings_, task_.column->rows());
  }

 private:
  struct Pass {
    std::vector<KeyJob> jobs{};
    std::uint32_t edits = 0;
    double keys = 0;
  };

  void add_copies() {
    std::uint64_t pairs = 0;
    for (std::uint32_t item = 0; item < strings_.size(); ++item) {
      const std::uint64_t rows = strings_.rows_of(item).size();
      pairs += rows * (rows - 1) / 2;
    }
    check_pair_limit({.limit = task_.limit}, task_.facts, pairs);
    const std::size_t tasks = (strings_.size() + kScannedItems - 1) / kScannedItems;
    pool_.for_each(tasks, [&](unsigned worker, std::size_t i) {
      pool_.check_cancelled();
      const std::size_t end = std::min<std::size_t>(strings_.size(), (i + 1) * kScannedItems);
      for (std::size_t item = i * kScannedItems; item < end; ++item) {
        checks_[worker]->add_copies(static_cast<std::uint32_t>(item));
      }
    });
  }

  template <class Check>
  void find(const StringKeys& keys, Pass pass, const Check& check) {
    const StringGroups groups{.strings = &strings_,
                              .keys = &keys,
                              .jobs = std::move(pass.jobs),
                              .most_bits = most_bits(task_.bound.measure, pass.edits, 0),
                              .most_bytes = key_bytes_};
    (void)find_string_candidates(
        groups, pool_,
        [&](unsigned worker, std::uint32_t item, std::span<const std::uint32_t> others) {
          check(*checks_[worker], item, others);
        });
  }

  // The keys of several levels are generated together if they fit in memory.
  void find_segments(const StringKeys& keys) {
    const auto check = [](StringChecks& checks, std::uint32_t item,
                          std::span<const std::uint32_t> others) { checks.check(item, others); };
    Pass pass;
    std::vector<StringLevel> levels = segment_levels(lengths_, task_.bound, segments_from_);
    cut_where_strings_differ(strings_.column, levels);
    for (StringLevel& level : levels) {
      if (level.jobs.empty()) {
        scan(level);
        continue;
      }
      if ((pass.keys + level.keys) * sizeof(std::uint64_t) > static_cast<double>(key_bytes_)) {
        find(keys, std::exchange(pass, {}), check);
      }
      pass.jobs.insert(pass.jobs.end(), level.jobs.begin(), level.jobs.end());
      pass.edits = std::max(pass.edits, level.edits);
      pass.keys += level.keys;
    }
    find(keys, std::move(pass), check);
  }

  // Items with lengths in a range, on the left side (or the only one), or on the right side.
  [[nodiscard]] ItemRange items_of(bool left, std::uint64_t least, std::uint64_t most) const {
    const std::uint32_t begin = left ? 0 : strings_.split;
    std::vector<std::uint32_t> bounds;
    for (const std::uint64_t length : {least, most + 1}) {
      std::uint32_t low = begin;
      std::uint32_t high = left ? strings_.split : strings_.size();
      while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (strings_.column.length(middle) < length) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      bounds.push_back(low);
    }
    return {bounds[0], bounds[1]};
  }

  // Finds all pairs of a level.
  void scan(const StringLevel& level) {
    const std::uint64_t longest = reach_of(task_.bound, level.length).longest;
    const bool is_self = !strings_.across;
    scan_items(level, items_of(true, level.length, level.length),
               items_of(is_self, level.length, longest));
    if (!is_self) {
      scan_items(level, items_of(false, level.length, level.length),
                 items_of(true, std::uint64_t{level.length} + 1, longest));
    }
  }

  void scan_items(const StringLevel& level, const ItemRange& items, const ItemRange& others) {
    if (others.begin >= others.end) return;
    const std::size_t tasks = (items.end - items.begin + kScanRows - 1) / kScanRows;
    pool_.for_each(tasks, [&](unsigned worker, std::size_t i) {
      const auto begin = static_cast<std::uint32_t>(items.begin + i * kScanRows);
      const std::uint32_t end = std::min<std::uint32_t>(items.end, begin + kScanRows);
      for (std::uint32_t at = others.begin; at < others.end; at += kScannedItems) {
        pool_.check_cancelled();
        for (std::uint32_t item = begin; item < end; ++item) {
          const std::uint32_t first = strings_.across ? at : std::max(at, item + 1);
          scan_item(*checks_[worker], level, item,
                    {first, std::min<std::uint32_t>(others.end, at + kScannedItems)});
        }
      }
    });
  }

  void scan_item(StringChecks& checks, const StringLevel& level, std::uint32_t item,
                 const ItemRange& others) {
    if (others.begin >= others.end) return;
    std::array<std::uint32_t, kScannedItems> near;
    const std::size_t count = kernels::near_signatures(
        strings_.signatures[item], strings_.signatures.data() + others.begin,
        others.end - others.begin, most_bits(task_.bound.measure, level.edits, 0), near.data());
    for (std::size_t n = 0; n < count; ++n) near[n] += others.begin;
    checks.check(item, std::span(near).first(count));
  }

  const StringJoinTask& task_;
  std::uint32_t segments_from_;
  ThreadPool& pool_;
  OrderedStrings strings_;
  std::vector<LengthRange> lengths_;
  std::vector<std::unique_ptr<StringChecks>> checks_;  // by worker
  std::uint64_t key_bytes_;
};

class StringPairs {
 public:
  StringPairs(const StringJoinTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        found_(*task.scratch, MemoryBudget{task.memory_bytes}.sorts(),
               prune_different(task.prune)) {}

  StringJoinCounts run(const EachPairs& each) {
    const StringJoinPlan plan = task_.plan ? *task_.plan : plan_join(task_);
    const std::function<void(std::vector<ScoredPair>&)> add =
        [this](std::vector<ScoredPair>& pairs) { found_.add(pairs); };
    const std::uint64_t candidates =
        plan.brute ? BruteStrings(task_, pool_, add).run() : find_by_keys(plan, add);
    found_.finish();
    check_limit();
    hand_over(each);
    return {candidates};
  }

 private:
  std::uint64_t find_by_keys(const StringJoinPlan& plan,
                             const std::function<void(std::vector<ScoredPair>&)>& add) {
    KeyedStrings strings(task_, plan.segments_from, pool_, add);
    const std::uint64_t candidates = strings.run();
    next_copies_ = strings.next_copies();
    return candidates;
  }

  // Counts each pair once, even if it was found several times.
  void check_limit() const {
    if (task_.limit == 0) return;
    std::uint64_t count = 0;
    for_each_different([&](const ScoredPair& pair) {
      count += CopiedPairs::count(next_copies_, pair, task_.limit - count + 1);
      return count <= task_.limit;
    });
    check_pair_limit({.limit = task_.limit}, task_.facts, count);
  }

  // Stops when each(pair) returns false.
  template <class Each>
  void for_each_different(const Each& each) const {
    ScoredPair last{kNoRow, kNoRow, 0};
    found_.for_each([&](const ScoredPair& pair) {
      if (is_same_pair(pair, last)) return true;
      last = pair;
      return each(pair);
    });
  }

  void hand_over(const EachPairs& each) const {
    std::vector<ScoredPair> block;
    block.reserve(kBlockPairs);
    CopiedPairs all(next_copies_, task_.most_equal, [&](const ScoredPair& pair) {
      block.push_back(pair);
      if (block.size() < kBlockPairs) return;
      pool_.check_cancelled();
      each(block);
      block.clear();
    });
    for_each_different([&](const ScoredPair& found) {
      all.add(found);
      return true;
    });
    all.finish();
    if (!block.empty()) each(block);
  }

  const StringJoinTask& task_;
  ThreadPool& pool_;
  SortedPairs<ScoredPair> found_;   // each stands for pairs of copies, too: CopiedPairs
  std::vector<RowId> next_copies_;  // empty: none
};

}  // namespace

StringJoinCounts join_strings(const StringJoinTask& task, ThreadPool& pool, const EachPairs& each) {
  if (task.sides.is_nothing()) return {};
  return StringPairs(task, pool).run(each);
}

}  // namespace sosie
