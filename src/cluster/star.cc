// Star clustering of items that share buckets, in batches that several workers match.
#include "cluster/star.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace sosie {
namespace {

constexpr Place kShare = 16;          // items a worker takes at a time
constexpr std::size_t kExpected = 4;  // members of a bucket that are got ready with another one

class Star {
 public:
  Star(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
       const StarSteps& steps)
      : buckets_(buckets),
        of_items_(of_items),
        pool_(pool),
        steps_(steps),
        is_ahead_(steps.ahead.make_ready && pool.size() > 1),
        most_survivors_(steps.hot_buckets.most_survivors) {
    const std::size_t items = of_items.starts.size() - 1;
    clusters_.survivor.resize(items);
    std::iota(clusters_.survivor.begin(), clusters_.survivor.end(), Place{0});
    clusters_.overlap.resize(items);
    survivors_.resize(buckets.members.size());
    survivor_counts_.resize(buckets.size());
    is_hot_.resize(buckets.size());
    added_to_hot_.resize(items);
    workers_.resize(pool.size());
    for (Worker& worker : workers_) worker.seen_by.assign(items, kNoPlace);
    first_match_within_ = steps.first_match;
    if (!is_ahead_) return;
    first_match_within_ = [&steps](unsigned /*worker*/, Place item, std::span<const Place> some) {
      return steps.ahead.first_match(item, some);
    };
    is_expected_ = std::vector<std::atomic<bool>>(steps.batch);
  }

  Clusters run() {
    const auto items = static_cast<Place>(clusters_.survivor.size());
    for (Place begin = 0; begin < items; begin += steps_.batch) {
      const Place end = std::min<Place>(items, begin + steps_.batch);
      if (has_hot_buckets_) steps_.hot_buckets.begin_batch(begin, end);
      against_earlier(begin, end);
      if (is_ahead_ && steps_.within) get_ready(begin, end);
      within_batch(begin, end);
      find_hot_buckets();
      steps_.progress(end);
    }
    return std::move(clusters_);
  }

 private:
  using FirstMatch = decltype(StarSteps::first_match);

  struct Worker {
    std::vector<Place> seen_by;  // the last item that listed this candidate
    std::vector<Place> candidates;
    std::vector<Place> of_hot_buckets;
  };

  void against_earlier(Place begin, Place end) {
    for_each_of_batch(begin, end, [&](unsigned worker, Place item) {
      if (is_in_hot_bucket(item)) steps_.hot_buckets.prepare(worker, item);
      if (item >= steps_.fixed) settle(worker, item, 0, steps_.first_match);
    });
  }

  template <typename Each>
  void for_each_of_batch(Place begin, Place end, const Each& each) {
    const std::size_t shares = (end - begin + kShare - 1) / kShare;
    pool_.for_each(shares, [&](unsigned worker, std::size_t share) {
      const Place from = begin + static_cast<Place>(share) * kShare;
      for (Place item = from; item < std::min<Place>(end, from + kShare); ++item) {
        each(worker, item);
      }
    });
  }

  // The survivors so far that may be compared with each other.
  void get_ready(Place begin, Place end) {
    steps_.ahead.begin_batch();
    for_each_of_batch(begin, end, [&](unsigned worker, Place item) {
      if (item < steps_.fixed || clusters_.survivor[item] != item) return;
      std::vector<Place>& candidates = workers_[worker].candidates;
      list_expected(item, begin, candidates);
      if (!candidates.empty()) steps_.ahead.prune(worker, item, candidates);
      if (!candidates.empty()) expect(item, begin);
      for (const Place other : candidates) expect(other, begin);
    });
    for_each_of_batch(begin, end, [&](unsigned worker, Place item) {
      if (!is_expected_[item - begin].load(std::memory_order_relaxed)) return;
      is_expected_[item - begin].store(false, std::memory_order_relaxed);
      steps_.ahead.make_ready(worker, item);
    });
  }

  void expect(Place item, Place begin) {
    is_expected_[item - begin].store(true, std::memory_order_relaxed);
  }

