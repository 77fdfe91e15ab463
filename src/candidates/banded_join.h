#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "candidates/group_equal_keys.h"
#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "data/hash_family.h"

namespace sosie {

// A cascade over bands, in the form that joins use: bands whose buckets together contain every pair
// that the cascade finds, and the rule that decides whether such a pair is found. Bands are
// numbered so that the functions of an inner step are consecutive.
class CascadeRule {
 public:
  // Without steps: the OR of a single band.
  explicit CascadeRule(const Construction& over);

  // Number of bands.
  [[nodiscard]] std::size_t bands() const noexcept { return bands_; }
  // Bands to be grouped into buckets, ascending: all bands of an OR, the first band of an AND.
  [[nodiscard]] std::span<const std::uint32_t> cover() const noexcept { return cover_; }

  // True if the cascade finds two rows with these keys (for each row, one key per band).
  [[nodiscard]] bool finds(const std::uint32_t* left, const std::uint32_t* right) const noexcept {
    return holds(steps_.size(), left, right);
  }

 private:
  struct Step {
    bool all;
    std::size_t count;
    std::size_t width;  // bands in each one
  };
  // True if the first `level` steps find the rows, using the bands that start at `left` and
  // `right`.
  [[nodiscard]] bool holds(std::size_t level, const std::uint32_t* left,
                           const std::uint32_t* right) const noexcept;

  std::vector<Step> steps_;
  std::size_t bands_ = 1;
  std::vector<std::uint32_t> cover_{0};
};

struct BandedJoin {
  const BandedRows* table = nullptr;
  std::span<const std::uint32_t> rows;  // rows of the table, in any order
  std::size_t split = 0;                // above 0: only pairs with one row on either side of it
  std::size_t bands_at_once = 0;  // number of bands whose buckets are in memory; 0: one per worker
  const CascadeRule* cascade = nullptr;  // instead of the OR of all bands; keys only
  // Reports only pairs whose first equal key is in this range or, if rows have cells, the pairs
  // found by looking up this range of rows. All ranges together find every pair once.
  KeyRange range = {};

  // Memory of a join: bytes per row, plus bytes per row for each band whose buckets are in memory.
  static constexpr std::size_t kRowBytes = 4;
  static constexpr std::size_t kGroupedRowBytes = 32;
  // Bytes per row if rows have cells.
  static constexpr std::size_t probed_row_bytes(std::size_t sketch_words) noexcept {
    return 24 + 8 * sketch_words;
  }
};

// Positions in BandedJoin::rows, left < right.
struct CandidatePair {
  std::uint32_t left;
  std::uint32_t right;
};

// Reports every candidate pair once, in blocks in arbitrary order, concurrently from several
// workers. Rows with equal keys share a bucket (MMDS 3.4.1). Within a bucket, sketches are compared
// in one pass; a pair that agrees in several bands is reported only by the first of them. For a
// cascade, only the bands in its cover are grouped into buckets, and its rule decides on the pairs
// that share such a bucket. Buckets may have any size, because comparing a pair reads only a few
// words of its sketches, fewer than in an exact join. If rows have cells, each row is looked up in
// the buckets of all cells that it is near (Lv et al., VLDB 2007). Memory: as stated in BandedJoin,
// plus a megabyte per worker. Throws Error{cancelled}.
void find_candidates(const BandedJoin& join, ThreadPool& pool,
                     const std::function<void(std::span<const CandidatePair> pairs)>& each);

}  // namespace sosie
