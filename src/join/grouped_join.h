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

// Memory that a join by the keys of bands needs.
struct BandNeeds {
  std::uint64_t rows = 0;
  std::uint64_t bands = 0;         // bands of the plan
  std::uint64_t besides = 0;       // bytes that are there as long as it lasts
  std::uint64_t memory_bytes = 0;  // that the run may take
  unsigned threads = 1;
  std::uint64_t key_bytes = 4;                                 // bytes of a row in a band
  std::uint64_t grouped_bytes = BandedJoin::kGroupedRowBytes;  // and more where its buckets are
  bool all_bands = false;  // must be there at a time: a cascade asks for them
};

// Division of the memory that such a join may take.
struct BandMemory {
  std::size_t bands_kept = 0;     // whose keys are there at a time
  std::size_t bands_at_once = 0;  // bands whose buckets are
  std::uint64_t sort_bytes = 0;   // bytes for sorting candidates, and for found pairs
};

// Everything at once where there is room, else as many bands as there is room for. Throws
// Error{limit_exceeded}, saying what would be enough, when there is none for one band.
[[nodiscard]] BandMemory memory_for_bands(const BandNeeds& needs);

// A join whose table holds the keys of some bands at a time.
struct GroupedJoin {
  std::size_t bands = 0;                // bands of the plan
  const BandedRows* table = nullptr;    // where room.bands_kept are all bands: with all keys
  std::span<const std::uint32_t> rows;  // rows as BandedJoin takes them
  std::size_t split = 0;
  BandMemory memory_share;
  const CascadeRule* cascade = nullptr;  // see BandedJoin; all bands are kept
  KeyRange range = {};                   // likewise
  // Makes the table hold the keys of these rows in these bands, and no others.
  std::function<void(const BandRange& bands, std::span<const std::uint32_t> rows)> hash;
  Scratch* scratch = nullptr;
};

// Works like measure_candidates(): takes equal pairs and measures as many, however many bands are
// in memory at a time. Candidates of several groups are sorted, in scratch if need be, and measured
// once.
std::uint64_t measure_in_groups(const GroupedJoin& join, ThreadPool& pool,
                                const MeasurePair& measure, const HashedJoin::Each& each);

// Measures the same candidates and hands over all of them, by positions, in blocks: the value of
// one that is no pair is NaN.
void measure_part(const GroupedJoin& join, ThreadPool& pool, const MeasurePair& measure,
                  const HashedJoin::Each& each);

}  // namespace sosie
