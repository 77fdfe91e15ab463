#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/identical.h"

namespace sosie {

// Two items whose similarity is needed, whatever it is.
struct ItemPair {
  Place left;
  Place right;
};

// The items of a run, and the data from which their sets are built.
struct ItemsOfRun {
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
  const Settings& settings;
};

// Overlaps of pairs of items, counted from their texts: one for each pair in `asked`, in its order.
// Reports the progress of decompression.
[[nodiscard]] std::vector<Overlap> exact_overlaps(const ItemsOfRun& run,
                                                  std::span<const ItemPair> asked, ThreadPool& pool,
                                                  const RunHooks& hooks);

}  // namespace sosie
