// Exact join of bit strings: by scanning blocks, or through equal blocks of bits, whichever is
// predicted to be cheaper.
#include "join/bit_join.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "candidates/multi_index.h"
#include "core/memory_budget.h"
#include "join/band_groups.h"
#include "join/nearest_rows.h"
#include "join/wanted_pairs.h"
#include "kernels/near_sketches.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using kernels::kSketchBlock;

constexpr std::size_t kScanRows = 64;        // left rows of a task
constexpr std::size_t kScanWords = 1 << 13;  // words of the right rows that are compared at a time
constexpr std::size_t kSearchedRows = 1024;  // whose nearest are looked for at a time
constexpr std::size_t kBlockPairs = 4096;
constexpr std::size_t kSketchesAtOnce = 8;  // blocks whose marks are looked at together

// Compiled in, see plan/banding_cost.cc: nanoseconds to compare a word of two strings behind each
// other, or the whole of two somewhere; to put a string into a bucket.
constexpr double kWordNs = 0.15;
constexpr double kPairNs = 2;
constexpr double kBucketNs = 45;

// Radius of a Hamming distance, in whole positions.
std::optional<std::size_t> radius_of(const BitJoinTask& task) noexcept {
  if (task.measure->is_similarity) return std::nullopt;
  return std::min<std::uint64_t>(task.column->bits, task.bound.num / task.bound.den);
}

double every_pair(const BitJoinTask& task) noexcept {
  return static_cast<double>(task.sides.left.size()) * task.sides.partners();
}

double cost_of_scan(const BitJoinTask& task) noexcept {
  const double a_pair = task.measure->is_similarity ? kPairNs : kWordNs;
  return every_pair(task) * a_pair * static_cast<double>(task.column->words);
}

// Infinite where there can be none.
double cost_of_index(const BitJoinTask& task) {
  const auto radius = radius_of(task);
  if (task.brute || !radius || *radius >= task.column->bits) {
    return std::numeric_limits<double>::infinity();
  }
  const double a_pair = kWordNs * static_cast<double>(task.column->words);
  const double buckets =
      kBucketNs * static_cast<double>(task.column->rows) * static_cast<double>(*radius + 1);
  return buckets + a_pair * expected_block_pairs(*task.column, *radius, every_pair(task));
}

// Rows of the left side, then rows of the right one.
std::vector<RowId> rows_of(const JoinSides& sides) {
  std::vector<RowId> rows;
  const auto add = [&](const RowRange& range) {
    for (RowId row = range.begin; row < range.end; ++row) rows.push_back(row);
  };
  add(sides.left);
  if (sides.right) add(*sides.right);
  return rows;
}

class BitPairs {
 public:
  BitPairs(const BitJoinTask& task, ThreadPool& pool)
      : task_(task),
        column_(*task.column),
        pool_(pool),
        found_(*task.scratch, MemoryBudget{task.memory_bytes}.sorts(), task.prune) {}

  BitJoinCounts run(const EachBitPairs& each) {
    BitJoinCounts counts;
    counts.indexed = cost_of_index(task_) < cost_of_scan(task_);
    if (counts.indexed) {
      look_up();
    } else {
      scan_all();
    }
    counts.candidates = candidates_;
    found_.finish();
    for_each_block(found_, [&](std::span<const ScoredPair> pairs) {
      each(pairs);
      return true;
    });
    return counts;
  }

