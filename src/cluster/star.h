#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "data/clusters.h"
#include "io/sorted_records.h"

namespace sosie {

// An item's first match among its candidates.
struct Match {
  Place survivor;
  Overlap overlap;
};

// Functions that list candidates in hot buckets, which have very many survivors. Items come in
// batches, all of one in begin_batch(); several workers at once call the functions that take
// `worker`, with different items.
struct HotBucketSteps {
  Place most_survivors = kNoPlace;  // most survivors of a bucket that is not hot
  std::function<void(Place begin, Place end)> begin_batch;
  // Before anything else of an item of the batch that is in hot buckets, which have so many
  // survivors in all. False: all of these are its candidates, and none are listed for it.
  std::function<bool(unsigned worker, Place item, std::uint64_t survivors)> prepare;
  // Append what may match among the survivors of hot buckets from before the batch, and of the
  // batch; in no order, with repetitions and with items that share no bucket.
  std::function<void(unsigned worker, Place item, std::vector<Place>& candidates)> list_earlier;
  std::function<void(Place item, std::vector<Place>& candidates)> list_latest;
  std::function<void(Place item)> add;  // a survivor of the batch, in a hot bucket
  // The survivors of buckets that became hot in this batch, but for those that were added before.
  // False: there are no hot buckets any more, all buckets are as others.
  std::function<bool(std::span<const Place> newcomers)> end_batch;
};

// Questions of star clustering about candidates; several workers at once call both.
struct StarSteps {
  // Items before this one survive whatever they are similar to.
  Place fixed = 0;
  // True if the others are compared with each other too, not only with the fixed items.
  bool within = true;
  // Takes out of `candidates` (in no order, no repetitions) what cannot match; must not depend on
  // which others are listed.
  std::function<void(unsigned worker, Place item, std::vector<Place>& candidates)> prune;
  // The first of `candidates` (ascending) that is verified to be similar to item. It may be asked
  // about candidates that turn out not to survive.
  std::function<std::optional<Match>(unsigned worker, Place item, std::span<const Place>)>
      first_match;
  // An item was settled by so many comparisons with survivors: the same number whatever the batches
  // and the threads are.
  std::function<void(unsigned worker, std::size_t compared)> count;
  HotBucketSteps hot_buckets = {};
  // Items with a bucket that are settled at a time, and whether they are compared with each other
  // as if all survived: a matter of speed.
  Place batch = 1024;
  bool looks_ahead = true;
  // Called after every batch with the number of items done.
  std::function<void(std::size_t done)> progress;
};

// Star clustering in rank order: each item is compared with the survivors so far that share a
// bucket with it, best rank first; the first match removes it, otherwise it survives. The result
// depends on buckets and matches only, not on threads: items of a batch are first compared with
// survivors of earlier batches (any match there ranks before every one in the batch), then with
// each other as if all survived, both in parallel; what that tells settles them in turn.
[[nodiscard]] Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items,
                                     ThreadPool& pool, const StarSteps& steps);

extern template class SortedRecords<VerifiedPair>;

// The pairs that `sorted` holds, which must outlive the result.
[[nodiscard]] PairSource source_of(const SortedRecords<VerifiedPair>& sorted);

// Star clustering when all pairs (left < right, repetitions allowed: the first one counts) are
// known: in rank order each item is removed by the best-ranked survivor that it is a pair with,
// otherwise it survives; the first `fixed` always do. The same as star_clusters() over candidates
// of which exactly these pairs are similar. O(pairs).
[[nodiscard]] Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
