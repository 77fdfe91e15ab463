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

// The first of an item's candidates that matches it.
struct Match {
  Place survivor;
  Overlap overlap;
};

// Functions that list candidates in hot buckets, which have very many survivors. Items arrive in
// batches, and begin_batch() passes all items of a batch. Several workers concurrently call the
// functions that have a parameter `worker`, each for different items.
struct HotBucketSteps {
  Place most_survivors = kNoPlace;  // maximum number of survivors in a bucket that is not hot
  std::function<void(Place begin, Place end)> begin_batch;
  // Called before the other functions for each item of the batch that is in hot buckets, with the
  // total number of survivors in these buckets. If it returns false, all of these survivors are
  // candidates and no candidates are listed for the item.
  std::function<bool(unsigned worker, Place item, std::uint64_t survivors)> prepare;
  // Append possible matches among the survivors in hot buckets: list_earlier() survivors of earlier
  // batches, list_latest() survivors of this batch. The order is arbitrary; there may be
  // duplicates, and items that share no bucket.
  std::function<void(unsigned worker, Place item, std::vector<Place>& candidates)> list_earlier;
  std::function<void(Place item, std::vector<Place>& candidates)> list_latest;
  std::function<void(Place item)> add;  // a survivor of the batch, in a hot bucket
  // Receives the survivors of buckets that became hot in this batch, except survivors that have
  // already been added. Returns false if hot buckets are to be treated like other buckets from now
  // on.
  std::function<bool(std::span<const Place> newcomers)> end_batch;
};

// Callbacks of star clustering that handle candidates. Several workers may call prune and the
// comparison concurrently.
struct StarSteps {
  // All items before this one survive, regardless of which items they are similar to.
  Place fixed = 0;
  // True if the remaining items are compared with each other, and not only with the fixed items.
  bool within = true;
  // Removes from `candidates` (in any order, without duplicates) items that cannot match. Whether
  // an item is removed must not depend on the other candidates.
  std::function<void(unsigned worker, Place item, std::vector<Place>& candidates)> prune;
  // Returns the first of `candidates` (ascending) that is verified to be similar to `item`. It may
  // be called with candidates that later turn out not to survive.
  std::function<std::optional<Match>(unsigned worker, Place item, std::span<const Place>)>
      first_match;
  // Receives the number of survivors with which an item was compared. The number does not depend on
  // batches or threads.
  std::function<void(unsigned worker, std::size_t compared)> count;
  HotBucketSteps hot_buckets = {};
  // Number of items that are processed together, counting only items with a bucket, and whether
  // these are compared with each other as if all of them survived. Affects only the speed.
  Place batch = 1024;
  bool looks_ahead = true;
  // Called after every batch with the number of items processed so far.
  std::function<void(std::size_t done)> progress;
};

// Star clustering in rank order: each item is compared with the survivors so far that share a
// bucket with it, best rank first; the first match removes it, and without a match it survives. The
// result depends only on buckets and matches, not on threads: the items of a batch are compared in
// parallel first with survivors of earlier batches (a match there ranks before any match in the
// batch), and then with each other as if all of them survived; the items' fates are then decided
// one after another from these results.
[[nodiscard]] Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items,
                                     ThreadPool& pool, const StarSteps& steps);

extern template class SortedRecords<VerifiedPair>;

// A source of the pairs in `sorted`, which must outlive it.
[[nodiscard]] PairSource source_of(const SortedRecords<VerifiedPair>& sorted);

// Star clustering if all pairs are known (left < right; if a pair is repeated, its first occurrence
// counts). In rank order, each item is removed by the best-ranked survivor with which it forms a
// pair, and survives if there is none; the first `fixed` items always survive. Equivalent to
// star_clusters() for candidates among which exactly these pairs are similar. O(pairs).
[[nodiscard]] Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
