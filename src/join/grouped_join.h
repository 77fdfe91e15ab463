#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "io/scratch.h"
#include "join/hashed_join.h"

namespace sosie {

// The memory that a join by the keys of bands needs.
struct BandNeeds {
  std::uint64_t rows = 0;
  std::uint64_t bands = 0;         // bands of the plan
  std::uint64_t besides = 0;       // bytes in use throughout the join
  std::uint64_t memory_bytes = 0;  // memory of the run
  unsigned threads = 1;
  std::uint64_t key_bytes = 4;                                 // bytes per row in a band
  std::uint64_t grouped_bytes = BandedJoin::kGroupedRowBytes;  // more if its buckets exist
  bool all_bands = false;  // a cascade needs all of them at the same time
};

// The division of the memory among the parts of such a join.
struct BandMemory {
  std::size_t bands_kept = 0;     // number of bands whose keys are in memory
  std::size_t bands_at_once = 0;  // number of bands whose buckets are in memory
  std::uint64_t sort_bytes = 0;   // bytes for sorting candidates, and for found pairs
};

// Keeps everything in memory if that fits, otherwise as many bands as fit. Throws
// Error{limit_exceeded}, naming a sufficient limit, if not even one band fits.
[[nodiscard]] BandMemory memory_for_bands(const BandNeeds& needs);

// A join whose table contains the keys of only some bands at a time.
struct GroupedJoin {
  std::size_t bands = 0;                // bands of the plan
  const BandedRows* table = nullptr;    // with all keys if memory holds all bands
  std::span<const std::uint32_t> rows;  // rows as in BandedJoin
  std::size_t split = 0;
  BandMemory memory_share;
  const CascadeRule* cascade = nullptr;  // see BandedJoin; all bands are kept
  KeyRange range = {};                   // likewise
  // Fills the table with the keys of these rows in these bands, and no others.
  std::function<void(const BandRange& bands, std::span<const std::uint32_t> rows)> hash;
  Scratch* scratch = nullptr;
};

// Finds the same pairs as measure_candidates() and measures as many, however many bands are in
// memory. Candidates from several groups of bands are sorted, in scratch if necessary, and each is
// measured only once.
std::uint64_t measure_in_groups(const GroupedJoin& join, ThreadPool& pool,
                                const MeasurePair& measure, const HashedJoin::Each& each);

// Measures the same candidates and reports all of them, as positions, in blocks. The value of a
// candidate that is not a pair is NaN.
void measure_part(const GroupedJoin& join, ThreadPool& pool, const MeasurePair& measure,
                  const HashedJoin::Each& each);

}  // namespace sosie
