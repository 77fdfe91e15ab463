#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "join/scored_pairs.h"

namespace sosie {

// The nearest of a left row's partners added so far.
class NearestRows {
 public:
  NearestRows(std::uint64_t most, bool is_similarity)
      : most_(most), is_similarity_(is_similarity) {}

  // Returns whether the pair is now among the nearest; ties are broken by input order.
  bool add(const ScoredPair& pair) {
    const auto nearer = [this](const ScoredPair& a, const ScoredPair& b) {
      return IsNearer{is_similarity_}(a, b);
    };
    if (is_full() && !nearer(pair, pairs_.front())) return false;
    if (is_full()) {
      std::pop_heap(pairs_.begin(), pairs_.end(), nearer);
      pairs_.back() = pair;
    } else {
      pairs_.push_back(pair);
    }
    std::push_heap(pairs_.begin(), pairs_.end(), nearer);
    return true;
  }

  [[nodiscard]] bool is_full() const noexcept { return pairs_.size() == most_; }
  // The value of the farthest of these partners; there must be at least one.
  [[nodiscard]] double farthest() const noexcept { return pairs_.front().value; }
  // The nearest partners, in any order.
  [[nodiscard]] const std::vector<ScoredPair>& pairs() const noexcept { return pairs_; }

 private:
  std::uint64_t most_;
  bool is_similarity_;
  std::vector<ScoredPair> pairs_;  // a heap with the farthest at the front
};

}  // namespace sosie
