#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"
#include "join/scored_pairs.h"
#include "store/run/saved_pairs.h"

namespace sosie {

// Puts pairs in order, each once.
void sort_pairs(std::vector<SavedPair>& pairs);

// A hashed join whose candidates are known, all of them: it answers what the join would.
class PartJoin {
 public:
  // Candidates among `items` that are pairs, and those that are none, in any order.
  PartJoin(const std::vector<SavedPair>& pairs, const std::vector<SavedPair>& far_pairs,
           RowId items);

  // Works like InMemoryJoiner::find(), from one thread.
  std::uint64_t find(std::span<const RowId> rows, std::size_t split, const EachPairs& each);

 private:
  // A candidate of an item, of which the other one is `item`.
  struct Candidate {
    RowId item;
    bool is_pair;
    double value;
  };

  std::vector<std::uint64_t> starts_;    // candidates of item i: starts_[i] .. starts_[i + 1]
  std::vector<Candidate> candidates_;    // each pair with the item that is less
  std::vector<std::uint32_t> position_;  // by item, of the rows of find(); kNoRow: none
};

}  // namespace sosie
