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

// A cascade over bands as a join takes it: bands in whose buckets every pair that the cascade finds
// stands together, and the rule that tells such a pair. Bands are numbered so that the functions of
// an inner step follow each other.
class CascadeRule {
 public:
  // No steps: the OR of one band.
  explicit CascadeRule(const Construction& over);

  // Number of bands.
  [[nodiscard]] std::size_t bands() const noexcept { return bands_; }
  // Bands to be bucketed, ascending: all of an OR, the first of an AND.
  [[nodiscard]] std::span<const std::uint32_t> cover() const noexcept { return cover_; }

  // True if the cascade finds two rows with these keys, one a band.
  [[nodiscard]] bool finds(const std::uint32_t* left, const std::uint32_t* right) const noexcept {
    return holds(steps_.size(), left, right);
  }

 private:
  struct Step {
    bool all;
    std::size_t count;
    std::size_t width;  // bands of one of them
  };
  // True if the first `level` steps find the rows in the bands from `left` and `right` on.
  [[nodiscard]] bool holds(std::size_t level, const std::uint32_t* left,
                           const std::uint32_t* right) const noexcept;

  std::vector<Step> steps_;
  std::size_t bands_ = 1;
  std::vector<std::uint32_t> cover_{0};
};

struct BandedJoin {
  const BandedRows* table = nullptr;
  std::span<const std::uint32_t> rows;  // rows of the table, in any order
  std::size_t split = 0;          // above 0: pairs between the rows before it and those from it on
  std::size_t bands_at_once = 0;  // whose buckets are there; 0: one for each worker
  const CascadeRule* cascade = nullptr;  // in place of the OR of all bands; keys only
  // Hands over only the pairs whose first equal key is in this range; where rows have cells, the
  // pairs that this range of rows is looked up for. All ranges together find every pair once.
  KeyRange range = {};

  // Memory that a join takes: for each row, and for each row of a band whose buckets are there.
  static constexpr std::size_t kRowBytes = 4;
  static constexpr std::size_t kGroupedRowBytes = 32;
  // Bytes of a row where rows have cells.
  static constexpr std::size_t probed_row_bytes(std::size_t sketch_words) noexcept {
    return 24 + 8 * sketch_words;
  }
};

// Positions in BandedJoin::rows, left < right.
struct CandidatePair {
  std::uint32_t left;
  std::uint32_t right;
};

// Hands over every candidate pair once, in blocks of any order, called by several workers at a
// time. Rows with equal keys stand together in a bucket (MMDS 3.4.1); their sketches are compared
// in one pass, and of the bands in which a pair agrees the first counts. Of a cascade only the
// bands of its cover are bucketed, and the pairs that meet there are put to its rule. Buckets of
// any size: a pair costs a few words of a sketch, less than in an exact join. Where rows have
// cells, one is looked up in the buckets of all the cells it is near (Lv et al., VLDB 2007).
// Memory: as BandedJoin says, and a megabyte for each worker. Throws Error{cancelled}.
void find_candidates(const BandedJoin& join, ThreadPool& pool,
                     const std::function<void(std::span<const CandidatePair> pairs)>& each);

}  // namespace sosie
