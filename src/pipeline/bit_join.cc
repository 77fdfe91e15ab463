#include "pipeline/bit_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "candidates/multi_index.h"
#include "pipeline/nearest_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// A pair met in a bucket costs about as much as so many of a scan, which reads rows in order.
constexpr std::uint64_t kIndexPairCost = 8;
constexpr std::size_t kScanRows = 64;  // left rows of a task

class BitJoiner {
 public:
  BitJoiner(const BitJoinTask& task, std::uint64_t limit, ThreadPool& pool)
      : task_(task), column_(*task.column), limit_(limit), pool_(pool) {}

  BitJoinResult run() {
    BitJoinResult result;
    const auto index = useful_index();
    result.indexed = index.has_value();
    if (index) {
      share_out(index->block_count(), [&](std::size_t block, Found& found) {
        index->for_each_in_block(block,
                                 [&](std::uint32_t row, std::span<const std::uint32_t> others) {
                                   meet(*index, block, {row, others}, found);
                                 });
      });
    } else {
      share_out((column_.rows + kScanRows - 1) / kScanRows,
                [&](std::size_t part, Found& found) { scan(part * kScanRows, found); });
    }
    result.candidates = candidates_;
    result.pairs = std::move(pairs_);
    std::sort(result.pairs.begin(), result.pairs.end(),
              [](const MeasuredPair& a, const MeasuredPair& b) {
                return a.left != b.left ? a.left < b.left : a.right < b.right;
              });
    return result;
  }

 private:
  struct Found {
    std::vector<MeasuredPair> pairs;
    std::uint64_t candidates = 0;
  };
  struct Bucket {
    std::uint32_t row;
    std::span<const std::uint32_t> others;
  };

  // Nothing where a scan is cheaper.
  [[nodiscard]] std::optional<MultiIndex> useful_index() const {
    const std::uint64_t radius = task_.bound.num / task_.bound.den;
    if (task_.brute || task_.measure->is_similarity || radius >= column_.bits) return std::nullopt;
    MultiIndex index(column_, radius, pool_);
    const std::uint64_t every = std::uint64_t{column_.rows} * (column_.rows - 1) / 2;
    if (index.pair_count() > every / kIndexPairCost) return std::nullopt;
    return index;
  }

  template <typename Task>
  void share_out(std::size_t count, Task task) {
    std::vector<Found> found(count);
    pool_.for_each(count, [&](unsigned /*worker*/, std::size_t i) {
      pool_.check_cancelled();
      task(i, found[i]);
    });
    for (Found& part : found) {
      candidates_ += part.candidates;
      pairs_.insert(pairs_.end(), part.pairs.begin(), part.pairs.end());
    }
  }

  [[nodiscard]] bool is_asked_for(std::size_t left, std::size_t right) const noexcept {
    return task_.split == 0 || (left < task_.split && right >= task_.split);
  }

  // True when the pair reaches the bound; it is added then.
  bool measure(std::uint32_t left, std::uint32_t right, Found& found) {
    ++found.candidates;
    const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
    if (!task_.measure->reaches(counts, task_.bound)) return false;
    found.pairs.push_back({left, right, task_.measure->value(counts)});
    return true;
  }

  void meet(const MultiIndex& index, std::size_t block, const Bucket& bucket, Found& found) {
    for (const std::uint32_t other : bucket.others) {
      if (!is_asked_for(bucket.row, other) || !measure(bucket.row, other, found)) continue;
      if (index.met_before(block, bucket.row, other)) {
        found.pairs.pop_back();
      } else {
        count_one();
      }
    }
  }

  void scan(std::size_t begin, Found& found) {
    pool_.check_cancelled();
    for (std::size_t left = begin; left < std::min(begin + kScanRows, column_.rows); ++left) {
      for (std::size_t right = std::max(left + 1, task_.split); right < column_.rows; ++right) {
        if (!is_asked_for(left, right)) break;
        if (measure(static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right), found)) {
          count_one();
        }
      }
    }
  }

  void count_one() {
    if (++count_ <= limit_ || limit_ == 0) return;
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("more than {} pairs, which is --limit", limit_),
                "ask for nearer pairs, or use --top or --top-pairs");
  }

  const BitJoinTask& task_;
  const BitColumn& column_;
  std::uint64_t limit_;
  ThreadPool& pool_;
  std::atomic<std::uint64_t> count_ = 0;
  std::uint64_t candidates_ = 0;
  std::vector<MeasuredPair> pairs_;
};

}  // namespace

BitJoinResult join_bits(const BitJoinTask& task, std::uint64_t limit, ThreadPool& pool) {
  if (task.column->rows < 2) return {};
  return BitJoiner(task, limit, pool).run();
}

BitJoinResult nearest_bits(const BitJoinTask& task, std::uint64_t most, ThreadPool& pool) {
  const BitColumn& column = *task.column;
  std::vector<NearestRows> nearest(task.split, NearestRows(most, task.measure->is_similarity));
  pool.for_each(task.split, [&](unsigned /*worker*/, std::size_t left) {
    pool.check_cancelled();
    for (std::size_t right = task.split; right < column.rows; ++right) {
      const BitCounts counts = count_bits(column.row(left), column.row(right), column.words);
      nearest[left].add({static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right),
                         task.measure->value(counts)});
    }
  });
  BitJoinResult result;
  for (const NearestRows& row : nearest) {
    result.pairs.insert(result.pairs.end(), row.pairs().begin(), row.pairs().end());
  }
  result.candidates = std::uint64_t{task.split} * (column.rows - task.split);
  return result;
}

}  // namespace sosie
