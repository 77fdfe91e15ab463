#pragma once

#include <functional>
#include <mutex>
#include <span>

#include "io/external_sort.h"
#include "io/scratch.h"
#include "pipeline/measured/measured_pairs.h"

namespace sosie {

// Pairs that come in any order, from several workers, and go sorted by (left, right); what exceeds
// the memory given goes to scratch.
class SortedPairs {
 public:
  SortedPairs(Scratch& scratch, std::uint64_t memory_bytes) : pairs_(scratch, memory_bytes) {}

  // No pair twice. Returns how many there are now. Throws what ExternalSort::add() does.
  std::uint64_t add(std::span<const MeasuredPair> pairs);

  // Calls each(pairs of some whole left rows), once, behind the last add().
  void drain(const std::function<void(std::span<const MeasuredPair>)>& each);

 private:
  struct Keyed {
    std::uint64_t key;  // left, then right
    double value;
  };

  std::mutex mutex_;
  ExternalSort<Keyed> pairs_;
};

}  // namespace sosie
