#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"
#include "join/scored_pairs.h"
#include "store/run/saved_pairs.h"

namespace sosie {

// Sorts pairs and removes repetitions.
void sort_pairs(std::vector<SavedPair>& pairs);

// Answers queries of a hashed join from its known candidates, which must be complete.
class PartJoin {
 public:
  // Candidates among `items` that are pairs, and candidates that are not, in any order.
  PartJoin(const std::vector<SavedPair>& pairs, const std::vector<SavedPair>& far_pairs,
           RowId items);

  // Like InMemoryJoiner::find(), from one thread.
  std::uint64_t find(std::span<const RowId> rows, std::size_t split, const EachPairs& each);

 private:
  // A candidate of an item; `item` is the other one.
  struct Candidate {
    RowId item;
    bool is_pair;
    double value;
  };

  std::vector<std::uint64_t> starts_;    // candidates of item i: starts_[i] .. starts_[i + 1]
  std::vector<Candidate> candidates_;    // each pair under the lower item
  std::vector<std::uint32_t> position_;  // by item, in the rows of find(); kNoRow: none
};

}  // namespace sosie