  // Some items of the batch before this one that share a bucket with it, the first of each bucket.
  void list_expected(Place item, Place begin, std::vector<Place>& candidates) const {
    candidates.clear();
    for (const std::uint32_t bucket : of_items_[item]) {
      if (is_hot_[bucket]) continue;
      const auto members = buckets_[bucket];
      std::size_t taken = 0;
      for (auto at = std::lower_bound(members.begin(), members.end(), begin);
           *at != item && taken < kExpected; ++at) {
        if (clusters_.survivor[*at] != *at) continue;
        candidates.push_back(*at);
        ++taken;
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  }

  void within_batch(Place begin, Place end) {
    pool_.check_cancelled();
    for (Place item = begin; item < end; ++item) {
      if (clusters_.survivor[item] != item) continue;
      if (item >= steps_.fixed) settle(0, item, begin, first_match_within_);
      if (clusters_.survivor[item] != item) continue;
      if (item >= steps_.fixed && !steps_.within) continue;
      add_survivor(item);
    }
  }

  void add_survivor(Place item) {
    for (const std::uint32_t bucket : of_items_[item]) {
      survivors_[buckets_.starts[bucket] + survivor_counts_[bucket]++] = item;
      const bool too_many = survivor_counts_[bucket] == most_survivors_ + 1;
      if (too_many) new_hot_buckets_.push_back(bucket);
    }
    if (!is_in_hot_bucket(item)) return;
    added_to_hot_[item] = true;
    steps_.hot_buckets.add(item);
  }

  [[nodiscard]] bool is_in_hot_bucket(Place item) const {
    if (!has_hot_buckets_) return false;
    const auto buckets = of_items_[item];
    return std::any_of(buckets.begin(), buckets.end(),
                       [&](std::uint32_t bucket) { return is_hot_[bucket]; });
  }

  // Makes buckets hot that have had too many survivors since the last batch.
  void find_hot_buckets() {
    if (new_hot_buckets_.empty() && !has_hot_buckets_) return;
    std::vector<Place> newcomers;
    for (const std::uint32_t bucket : new_hot_buckets_) {
      is_hot_[bucket] = true;
      const Place* const first = survivors_.data() + buckets_.starts[bucket];
      for (const Place* at = first; at != first + survivor_counts_[bucket]; ++at) {
        if (added_to_hot_[*at]) continue;
        added_to_hot_[*at] = true;
        newcomers.push_back(*at);
      }
    }
    new_hot_buckets_.clear();
    std::sort(newcomers.begin(), newcomers.end());
    has_hot_buckets_ = steps_.hot_buckets.end_batch(newcomers);
    if (has_hot_buckets_) return;
    std::fill(is_hot_.begin(), is_hot_.end(), false);
    most_survivors_ = kNoPlace;
  }

  // Compares an item with the survivors so far from place `from` on.
  void settle(unsigned worker_index, Place item, Place from, const FirstMatch& first_match) {
    Worker& worker = workers_[worker_index];
    worker.candidates.clear();
    bool in_hot_bucket = false;
    for (const std::uint32_t bucket : of_items_[item]) {
      if (is_hot_[bucket]) {
        in_hot_bucket = true;
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
    if (in_hot_bucket) list_hot_buckets(worker_index, item, from);
    if (worker.candidates.empty()) return;
    steps_.prune(worker_index, item, worker.candidates);
    std::sort(worker.candidates.begin(), worker.candidates.end());
    if (worker.candidates.empty()) return;
    if (const auto match = first_match(worker_index, item, worker.candidates)) {
      clusters_.survivor[item] = match->survivor;
      clusters_.overlap[item] = match->overlap;
    }
  }

  void list_hot_buckets(unsigned worker_index, Place item, Place from) {
    Worker& worker = workers_[worker_index];
    worker.of_hot_buckets.clear();
    if (from == 0) {
      steps_.hot_buckets.list_earlier(worker_index, item, worker.of_hot_buckets);
    } else {
      steps_.hot_buckets.list_latest(item, worker.of_hot_buckets);
    }
    for (const Place other : worker.of_hot_buckets) {
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
  std::vector<bool> is_hot_;                    // by bucket
  std::vector<std::uint32_t> new_hot_buckets_;  // buckets that become hot behind this batch
  std::vector<bool> added_to_hot_;              // by item
  bool is_ahead_;                               // items of a batch are got ready
  std::vector<std::atomic<bool>> is_expected_;  // items of the batch
  FirstMatch first_match_within_;               // by one worker
  bool has_hot_buckets_ = false;
  Place most_survivors_;
  std::vector<Worker> workers_;
};

}  // namespace

Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
                       const StarSteps& steps) {
  return Star(buckets, of_items, pool, steps).run();
}

}  // namespace sosie
