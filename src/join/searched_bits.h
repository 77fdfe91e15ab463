#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "data/bit_column.h"
#include "join/scored_pairs.h"
#include "options/bit_settings.h"

namespace sosie {

// Bit strings that are laid out once, for others to be looked up in as they come, by a pass over
// all of them. Memory: as much again as the column.
class SearchedBits {
 public:
  // `data` and `settings` outlive this.
  SearchedBits(const BitColumn& data, const BitSettings& settings);

  // `most`: of the strings that reach the settings' bound (if there is one) so many nearest are
  // wanted; 0: all. The strings that are found for each row of `asked`, which are as long, nearest
  // first (ties: in their order), as pairs of a row and a string's number. Returns how many pairs
  // were compared. Throws Error{cancelled}.
  std::uint64_t find(const BitColumn& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<std::vector<ScoredPair>>& found) const;

 private:
  struct Asked;
  // Blocks of strings behind each other.
  struct Blocks {
    std::size_t begin;
    std::size_t end;
  };

  void search(const Blocks& blocks, Asked& asked) const;
  void measure(std::size_t string, Asked& asked) const;
  // Strings that differ in so many bits are not wanted.
  [[nodiscard]] std::uint64_t limit(const Asked& asked) const;

  const BitColumn& data_;
  const BitSettings& settings_;
  std::size_t block_count_;
  std::vector<std::uint64_t> blocks_;  // sketch blocks, in the layout of near_sketches()
};

}  // namespace sosie