 private:
  struct Found {
    std::vector<ScoredPair> pairs;
    std::uint64_t candidates = 0;
  };
  void look_up() {
    const std::size_t radius = *radius_of(task_);
    const std::size_t blocks = block_count(column_, radius);
    const BandRoom room = room_for_bands({.rows = column_.rows,
                                          .bands = blocks,
                                          .besides = column_.data.size() * sizeof column_.data[0],
                                          .memory_bytes = task_.memory_bytes,
                                          .threads = pool_.size()});
    BandedRows index;
    const auto make = [&](const BandRange& bands, std::span<const std::uint32_t> /*rows*/) {
      index = {};
      index = multi_index(column_, radius, bands, pool_);
    };
    const std::vector<std::uint32_t> rows = rows_of(task_.sides);
    const std::size_t split = task_.sides.is_self() ? 0 : task_.sides.left.size();
    if (room.bands_kept >= blocks) make({0, blocks}, rows);
    candidates_ = measure_in_groups(
        {.bands = blocks,
         .table = &index,
         .rows = rows,
         .split = split,
         .room = room,
         .hash = make,
         .scratch = task_.scratch},
        pool_, [this](std::uint32_t left, std::uint32_t right) { return value_of(left, right); },
        [&](std::span<const ScoredPair> pairs) {
          std::vector<ScoredPair> found(pairs.begin(), pairs.end());
          for (ScoredPair& pair : found) {
            pair = {rows[pair.left], rows[pair.right], pair.value};
          }
          found_.add(found);
        });
  }

  void scan_all() {
    const std::size_t first = task_.sides.left.begin;
    const std::size_t past = task_.sides.left.end;
    const auto radius = radius_of(task_);
    if (radius) lay_out();
    const std::size_t tasks = (past - first + kScanRows - 1) / kScanRows;
    pool_.for_each(tasks, [&](unsigned /*worker*/, std::size_t i) {
      const Lefts some{first + i * kScanRows, std::min(past, first + (i + 1) * kScanRows)};
      Found found;
      for (std::size_t left = some.begin; left < some.end; ++left) {
        found.candidates += past_rights_ - std::min(past_rights_, first_right(left));
      }
      if (radius) {
        scan_within(*radius, some, found);
      } else {
        scan(some, found);
      }
      hand_over(found);
    });
  }

  void hand_over(Found& found) {
    candidates_ += found.candidates;
    if (!found.pairs.empty()) found_.add(found.pairs);
    found = {};
  }

  struct Lefts {
    std::size_t begin;
    std::size_t end;
  };
  [[nodiscard]] std::size_t first_right(std::size_t left) const noexcept {
    return task_.sides.right ? task_.sides.right->begin : left + 1;
  }

  [[nodiscard]] std::optional<double> value_of(std::size_t left, std::size_t right) {
    const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
    if (!task_.measure->reaches(counts, task_.bound)) return std::nullopt;
    count_one();
    return task_.measure->value(counts);
  }

  // If the pair reaches the bound, it is added.
  void measure(std::size_t left, std::size_t right, Found& found) {
    const auto value = value_of(left, right);
    if (!value) return;
    found.pairs.push_back({static_cast<RowId>(left), static_cast<RowId>(right), *value});
    if (found.pairs.size() >= kBlockPairs) hand_over(found);
  }

  void scan(const Lefts& lefts, Found& found) {
    pool_.check_cancelled();
    for (std::size_t left = lefts.begin; left < lefts.end; ++left) {
      for (std::size_t right = first_right(left); right < past_rights_; ++right) {
        measure(left, right, found);
      }
    }
  }

  // All rows' words, as near_sketches() takes them.
  void lay_out() {
    const std::size_t words = column_.words;
    const std::size_t blocks = (column_.rows + kSketchBlock - 1) / kSketchBlock;
    sketches_.resize(blocks * kSketchBlock * words);
    for (std::size_t row = 0; row < column_.rows; ++row) {
      std::uint64_t* out =
          sketches_.data() + row / kSketchBlock * kSketchBlock * words + row % kSketchBlock;
      for (std::size_t w = 0; w < words; ++w) out[w * kSketchBlock] = column_.row(row)[w];
    }
  }

