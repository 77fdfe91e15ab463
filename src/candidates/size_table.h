#pragma once

#include <cstdint>
#include <vector>

#include "candidates/prefix_join.h"
#include "data/token_sets.h"
#include "kernels/join_postings.h"

namespace sosie {

// Bounds of a threshold for each size that occurs in a collection, computed once. Each of the two
// tables has at most as many numbers as the sets have tokens, since distinct sizes add up.
class SizeTable {
 public:
  // `across`: a join of two collections; else partners that are looked for are no larger.
  SizeTable(const TokenSets& sets, const PrefixJoin& join, bool across);

  // By set: the rank of its size among all.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const noexcept { return ranks_; }
  [[nodiscard]] const std::vector<kernels::SizeRow>& rows() const noexcept { return rows_; }

  // Numbers of a set's first tokens that are indexed, and that are looked up, by the rank of its
  // size.
  [[nodiscard]] std::uint32_t indexed(std::uint32_t rank) const noexcept { return indexed_[rank]; }
  [[nodiscard]] std::uint32_t probed(std::uint32_t rank) const noexcept { return probed_[rank]; }

 private:
  void rank_sizes(const TokenSets& sets);
  void set_ranges(const PrefixJoin& join, bool across);
  void add_differences(const PrefixJoin& join);
  void add_positions(const PrefixJoin& join);

  std::vector<std::uint32_t> ranks_;
  std::vector<kernels::SizeRow> rows_;
  std::vector<std::uint32_t> indexed_;         // by rank
  std::vector<std::uint32_t> probed_;          // likewise
  std::vector<std::uint32_t> most_different_;  // rows one behind the other
  std::vector<std::uint32_t> most_positions_;  // likewise
};

}  // namespace sosie
