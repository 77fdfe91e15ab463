// Joins rows a few bands at a time, within the available memory.
#include "join/grouped_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <vector>

#include "core/count_text.h"
#include "core/memory_budget.h"
#include "core/size_text.h"
#include "io/external_sort.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kPairsAtOnce = std::size_t{1} << 16;
constexpr std::size_t kPairsATask = 1024;
constexpr std::uint64_t kLeastSortBytes = std::uint64_t{1} << 20;

struct PairKey {
  std::uint64_t key;  // left, then right
};

// Passes on the candidates that are pairs.
void measure_pairs(std::span<const CandidatePair> pairs, const GroupedJoin& join, ThreadPool& pool,
                   const MeasurePair& measure, const HashedJoin::Each& each) {
  pool.for_each((pairs.size() + kPairsATask - 1) / kPairsATask,
                [&](unsigned /*worker*/, std::size_t i) {
                  pool.check_cancelled();
                  const std::size_t begin = i * kPairsATask;
                  std::vector<ScoredPair> found;
                  for (const CandidatePair& pair :
                       pairs.subspan(begin, std::min(kPairsATask, pairs.size() - begin))) {
                    const auto value = measure(join.rows[pair.left], join.rows[pair.right]);
                    if (value) found.push_back({pair.left, pair.right, *value});
                  }
                  if (!found.empty()) each(found);
                });
}

// With little memory left, buckets are built one band at a time.
BandMemory memory_for_all_bands(const BandNeeds& needs) {
  const std::uint64_t sort_bytes = 2 * kLeastSortBytes;
  const std::uint64_t need =
      needs.besides +
      needs.rows * (BandedJoin::kRowBytes + needs.grouped_bytes + needs.key_bytes * needs.bands) +
      2 * sort_bytes;
  if (need <= needs.memory_bytes) return {needs.bands, 1, sort_bytes};
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"construct"},
              fmt::format("{} keys for each of {} items need about {}; --memory is {}", needs.bands,
                          count_text(needs.rows), bytes_text(need), limit_text(needs.memory_bytes)),
              fmt::format("--memory {} is enough", round_size_text(need)));
}

}  // namespace

BandMemory memory_for_bands(const BandNeeds& needs) {
  const std::uint64_t memory = needs.memory_bytes;
  const std::uint64_t fixed = needs.besides + needs.rows * BandedJoin::kRowBytes;
  const std::uint64_t grouped = needs.rows * needs.grouped_bytes;
  const std::uint64_t keys = needs.rows * needs.key_bytes;
  const std::uint64_t all = fixed + grouped * needs.threads + keys * needs.bands;
  if (const std::uint64_t sorts = MemoryBudget{memory}.sorts(); all + sorts <= memory) {
    return {needs.bands, needs.threads, sorts};
  }
  // A quarter of the remaining memory is for sorting candidates and found pairs.
  const std::uint64_t left = memory - std::min(memory, fixed);
  if (needs.all_bands) return memory_for_all_bands(needs);
  const std::uint64_t sort_bytes = std::max(kLeastSortBytes, left / 8);
  const std::uint64_t least = fixed + grouped + keys + 2 * sort_bytes;
  if (memory < least) {
    const std::uint64_t enough = fixed + 2 * (grouped + keys) + 8 * kLeastSortBytes;
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("bookkeeping for {} items needs about {}; --memory is {}",
                            count_text(needs.rows), bytes_text(least), limit_text(memory)),
                fmt::format("--memory {} is enough", round_size_text(enough)));
  }
  const std::uint64_t for_bands = left - 2 * sort_bytes;
  const auto kept_with = [&](std::uint64_t at_once) -> std::uint64_t {
    const std::uint64_t taken = grouped * at_once;
    if (taken >= for_bands || keys == 0) return keys == 0 ? needs.bands : 0;
    return std::min(needs.bands, (for_bands - taken) / keys);
  };
  // A small number of groups is better than all workers building buckets.
  const std::uint64_t with_all = kept_with(needs.threads);
  if (2 * with_all >= kept_with(1)) return {with_all, needs.threads, sort_bytes};
  return {kept_with(1), 1, sort_bytes};
}

std::uint64_t measure_in_groups(const GroupedJoin& join, ThreadPool& pool,
                                const MeasurePair& measure, const HashedJoin::Each& each) {
  if (join.memory_share.bands_kept >= join.bands) {
    return measure_candidates({join.table, join.rows, join.split, join.memory_share.bands_at_once,
                               join.cascade, join.range},
                              pool, measure, each);
  }
  ExternalSort<PairKey> candidates(*join.scratch, join.memory_share.sort_bytes);
  std::mutex mutex;
  for (std::size_t first = 0; first < join.bands; first += join.memory_share.bands_kept) {
    join.hash({first, std::min(join.bands, first + join.memory_share.bands_kept)}, join.rows);
    find_candidates(
        {join.table, join.rows, join.split, join.memory_share.bands_at_once, nullptr, join.range},
        pool, [&](std::span<const CandidatePair> pairs) {
          const std::lock_guard lock(mutex);
          for (const CandidatePair& pair : pairs) {
            candidates.add({std::uint64_t{pair.left} << 32 | pair.right});
          }
        });
  }
  std::uint64_t measured = 0;
  std::vector<CandidatePair> some;
  const auto measure_some = [&] {
    measured += some.size();
    measure_pairs(some, join, pool, measure, each);
    some.clear();
  };
  std::uint64_t last = ~std::uint64_t{0};
  candidates.drain([&](const PairKey& pair) {
    if (pair.key == last) return;
    last = pair.key;
    some.push_back(
        {static_cast<std::uint32_t>(pair.key >> 32), static_cast<std::uint32_t>(pair.key)});
    if (some.size() == kPairsAtOnce) measure_some();
  });
  measure_some();
  return measured;
}

void measure_part(const GroupedJoin& join, ThreadPool& pool, const MeasurePair& measure,
                  const HashedJoin::Each& each) {
  constexpr double kNoPair = std::numeric_limits<double>::quiet_NaN();
  (void)measure_in_groups(
      join, pool,
      [&](std::uint32_t left, std::uint32_t right) {
        return std::optional(measure(left, right).value_or(kNoPair));
      },
      each);
}

}  // namespace sosie
