#include "cluster/star.h"

#include <algorithm>
#include <numeric>

namespace sosie {
namespace {

constexpr Place kBatch = 1024;
constexpr Place kShare = 16;  // items a worker takes at a time

class Star {
 public:
  Star(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
       const StarSteps& steps)
      : buckets_(buckets), of_items_(of_items), pool_(pool), steps_(steps) {
    const std::size_t items = of_items.starts.size() - 1;
    clusters_.survivor.resize(items);
    std::iota(clusters_.survivor.begin(), clusters_.survivor.end(), Place{0});
    clusters_.overlap.resize(items);
    survivors_.resize(buckets.members.size());
    survivor_counts_.resize(buckets.size());
    workers_.resize(pool.size());
    for (Worker& worker : workers_) worker.seen_by.assign(items, kNoPlace);
  }

  Clusters run() {
    const auto items = static_cast<Place>(clusters_.survivor.size());
    for (Place begin = 0; begin < items; begin += kBatch) {
      const Place end = std::min<Place>(items, begin + kBatch);
      against_earlier(begin, end);
      within_batch(begin, end);
      steps_.progress(end);
    }
    return std::move(clusters_);
  }

 private:
  struct Worker {
    std::vector<Place> seen_by;  // the last item that listed this candidate
    std::vector<Place> candidates;
  };

  void against_earlier(Place begin, Place end) {
    const std::size_t shares = (end - begin + kShare - 1) / kShare;
    pool_.for_each(shares, [&](unsigned worker, std::size_t share) {
      const Place from = begin + static_cast<Place>(share) * kShare;
      for (Place item = from; item < std::min<Place>(end, from + kShare); ++item) {
        if (item >= steps_.fixed) settle(worker, item, 0);
      }
    });
  }

  void within_batch(Place begin, Place end) {
    pool_.check_cancelled();
    for (Place item = begin; item < end; ++item) {
      if (clusters_.survivor[item] != item) continue;
      if (item >= steps_.fixed) settle(0, item, begin);
      if (clusters_.survivor[item] != item) continue;
      if (item >= steps_.fixed && !steps_.within) continue;
      for (const std::uint32_t bucket : of_items_[item]) {
        survivors_[buckets_.starts[bucket] + survivor_counts_[bucket]++] = item;
      }
    }
  }

  // Compares an item with the survivors so far from place `from` on.
  void settle(unsigned worker_index, Place item, Place from) {
    Worker& worker = workers_[worker_index];
    worker.candidates.clear();
    for (const std::uint32_t bucket : of_items_[item]) {
      const Place* first = survivors_.data() + buckets_.starts[bucket];
      for (const Place* at = first + survivor_counts_[bucket]; at != first && at[-1] >= from;
           --at) {
        if (worker.seen_by[at[-1]] == item) continue;
        worker.seen_by[at[-1]] = item;
        worker.candidates.push_back(at[-1]);
      }
    }
    if (worker.candidates.empty()) return;
    steps_.prune(worker_index, item, worker.candidates);
    std::sort(worker.candidates.begin(), worker.candidates.end());
    if (worker.candidates.empty()) return;
    if (const auto match = steps_.first_match(worker_index, item, worker.candidates)) {
      clusters_.survivor[item] = match->survivor;
      clusters_.overlap[item] = match->overlap;
    }
  }

  const Buckets& buckets_;
  const BucketsOfItems& of_items_;
  ThreadPool& pool_;
  const StarSteps& steps_;
  Clusters clusters_;
  std::vector<Place> survivors_;  // of bucket i from buckets_.starts[i] on, ascending
  std::vector<std::uint32_t> survivor_counts_;
  std::vector<Worker> workers_;
};

}  // namespace

Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
                       const StarSteps& steps) {
  return Star(buckets, of_items, pool, steps).run();
}

}  // namespace sosie
