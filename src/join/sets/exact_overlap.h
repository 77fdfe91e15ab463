#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/identical.h"

namespace sosie {

// Two items whose similarity is asked for, whatever it is.
struct ItemPair {
  Place left;
  Place right;
};

// The items of a run, and what their sets are made of.
struct ItemsOfRun {
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
  const Settings& settings;
};

// Overlaps of each pair of items, counted from their texts: one for each pair of `asked`, in its
// order. Reports the progress of unpacking.
[[nodiscard]] std::vector<Overlap> exact_overlaps(const ItemsOfRun& run,
                                                  std::span<const ItemPair> asked, ThreadPool& pool,
                                                  const RunHooks& hooks);

}  // namespace sosie
