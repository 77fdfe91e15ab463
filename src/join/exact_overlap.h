#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/identical.h"

namespace sosie {

// Two items whose similarity is asked for, whatever it is.
struct AskedPair {
  Place left;
  Place right;
};

// What the items of each pair share, counted from their texts; as many as `asked`, in its order.
[[nodiscard]] std::vector<Overlap> exact_overlaps(const Inputs& inputs, const Corpus& corpus,
                                                  const Items& items, const Settings& settings,
                                                  std::span<const AskedPair> asked,
                                                  ThreadPool& pool);

}  // namespace sosie
