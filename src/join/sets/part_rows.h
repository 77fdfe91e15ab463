#pragma once

#include <cstdint>
#include <vector>

#include "candidates/group_equal_keys.h"
#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "corpus/sketches.h"
#include "data/banded_rows.h"
#include "options/match_part.h"
#include "options/settings.h"
#include "plan/banding_plan.h"
#include "store/part_verdicts.h"
#include "store/sketch_contents.h"

namespace sosie {

// The share of all band keys that a part handles. Keys are sorted by band, then by value, and
// divided into as many equal ranges as there are parts, so that a part reads the keys of only a few
// bands.
class PartKeys {
 public:
  PartKeys(const MatchPart& part, std::size_t bands) noexcept : part_(part), bands_(bands) {}

  // The bands from which the part handles at least some keys.
  [[nodiscard]] BandRange bands() const noexcept;
  // The keys of one of these bands that the part handles.
  [[nodiscard]] KeyRange of_band(std::size_t band) const noexcept;

 private:
  MatchPart part_;
  std::size_t bands_;
};

// The rows that, according to the sketches, share a key of the part with other rows.
struct PartRows {
  RowId all_rows = 0;                    // rows of all sketches
  std::vector<RowId> rows = {};          // numbers that the run has for the rows of the corpus
  Corpus corpus = {};                    // with the buckets of the part
  Buckets buckets = {};                  // like it, numbered as the run does; without small ones
                                         // that an earlier one covers
  std::vector<std::uint64_t> keys = {};  // band by band of the part
  std::vector<ColumnHash> columns = {};
};

// Reads only those columns of the sketches that the part needs. Throws as Sketches do.
[[nodiscard]] PartRows read_part_rows(const Sketches& sketches, const Settings& settings,
                                      const BandingPlan& plan, const PartKeys& keys,
                                      ThreadPool& pool);

// Hashes of the keys of each band, then of the places and texts of all rows, computed from hashes
// of blocks.
[[nodiscard]] std::vector<ColumnHash> hashes_of_columns(const std::vector<ColumnsOfBlock>& blocks,
                                                        std::size_t bands);

// True if `all` contains the buckets of a band, one after another. If the band has none, the band
// of half its number is checked instead: a band is read together with all bands before it.
[[nodiscard]] bool holds_buckets(const Buckets& all, const Sketches& sketches, std::size_t band,
                                 ThreadPool& pool);

}  // namespace sosie