  void scan_within(std::size_t radius, const Lefts& lefts, Found& found) {
    const std::size_t words = column_.words;
    const std::size_t chunk =
        std::max<std::size_t>(kSketchesAtOnce, kScanWords / kSketchBlock / words);
    const std::size_t blocks = (past_rights_ + kSketchBlock - 1) / kSketchBlock;
    std::vector<std::uint8_t> near(chunk + kSketchesAtOnce);
    for (std::size_t begin = first_right(lefts.begin) / kSketchBlock; begin < blocks;
         begin += chunk) {
      pool_.check_cancelled();
      const std::size_t end = std::min(blocks, begin + chunk);
      for (std::size_t left = lefts.begin; left < lefts.end; ++left) {
        const std::size_t first = std::max(begin, first_right(left) / kSketchBlock);
        if (first >= end) break;
        std::fill_n(near.begin() + static_cast<std::ptrdiff_t>(end - first), kSketchesAtOnce, 0);
        kernels::near_sketches(column_.row(left), sketches_.data() + first * kSketchBlock * words,
                               end - first, words, radius + 1, near.data());
        take_near(left, {first, end}, near, found);
      }
    }
  }

  struct BlockRange {
    std::size_t begin;
    std::size_t end;
  };

  void take_near(std::size_t left, const BlockRange& blocks, std::span<const std::uint8_t> near,
                 Found& found) {
    for (std::size_t at = blocks.begin; at < blocks.end; at += kSketchesAtOnce) {
      std::uint64_t marks = 0;
      std::memcpy(&marks, near.data() + (at - blocks.begin), sizeof marks);
      if (marks == 0) continue;
      for (std::size_t i = at; i < std::min(blocks.end, at + kSketchesAtOnce); ++i) {
        for (unsigned bits = near[i - blocks.begin]; bits != 0; bits &= bits - 1) {
          const std::size_t right =
              i * kSketchBlock + static_cast<std::size_t>(std::countr_zero(bits));
          if (right < first_right(left) || right >= past_rights_) continue;
          measure(left, right, found);
        }
      }
    }
  }

  void count_one() {
    const std::uint64_t count = ++count_;
    if (task_.limit > 0) check_pair_limit({.limit = task_.limit}, task_.facts, count);
  }

  const BitJoinTask& task_;
  const BitColumn& column_;
  ThreadPool& pool_;
  std::size_t past_rights_ = task_.sides.right.value_or(task_.sides.left).end;
  SortedPairs<ScoredPair> found_;
  std::vector<std::uint64_t> sketches_;  // sketches of a scan within a radius
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> candidates_ = 0;
};

}  // namespace

JoinCosts costs_of_joins(const BitJoinTask& task) {
  return {cost_of_scan(task), cost_of_index(task)};
}

BitJoinCounts join_bits(const BitJoinTask& task, ThreadPool& pool, const EachBitPairs& each) {
  if (task.sides.is_nothing()) return {};
  return BitPairs(task, pool).run(each);
}

BitJoinCounts nearest_bits(const BitJoinTask& task, std::uint64_t most, ThreadPool& pool,
                           const EachBitPairs& each) {
  const BitColumn& column = *task.column;
  const RowRange lefts = task.sides.left;
  const RowRange rights = task.sides.right.value_or(lefts);
  for (std::size_t begin = 0; begin < lefts.size(); begin += kSearchedRows) {
    std::vector<NearestRows> nearest(std::min<std::size_t>(kSearchedRows, lefts.size() - begin),
                                     NearestRows(most, task.measure->is_similarity));
    pool.for_each(nearest.size(), [&](unsigned /*worker*/, std::size_t i) {
      pool.check_cancelled();
      const std::size_t left = lefts.begin + begin + i;
      const std::size_t first = task.sides.is_self() ? left + 1 : rights.begin;
      for (auto right = static_cast<RowId>(first); right < rights.end; ++right) {
        const BitCounts counts = count_bits(column.row(left), column.row(right), column.words);
        nearest[i].add({static_cast<RowId>(left), right, task.measure->value(counts)});
      }
    });
    for (const NearestRows& row : nearest) each(row.pairs());
  }
  return {std::uint64_t{lefts.size()} * rights.size(), false};
}

}  // namespace sosie
