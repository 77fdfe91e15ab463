// Joins of strings by edit distance.
#include "join/string_join.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/memory_budget.h"
#include "join/nearest_rows.h"

namespace sosie {
namespace {

constexpr std::size_t kScanRows = 64;        // left rows of a task
constexpr std::size_t kSearchedRows = 1024;  // whose nearest are looked for at a time
constexpr std::size_t kBlockPairs = 4096;

constexpr double kPairNs = 100;

class StringPairs {
 public:
  StringPairs(const StringJoinTask& task, ThreadPool& pool)
      : task_(task),
        column_(*task.column),
        pool_(pool),
        found_(*task.scratch, MemoryBudget{task.memory_bytes}.sorts(), task.prune) {}

  StringJoinCounts run(const EachPairs& each) {
    scan();
    found_.finish();
    for_each_block(found_, [&](std::span<const MeasuredPair> pairs) {
      each(pairs);
      return true;
    });
    return {candidates_};
  }

 private:
  void scan() {
    const std::size_t first = task_.sides.left.begin;
    const std::size_t past = task_.sides.left.end;
    const std::size_t tasks = (past - first + kScanRows - 1) / kScanRows;
    pool_.for_each(tasks, [&](unsigned /*worker*/, std::size_t i) {
      EditPattern pattern(task_.bound.measure, column_.alphabet);
      std::vector<MeasuredPair> found;
      const std::size_t end = std::min(past, first + (i + 1) * kScanRows);
      for (std::size_t left = first + i * kScanRows; left < end; ++left) {
        pool_.check_cancelled();
        scan_row(static_cast<RowId>(left), pattern, found);
      }
      hand_over(found);
    });
  }

  void scan_row(RowId left, EditPattern& pattern, std::vector<MeasuredPair>& found) {
    const RowId first = task_.sides.right ? task_.sides.right->begin : left + 1;
    const RowId past = task_.sides.right.value_or(task_.sides.left).end;
    pattern.set(column_.row(left));
    for (RowId right = first; right < past; ++right) {
      const std::uint32_t most =
          task_.bound.most_edits(column_.length(left), column_.length(right));
      const std::uint32_t distance = pattern.distance(column_.row(right), most);
      if (distance > most) continue;
      found.push_back(
          {left, right, task_.bound.value(column_.length(left), column_.length(right), distance)});
      if (found.size() >= kBlockPairs) hand_over(found);
    }
    if (first < past) candidates_ += past - first;
  }

  void hand_over(std::vector<MeasuredPair>& found) {
    if (found.empty()) return;
    const std::uint64_t count = count_ += found.size();
    if (task_.limit > 0) check_pair_limit({.limit = task_.limit}, task_.facts, count);
    found_.add(found);
    found.clear();
  }

  const StringJoinTask& task_;
  const StringColumn& column_;
  ThreadPool& pool_;
  SortedPairs<MeasuredPair> found_;
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> candidates_ = 0;
};

}  // namespace

StringJoinPlan plan_join(const StringJoinTask& task) {
  StringJoinPlan plan;
  plan.brute = true;
  plan.checks = static_cast<double>(task.sides.left.size()) * task.sides.partners();
  plan.nanoseconds = kPairNs * plan.checks;
  plan.line = "brute: every pair is measured";
  plan.reason = "there are few pairs";
  return plan;
}

StringJoinCounts join_strings(const StringJoinTask& task, ThreadPool& pool, const EachPairs& each) {
  if (task.sides.is_nothing()) return {};
  return StringPairs(task, pool).run(each);
}

StringJoinCounts nearest_strings(const StringJoinTask& task, std::uint64_t most, ThreadPool& pool,
                                 const EachPairs& each) {
  const StringColumn& column = *task.column;
  const RowRange lefts = task.sides.left;
  const RowRange rights = task.sides.right.value_or(lefts);
  std::atomic<std::uint64_t> candidates = 0;
  for (std::size_t begin = 0; begin < lefts.size(); begin += kSearchedRows) {
    std::vector<NearestRows> nearest(std::min<std::size_t>(kSearchedRows, lefts.size() - begin),
                                     NearestRows(most, /*is_similarity=*/false));
    pool.for_each(nearest.size(), [&](unsigned /*worker*/, std::size_t i) {
      pool.check_cancelled();
      EditPattern pattern(task.bound.measure, column.alphabet);
      const auto left = static_cast<RowId>(lefts.begin + begin + i);
      pattern.set(column.row(left));
      const RowId first = task.sides.is_self() ? left + 1 : rights.begin;
      for (RowId right = first; right < rights.end; ++right) {
        const std::uint32_t distance = pattern.distance(column.row(right), ~0U);
        nearest[i].add({left, right, static_cast<double>(distance)});
      }
      if (first < rights.end) candidates += rights.end - first;
    });
    for (const NearestRows& row : nearest) each(row.pairs());
  }
  return {candidates};
}

}  // namespace sosie
