// Counts the overlaps of given pairs of items from texts read again in order.
#include "join/sets/exact_overlap.h"

#include <algorithm>
#include <memory>

#include "core/memory_budget.h"
#include "corpus/rows/shingle_sets.h"
#include "corpus/rows_at_hand.h"

namespace sosie {

std::vector<Overlap> exact_overlaps(const ItemsOfRun& run, std::span<const ItemPair> asked,
                                    ThreadPool& pool, const RunHooks& hooks) {
  RowsAtHand at_hand(run.inputs);
  for (const ItemPair& pair : at_hand.is_needed() ? asked : std::span<const ItemPair>{}) {
    at_hand.add(run.corpus.locator(run.items.rows[pair.left]));
    at_hand.add(run.corpus.locator(run.items.rows[pair.right]));
  }
  at_hand.keep(pool, hooks);
  constexpr std::size_t kShare = 64;
  std::vector<Overlap> overlaps(asked.size());
  std::vector<std::unique_ptr<ShingleSets>> sets(pool.size());
  pool.for_each((asked.size() + kShare - 1) / kShare, [&](unsigned worker, std::size_t share) {
    if (!sets[worker]) {
      sets[worker] =
          std::make_unique<ShingleSets>(run.inputs, run.corpus, run.items, run.settings.shingle,
                                        MemoryBudget::kShingleSets / pool.size());
    }
    const std::size_t begin = share * kShare;
    for (std::size_t i = begin; i < std::min(asked.size(), begin + kShare); ++i) {
      const ItemPair& pair = asked[i];
      const ShingleSet left = sets[worker]->get(pair.left);
      const ShingleSet right = sets[worker]->get(pair.right);
      overlaps[i] = run.settings.measure->overlap(left.hashes(), right.hashes());
    }
  });
  return overlaps;
}

}  // namespace sosie
