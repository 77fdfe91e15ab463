#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/identical.h"

namespace sosie {

// A pair of items whose similarity is needed, however low it is.
struct ItemPair {
  Place left;
  Place right;
};

// The items of a run, and the data from which their sets are made.
struct ItemsOfRun {
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
  const Settings& settings;
};

// Counts the overlaps of pairs of items from their texts and returns them in the order of `asked`.
// Reports the progress of decompression.
[[nodiscard]] std::vector<Overlap> exact_overlaps(const ItemsOfRun& run,
                                                  std::span<const ItemPair> asked, ThreadPool& pool,
                                                  const RunHooks& hooks);

}  // namespace sosie
