// Exact join of bit strings: by scanning blocks, through equal blocks of bits, or as sets through
// an index of prefixes, whichever is predicted to be cheaper.
#include "join/bits/bit_join.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>

#include "candidates/multi_index.h"
#include "candidates/order_tokens.h"
#include "candidates/prefix_join.h"
#include "candidates/prefix_length.h"
#include "core/memory_budget.h"
#include "core/mix64.h"
#include "join/bits/bit_layout.h"
#include "join/bits/bit_searcher.h"
#include "join/grouped_join.h"
#include "join/pair_selection.h"
#include "kernels/shared_bits.h"
#include "sosie/error.h"
#include "verify/measures.h"

namespace sosie {
namespace {

constexpr std::size_t kSampledBitRows = 4096;
constexpr std::uint64_t kBitSampleSeed = 0x626974736574;

// Measured constants (see plan/banding_cost.cc): nanoseconds to take, number and index a string,
// and each of its ones; to read a posting of a list, assuming that a twentieth of them are
// compared.
constexpr double kRowNs = 250;
constexpr double kOneNs = 30;
constexpr double kPostingNs = 2;

// Bytes that a join needs per string, and per one in it.
constexpr std::uint64_t kRowBytes = 64;
constexpr std::uint64_t kOneBytes = 40;

Measure measure_of(const BitJoinTask& task) { return *set_measure(task.measure->name, kSetItems); }

template <typename Each>
void for_each_one(const BitColumn& column, std::size_t row, const Each& each) {
  for (std::size_t w = 0; w < column.words; ++w) {
    for (std::uint64_t bits = column.row(row)[w]; bits != 0; bits &= bits - 1) {
      each(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
}

// Rows of the task: one from each of several ranges; all of them if there are few.
std::vector<std::size_t> sampled_rows(const BitJoinTask& task) {
  std::vector<std::size_t> rows;
  const auto add = [&](const RowRange& range) {
    const std::size_t count = std::min<std::size_t>(range.size(), kSampledBitRows);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = std::size_t{range.size()} * i / count;
      const std::size_t end = std::size_t{range.size()} * (i + 1) / count;
      rows.push_back(range.begin + begin + random64(kBitSampleSeed, i) % (end - begin));
    }
  };
  add(task.sides.left);
  if (task.sides.right) add(*task.sides.right);
  return rows;
}

// Number of pairs of sampled rows that share a one in both their prefixes, counted once per shared
// one.
double posting_pairs(const BitJoinTask& task, std::span<const std::size_t> rows) {
  const BitColumn& column = *task.column;
  const std::size_t places = column.words * 64;
  std::vector<std::uint32_t> counts(places);
  for (const std::size_t row : rows) for_each_one(column, row, [&](std::size_t i) { ++counts[i]; });
  const Measure measure = measure_of(task);
  std::vector<std::uint32_t> postings(places);
  std::vector<std::size_t> ones;
  for (const std::size_t row : rows) {
    ones.clear();
    for_each_one(column, row, [&](std::size_t i) { ones.push_back(i); });
    const auto length = static_cast<std::size_t>(prefix_length(measure, ones.size(), task.bound));
    const auto rarer = [&](std::size_t a, std::size_t b) {
      return std::pair(counts[a], a) < std::pair(counts[b], b);
    };
    if (length < ones.size()) {
      std::nth_element(ones.begin(), ones.begin() + static_cast<std::ptrdiff_t>(length), ones.end(),
                       rarer);
    }
    for (std::size_t i = 0; i < std::min(length, ones.size()); ++i) ++postings[ones[i]];
  }
  double pairs = 0;
  for (const std::uint32_t count : postings) {
    pairs += static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
  }
  return pairs;
}

// True if strings are compared as sets of the positions of their ones, and a prefix index of these
// sets is selective.
bool has_prefixes(const BitJoinTask& task) {
  return task.measure->is_of_sets && !task.brute && task.bound.num > 0;
}

// Predicted cost of join_prefixes() in nanoseconds on one core, from rows determined by the column
// alone; infinite if its memory is not sufficient.
double cost_of_prefixes(const BitJoinTask& task) {
  const std::vector<std::size_t> rows = sampled_rows(task);
  const BitColumn& column = *task.column;
  std::uint64_t sampled_ones = 0;
  for (const std::size_t row : rows) {
    sampled_ones += kernels::count_ones(column.row(row), column.words);
  }
  const std::size_t all_rows =
      std::size_t{task.sides.left.size()} + (task.sides.right ? task.sides.right->size() : 0);
  const double scale =
      static_cast<double>(all_rows) / std::max(1.0, static_cast<double>(rows.size()));
  const double ones = static_cast<double>(sampled_ones) * scale;
  const auto bytes = static_cast<double>(all_rows * kRowBytes) + ones * kOneBytes;
  if (bytes > static_cast<double>(MemoryBudget{task.memory_bytes}.largest_batch())) {
    return std::numeric_limits<double>::infinity();
  }
  return static_cast<double>(all_rows) * kRowNs + ones * kOneNs +
         posting_pairs(task, rows) * scale * scale * kPostingNs;
}

// Joins the strings as sets (prefix_join()). `take` receives pairs of places; rows of the left side
// come first.
void join_prefixes(const BitJoinTask& task, ThreadPool& pool, const TakePairs& take,
                   JoinCounts& counts) {
  HashedSets sets;
  const auto add = [&](const RowRange& range) {
    for (RowId row = range.begin; row < range.end; ++row) {
      for_each_one(*task.column, row, [&](std::size_t i) { sets.hashes.push_back(i); });
      sets.starts.push_back(sets.hashes.size());
    }
  };
  add(task.sides.left);
  PairScope scope;
  if (task.sides.right) {
    scope = {task.sides.left.size(), task.sides.left.size()};
    add(*task.sides.right);
  }
  const TokenSets tokens = order_tokens(sets, pool);
  sets = {};
  const Measure measure = measure_of(task);
  prefix_join(
      tokens, {.measure = &measure, .threshold = task.bound, .scope = scope}, pool, take,
      [&](std::size_t /*done*/) { pool.check_cancelled(); }, counts);
}

constexpr std::size_t kScannedBitRows = 64;  // left rows of a task
constexpr std::size_t kScanWords = 1 << 13;  // words of the right rows that are compared at a time
constexpr std::size_t kSearchedBitRows = 1024;  // whose nearest are looked for at a time

// Measured constants (see plan/banding_cost.cc): nanoseconds to compare one word of two adjacent
// strings; to put a string into a bucket.
constexpr double kWordNs = 0.15;
constexpr double kBucketNs = 45;

// Radius of a Hamming distance, in whole positions.
std::size_t radius_of(const BitJoinTask& task) noexcept {
  return std::min<std::uint64_t>(task.column->bits, task.bound.num / task.bound.den);
}

double every_pair(const BitJoinTask& task) noexcept {
  return static_cast<double>(task.sides.left.size()) * task.sides.partners();
}

double cost_of_scan(const BitJoinTask& task) noexcept {
  return every_pair(task) * kWordNs * static_cast<double>(task.column->words);
}

// Infinite if no index is possible.
double cost_of_index(const BitJoinTask& task) {
  if (has_prefixes(task)) return cost_of_prefixes(task);
  const std::size_t radius = radius_of(task);
  if (task.brute || task.measure->is_of_sets || radius >= task.column->bits) {
    return std::numeric_limits<double>::infinity();
  }
  const double a_pair = kWordNs * static_cast<double>(task.column->words);
  const double buckets =
      kBucketNs * static_cast<double>(task.column->rows) * static_cast<double>(radius + 1);
  return buckets + a_pair * expected_block_pairs(*task.column, radius, every_pair(task));
}

// Rows of the left side, followed by rows of the right side.
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
    if (!counts.indexed) {
      scan_all();
    } else if (task_.measure->is_of_sets) {
      join_as_sets();
    } else {
      look_up();
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
    const std::size_t radius = radius_of(task_);
    const std::size_t blocks = block_count(column_, radius);
    const BandMemory memory_share =
        memory_for_bands({.rows = column_.rows,
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
    if (memory_share.bands_kept >= blocks) make({0, blocks}, rows);
    candidates_ = measure_in_groups(
        {.bands = blocks,
         .table = &index,
         .rows = rows,
         .split = split,
         .memory_share = memory_share,
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

  void join_as_sets() {
    const std::vector<std::uint32_t> rows = rows_of(task_.sides);
    JoinCounts counts;
    join_prefixes(
        task_, pool_,
        [&](std::span<const VerifiedPair> pairs) {
          std::vector<ScoredPair> found;
          for (const auto& [left, right, overlap] : pairs) {
            count_one();
            found.push_back(
                {rows[left], rows[right], task_.measure->value({overlap.shared, overlap.united})});
          }
          found_.add(found);
        },
        counts);
    candidates_ = counts.verified;
  }

  void scan_all() {
    const bool by_ones = task_.measure->is_of_sets;
    const BitLayout lefts(column_, task_.sides.left, by_ones);
    std::optional<BitLayout> others;
    if (task_.sides.right) others.emplace(column_, *task_.sides.right, by_ones);
    const BitLayout& rights = others ? *others : lefts;
    const std::size_t tasks = (lefts.size() + kScannedBitRows - 1) / kScannedBitRows;
    pool_.for_each(tasks, [&](unsigned /*worker*/, std::size_t i) {
      Found found;
      scan({lefts, rights},
           {i * kScannedBitRows, std::min(lefts.size(), (i + 1) * kScannedBitRows)}, found);
      hand_over(found);
    });
  }

  void hand_over(Found& found) {
    candidates_ += found.candidates;
    if (!found.pairs.empty()) found_.add(found.pairs);
    found = {};
  }

  [[nodiscard]] std::optional<double> value_of(std::size_t left, std::size_t right) {
    const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
    if (!task_.measure->reaches(counts, task_.bound)) return std::nullopt;
    count_one();
    return task_.measure->value(counts);
  }

  // Adds the pair if it is within the bound.
  void measure(RowId left, RowId right, Found& found) {
    const auto value = value_of(left, right);
    if (!value) return;
    found.pairs.push_back({left, right, *value});
    if (found.pairs.size() >= kBlockPairs) hand_over(found);
  }

  // Left rows paired with right rows or, within one side, with later rows.
  struct Sides {
    const BitLayout& lefts;
    const BitLayout& rights;
    [[nodiscard]] bool is_self() const noexcept { return &lefts == &rights; }
  };

  void scan(const Sides& sides, const BitPositions& some, Found& found) {
    constexpr std::size_t kBlock = kernels::kSketchBlock;
    const std::size_t chunk =
        kBlock * std::max<std::size_t>(1, kScanWords / kBlock / column_.words);
    const std::size_t rights = sides.rights.size();
    const auto first_partner = [&](std::size_t left) { return sides.is_self() ? left + 1 : 0; };
    for (std::size_t left = some.begin; left < some.end; ++left) {
      found.candidates += rights - first_partner(left);
    }
    std::vector<std::uint8_t> near;
    for (std::size_t begin = first_partner(some.begin) / kBlock * kBlock; begin < rights;
         begin += chunk) {
      pool_.check_cancelled();
      const std::size_t end = std::min(rights, begin + chunk);
      for (std::size_t left = some.begin; left < some.end; ++left) {
        const BitPositions partners{std::max(begin, first_partner(left)), end};
        if (partners.begin >= end) break;
        measure_near(sides, left, partners, near, found);
      }
    }
  }

  void measure_near(const Sides& sides, std::size_t left, const BitPositions& partners,
                    std::vector<std::uint8_t>& near, Found& found) {
    const BitLayout& lefts = sides.lefts;
    const BitLayout& rights = sides.rights;
    const std::uint64_t ones = lefts.ones(left);
    const std::uint64_t most =
        task_.measure->largest_difference(rights.most_ones(ones, partners), task_.bound);
    if (rights.least_difference(ones, partners) > most) return;
    rights.each_near(lefts.string(left), partners, most + 1, near, [&](std::size_t right) {
      const RowId a = lefts.row(left);
      const RowId b = rights.row(right);
      const bool flips = sides.is_self() && b < a;
      measure(flips ? b : a, flips ? a : b, found);
    });
  }

  void count_one() {
    const std::uint64_t count = ++count_;
    if (task_.limit > 0) check_pair_limit({.limit = task_.limit}, task_.facts, count);
  }

  const BitJoinTask& task_;
  const BitColumn& column_;
  ThreadPool& pool_;
  SortedPairs<ScoredPair> found_;
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
  const BitSearcher rights(column, task.sides.right.value_or(lefts), {task.measure});
  BitJoinCounts counts;
  std::vector<std::vector<ScoredPair>> found;
  for (RowId begin = lefts.begin; begin < lefts.end; begin += kSearchedBitRows) {
    const RowId end = std::min<RowId>(lefts.end, begin + kSearchedBitRows);
    counts.candidates +=
        rights.find({column, {begin, end}, task.sides.is_self()}, most, pool, found);
    for (const std::vector<ScoredPair>& pairs : found) each(pairs);
  }
  return counts;
}

}  // namespace sosie
