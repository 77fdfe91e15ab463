#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"
#include "join/scored_pairs.h"
#include "store/run/saved_pairs.h"

namespace sosie {

// Sorts pairs and removes duplicates.
void sort_pairs(std::vector<SavedPair>& pairs);

// Answers the queries of a hashed join from candidates that are already known; these must be
// complete.
class PartJoin {
 public:
  // The candidates among `items` that are pairs, and those that are not, in any order.
  PartJoin(const std::vector<SavedPair>& pairs, const std::vector<SavedPair>& far_pairs,
           RowId items);

  // Like InMemoryJoiner::find(), from one thread.
  std::uint64_t find(std::span<const RowId> rows, std::size_t split, const EachPairs& each);

 private:
  // A candidate partner of an item; `item` is the partner.
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
