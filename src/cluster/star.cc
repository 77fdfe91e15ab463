// Star clustering of items that share buckets, in batches that several workers match.
#include "cluster/star.h"

#include <algorithm>
#include <numeric>

namespace sosie {
namespace {

constexpr Place kShare = 16;  // items a worker takes at a time

class Star {
 public:
  Star(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
       const StarSteps& steps)
      : buckets_(buckets),
        of_items_(of_items),
        pool_(pool),
        steps_(steps),
        most_survivors_(steps.crowds.most_survivors) {
    const std::size_t items = of_items.starts.size() - 1;
    clusters_.survivor.resize(items);
    std::iota(clusters_.survivor.begin(), clusters_.survivor.end(), Place{0});
    clusters_.overlap.resize(items);
    survivors_.resize(buckets.members.size());
    survivor_counts_.resize(buckets.size());
    is_crowd_.resize(buckets.size());
    added_to_crowd_.resize(items);
    workers_.resize(pool.size());
    for (Worker& worker : workers_) worker.seen_by.assign(items, kNoPlace);
  }

  Clusters run() {
    const auto items = static_cast<Place>(clusters_.survivor.size());
    for (Place begin = 0; begin < items; begin += steps_.batch) {
      const Place end = std::min<Place>(items, begin + steps_.batch);
      if (has_crowds_) steps_.crowds.begin_batch(begin, end);
      against_earlier(begin, end);
      within_batch(begin, end);
      find_crowds();
      steps_.progress(end);
    }
    return std::move(clusters_);
  }

 private:
  struct Worker {
    std::vector<Place> seen_by;  // the last item that listed this candidate
    std::vector<Place> candidates;
    std::vector<Place> of_crowds;
  };

  void against_earlier(Place begin, Place end) {
    const std::size_t shares = (end - begin + kShare - 1) / kShare;
    pool_.for_each(shares, [&](unsigned worker, std::size_t share) {
      const Place from = begin + static_cast<Place>(share) * kShare;
      for (Place item = from; item < std::min<Place>(end, from + kShare); ++item) {
        if (is_in_crowd(item)) steps_.crowds.prepare(worker, item);
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
      add_survivor(item);
    }
  }

  void add_survivor(Place item) {
    for (const std::uint32_t bucket : of_items_[item]) {
      survivors_[buckets_.starts[bucket] + survivor_counts_[bucket]++] = item;
      const bool too_many = survivor_counts_[bucket] == most_survivors_ + 1;
      if (too_many) crowded_.push_back(bucket);
    }
    if (!is_in_crowd(item)) return;
    added_to_crowd_[item] = true;
    steps_.crowds.add(item);
  }

  [[nodiscard]] bool is_in_crowd(Place item) const {
    if (!has_crowds_) return false;
    const auto buckets = of_items_[item];
    return std::any_of(buckets.begin(), buckets.end(),
                       [&](std::uint32_t bucket) { return is_crowd_[bucket]; });
  }

  // Makes buckets hot that have had too many survivors since the last batch.
  void find_crowds() {
    if (crowded_.empty() && !has_crowds_) return;
    std::vector<Place> newcomers;
    for (const std::uint32_t bucket : crowded_) {
      is_crowd_[bucket] = true;
      const Place* const first = survivors_.data() + buckets_.starts[bucket];
      for (const Place* at = first; at != first + survivor_counts_[bucket]; ++at) {
        if (added_to_crowd_[*at]) continue;
        added_to_crowd_[*at] = true;
        newcomers.push_back(*at);
      }
    }
    crowded_.clear();
    std::sort(newcomers.begin(), newcomers.end());
    has_crowds_ = steps_.crowds.end_batch(newcomers);
    if (has_crowds_) return;
    std::fill(is_crowd_.begin(), is_crowd_.end(), false);
    most_survivors_ = kNoPlace;
  }

  // Compares an item with the survivors so far from place `from` on.
  void settle(unsigned worker_index, Place item, Place from) {
    Worker& worker = workers_[worker_index];
    worker.candidates.clear();
    bool in_crowd = false;
    for (const std::uint32_t bucket : of_items_[item]) {
      if (is_crowd_[bucket]) {
        in_crowd = true;
        continue;
      }
      const Place* first = survivors_.data() + buckets_.starts[bucket];
      for (const Place* at = first + survivor_counts_[bucket]; at != first && at[-1] >= from;
           --at) {
        if (worker.seen_by[at[-1]] == item) continue;
        worker.seen_by[at[-1]] = item;
        worker.candidates.push_back(at[-1]);
      }
    }
    if (in_crowd) list_crowds(worker_index, item, from);
    if (worker.candidates.empty()) return;
    steps_.prune(worker_index, item, worker.candidates);
    std::sort(worker.candidates.begin(), worker.candidates.end());
    if (worker.candidates.empty()) return;
    if (const auto match = steps_.first_match(worker_index, item, worker.candidates)) {
      clusters_.survivor[item] = match->survivor;
      clusters_.overlap[item] = match->overlap;
    }
  }

  void list_crowds(unsigned worker_index, Place item, Place from) {
    Worker& worker = workers_[worker_index];
    worker.of_crowds.clear();
    if (from == 0) {
      steps_.crowds.list_earlier(worker_index, item, worker.of_crowds);
    } else {
      steps_.crowds.list_latest(item, worker.of_crowds);
    }
    for (const Place other : worker.of_crowds) {
      if (worker.seen_by[other] == item) continue;
      worker.seen_by[other] = item;
      if (of_items_.share_one(item, other)) worker.candidates.push_back(other);
    }
  }

  const Buckets& buckets_;
  const BucketsOfItems& of_items_;
  ThreadPool& pool_;
  const StarSteps& steps_;
  Clusters clusters_;
  std::vector<Place> survivors_;  // survivors of bucket i from buckets_.starts[i] on, ascending
  std::vector<std::uint32_t> survivor_counts_;
  std::vector<bool> is_crowd_;          // by bucket
  std::vector<std::uint32_t> crowded_;  // buckets that become hot behind this batch
  std::vector<bool> added_to_crowd_;    // by item
  bool has_crowds_ = false;
  Place most_survivors_;
  std::vector<Worker> workers_;
};

}  // namespace

Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
                       const StarSteps& steps) {
  return Star(buckets, of_items, pool, steps).run();
}

}  // namespace sosie
