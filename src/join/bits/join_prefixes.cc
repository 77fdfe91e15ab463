// Bit strings joined as sets of the places of their ones.
#include "join/bits/join_prefixes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "candidates/order_tokens.h"
#include "candidates/prefix_length.h"
#include "core/memory_budget.h"
#include "core/mix64.h"
#include "kernels/shared_bits.h"
#include "verify/measures.h"

namespace sosie {
namespace {

constexpr std::size_t kSampledBitRows = 4096;
constexpr std::uint64_t kBitSampleSeed = 0x626974736574;

// Compiled in, see plan/banding_cost.cc: nanoseconds to take, number and index a string and a one
// of it; to look at a posting of a list, with a twentieth that is compared.
constexpr double kRowNs = 250;
constexpr double kOneNs = 30;
constexpr double kPostingNs = 2;

// Bytes that a join takes of a string and of a one of it.
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

// Rows of the task: one of each of some stretches, and of few rows all.
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

// Pairs of sampled rows that share a one of both their prefixes, once for each that they share.
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

}  // namespace

bool has_prefixes(const BitJoinTask& task) {
  return task.measure->is_of_sets && !task.brute && task.bound.num > 0;
}

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

}  // namespace sosie
