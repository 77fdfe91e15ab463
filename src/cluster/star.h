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

// Functions that list candidates in hot buckets, which have very many survivors. Items arrive in
// batches, all of a batch in begin_batch(); several workers concurrently call the functions that
// take `worker`, with different items.
struct HotBucketSteps {
  Place most_survivors = kNoPlace;  // maximum number of survivors in a bucket that is not hot
  std::function<void(Place begin, Place end)> begin_batch;
  // Called before the other functions for an item of the batch that is in hot buckets, with their
  // total number of survivors. Returns false if all of these are its candidates and none are listed
  // for it.
  std::function<bool(unsigned worker, Place item, std::uint64_t survivors)> prepare;
  // Append possible matches among the survivors of hot buckets from before the batch, and from the
  // batch; in any order, with repetitions and with items that share no bucket.
  std::function<void(unsigned worker, Place item, std::vector<Place>& candidates)> list_earlier;
  std::function<void(Place item, std::vector<Place>& candidates)> list_latest;
  std::function<void(Place item)> add;  // a survivor of the batch, in a hot bucket
  // Receives the survivors of buckets that became hot in this batch, except those added before.
  // Returns false if hot buckets are from now on treated like other buckets.
  std::function<bool(std::span<const Place> newcomers)> end_batch;
};

// Callbacks of star clustering for candidates; several workers call both concurrently.
struct StarSteps {
  // Items before this one survive, whatever they are similar to.
  Place fixed = 0;
  // True if the other items are also compared with each other, not only with the fixed items.
  bool within = true;
  // Removes from `candidates` (in any order, no repetitions) those that cannot match; must not
  // depend on which others are listed.
  std::function<void(unsigned worker, Place item, std::vector<Place>& candidates)> prune;
  // The first of `candidates` (ascending) that is verified to be similar to item. May be called
  // with candidates that turn out not to survive.
  std::function<std::optional<Match>(unsigned worker, Place item, std::span<const Place>)>
      first_match;
  // Receives the number of survivors with which an item was compared, which does not depend on
  // batches or threads.
  std::function<void(unsigned worker, std::size_t compared)> count;
  HotBucketSteps hot_buckets = {};
  // Number of items with a bucket that are processed at a time, and whether they are compared with
  // each other as if all survived: affects speed only.
  Place batch = 1024;
  bool looks_ahead = true;
  // Called after every batch with the number of items done.
  std::function<void(std::size_t done)> progress;
};

// Star clustering in rank order: each item is compared with the survivors so far that share a
// bucket with it, best rank first; the first match removes it, otherwise it survives. The result
// depends on buckets and matches only, not on threads: items of a batch are first compared with
// survivors of earlier batches (any match there ranks before every one in the batch), then with
// each other as if all survived, both in parallel; the results then decide on them in turn.
[[nodiscard]] Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items,
                                     ThreadPool& pool, const StarSteps& steps);

extern template class SortedRecords<VerifiedPair>;

// The pairs in `sorted`, which must outlive the result.
[[nodiscard]] PairSource source_of(const SortedRecords<VerifiedPair>& sorted);

// Star clustering if all pairs (left < right, repetitions allowed: the first one counts) are known:
// in rank order each item is removed by the best-ranked survivor with which it forms a pair,
// otherwise it survives; the first `fixed` always do. Equivalent to star_clusters() over candidates
// of which exactly these pairs are similar. O(pairs).
[[nodiscard]] Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
