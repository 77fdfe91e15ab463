// Star clustering of items that share buckets, in batches matched by several workers.
#include "cluster/star.h"

#include <algorithm>
#include <numeric>

namespace sosie {
namespace {

constexpr Place kShare = 4;           // items that a worker takes at a time
constexpr std::size_t kForeseen = 8;  // members of a bucket compared with an item in advance

class Star {
 public:
  Star(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
       const StarSteps& steps)
      : buckets_(buckets),
        of_items_(of_items),
        pool_(pool),
        steps_(steps),
        looks_ahead_(steps.looks_ahead && steps.within),
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
  }

  Clusters run() {
    const auto items = static_cast<Place>(clusters_.survivor.size());
    for (Place begin = 0; begin < items;) {
      const Place end = begin_batch(begin, items);
      if (has_hot_buckets_) steps_.hot_buckets.begin_batch(begin, end);
      against_earlier();
      within_batch();
      find_hot_buckets();
      steps_.progress(end);
      begin = end;
    }
    return std::move(clusters_);
  }

 private:
  // The first similar item among all items of the batch that share a bucket with this one; most of
  // them survive.
  struct Foreseen {
    Place end = 0;                    // only items before this one were examined
    std::optional<Match> match = {};  // none: no such item is similar
    unsigned worker = 0;              // its pruned candidates are pruned[begin] ... of this worker
    std::size_t begin = 0;
    std::size_t count = 0;

    // True if this result implies that the candidate, a survivor, is not similar.
    [[nodiscard]] bool covers(Place candidate) const noexcept {
      return candidate < (match ? match->survivor : end);
    }
  };

  struct Worker {
    std::vector<Place> seen_by;  // by candidate, the last item that listed it; empty before any did
    std::vector<Place> candidates;
    std::vector<Place> of_hot_buckets;
    std::vector<Place> pruned;  // candidates that were foreseen in this batch
  };

  // Lists the items, starting at `begin`, that share a bucket with any other, as many as are
  // settled at a time, and returns the place after them. All other items survive.
  Place begin_batch(Place begin, Place items) {
    constexpr std::uint64_t kMostPlaces = 64;  // places for one such item
    const auto last = std::min<std::uint64_t>(items, begin + kMostPlaces * steps_.batch);
    batch_begin_ = begin;
    batch_.clear();
    Place end = begin;
    for (; end < last && batch_.size() < steps_.batch; ++end) {
      if (!of_items_[end].empty()) batch_.push_back(end);
    }
    foreseen_.resize(looks_ahead_ ? end - begin : 0);
    is_listed_.assign(end - begin, 0);
    return end;
  }

  void against_earlier() {
    for (Worker& worker : workers_) worker.pruned.clear();
    pool_.for_each((batch_.size() + kShare - 1) / kShare, [&](unsigned worker, std::size_t share) {
      for (const Place item : share_of(share)) {
        is_listed_[item - batch_begin_] = prepare(worker, item);
        if (item < steps_.fixed) continue;
        settle(worker, item, 0, {});
        if (!looks_ahead_) continue;
        Foreseen& foreseen = foreseen_[item - batch_begin_];
        foreseen = {};
        const bool sees_all = is_listed_[item - batch_begin_] == 0;
        if (survives(item) && sees_all) look_ahead(worker, item, batch_begin_, foreseen);
      }
    });
  }

  [[nodiscard]] std::span<const Place> share_of(std::size_t share) const {
    const std::size_t from = share * kShare;
    return std::span(batch_).subspan(from, std::min<std::size_t>(kShare, batch_.size() - from));
  }

  // Returns true if the item's candidates in hot buckets have been listed.
  [[nodiscard]] bool prepare(unsigned worker, Place item) {
    if (!is_in_hot_bucket(item)) return false;
    std::uint64_t survivors = 0;
    for (const std::uint32_t bucket : of_items_[item]) {
      if (is_hot_[bucket]) survivors += survivor_counts_[bucket];
    }
    return steps_.hot_buckets.prepare(worker, item, survivors);
  }

  void look_ahead(unsigned worker, Place item, Place begin, Foreseen& foreseen) {
    std::vector<Place>& candidates = workers_[worker].candidates;
    foreseen.end = list_batch(item, begin, candidates);
    if (candidates.empty()) return;
    steps_.prune(worker, item, candidates);
    std::sort(candidates.begin(), candidates.end());
    if (candidates.empty()) return;
    std::vector<Place>& pruned = workers_[worker].pruned;
    foreseen.worker = worker;
    foreseen.begin = pruned.size();
    foreseen.count = candidates.size();
    pruned.insert(pruned.end(), candidates.begin(), candidates.end());
    foreseen.match = steps_.first_match(worker, item, candidates);
  }

  // The items of the batch that share a bucket with this one and precede the returned
  // place.
  [[nodiscard]] Place list_batch(Place item, Place begin, std::vector<Place>& candidates) const {
    candidates.clear();
    Place end = item;
    for (const std::uint32_t bucket : of_items_[item]) {
      const auto members = buckets_[bucket];
      std::size_t taken = 0;
      for (auto at = std::lower_bound(members.begin(), members.end(), begin); *at < end; ++at) {
        if (taken++ == kForeseen)
          end = *at;
        else
          candidates.push_back(*at);
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    candidates.erase(std::lower_bound(candidates.begin(), candidates.end(), end), candidates.end());
    return end;
  }

  void within_batch() {
    pool_.check_cancelled();
    for (const Place item : batch_) {
      if (!survives(item)) continue;
      if (item >= steps_.fixed) settle_within(item, batch_begin_);
      if (!survives(item)) continue;
      if (item >= steps_.fixed && !steps_.within) continue;
      add_survivor(item);
    }
  }

  void settle_within(Place item, Place begin) {
    if (!looks_ahead_) {
      settle(0, item, begin, {});
      return;
    }
    const Foreseen& foreseen = foreseen_[item - begin];
    const bool is_matched = foreseen.match && survives(foreseen.match->survivor);
    if (!is_matched && (foreseen.match || foreseen.end < item)) {
      settle(0, item, begin, foreseen);
      return;
    }
    const std::span<const Place> pruned =
        std::span(workers_[foreseen.worker].pruned).subspan(foreseen.begin, foreseen.count);
    const auto compared = std::count_if(pruned.begin(), pruned.end(), [&](Place other) {
      return survives(other) && (!is_matched || other <= foreseen.match->survivor);
    });
    if (compared > 0) steps_.count(0, static_cast<std::size_t>(compared));
    if (is_matched) remove(item, *foreseen.match);
  }

  [[nodiscard]] bool survives(Place item) const { return clusters_.survivor[item] == item; }

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

  // Marks buckets as hot that have had too many survivors since the last batch.
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

  // Compares an item with the current survivors from place `from` onwards.
  void settle(unsigned worker_index, Place item, Place from, const Foreseen& foreseen) {
    Worker& worker = workers_[worker_index];
    if (worker.seen_by.empty()) worker.seen_by.assign(clusters_.survivor.size(), kNoPlace);
    worker.candidates.clear();
    const bool is_listed = is_listed_[item - batch_begin_] != 0;
    for (const std::uint32_t bucket : of_items_[item]) {
      if (is_listed && is_hot_[bucket]) continue;
      const Place* first = survivors_.data() + buckets_.starts[bucket];
      for (const Place* at = first + survivor_counts_[bucket]; at != first && at[-1] >= from;
           --at) {
        if (worker.seen_by[at[-1]] == item) continue;
        worker.seen_by[at[-1]] = item;
        worker.candidates.push_back(at[-1]);
      }
    }
    if (is_listed) list_hot_buckets(worker_index, item, from);
    if (worker.candidates.empty()) return;
    steps_.prune(worker_index, item, worker.candidates);
    std::sort(worker.candidates.begin(), worker.candidates.end());
    const std::span<const Place> candidates = worker.candidates;
    const auto known = std::find_if_not(candidates.begin(), candidates.end(),
                                        [&](Place other) { return foreseen.covers(other); });
    const auto match = steps_.first_match(worker_index, item, {known, candidates.end()});
    auto end = candidates.end();
    if (match) {
      end = std::upper_bound(known, candidates.end(), match->survivor);
      remove(item, *match);
    }
    steps_.count(worker_index, static_cast<std::size_t>(end - candidates.begin()));
  }

  void remove(Place item, const Match& match) {
    clusters_.survivor[item] = match.survivor;
    clusters_.overlap[item] = match.overlap;
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
  bool looks_ahead_;
  Place batch_begin_ = 0;
  std::vector<Place> batch_;             // items of the batch, ascending
  std::vector<Foreseen> foreseen_;       // by place behind batch_begin_
  std::vector<std::uint8_t> is_listed_;  // by place behind batch_begin_: hot buckets are listed
  bool has_hot_buckets_ = false;
  Place most_survivors_;
  std::vector<Worker> workers_;
};

}  // namespace

Clusters star_clusters(const Buckets& buckets, const BucketsOfItems& of_items, ThreadPool& pool,
                       const StarSteps& steps) {
  return Star(buckets, of_items, pool, steps).run();
}

template class SortedRecords<VerifiedPair>;

PairSource source_of(const SortedRecords<VerifiedPair>& sorted) {
  return [&sorted](const std::function<void(std::span<const VerifiedPair>)>& each) {
    constexpr std::size_t kPairsAtOnce = 4096;
    std::vector<VerifiedPair> some;
    sorted.for_each([&](const VerifiedPair& pair) {
      some.push_back(pair);
      if (some.size() < kPairsAtOnce) return true;
      each(some);
      some.clear();
      return true;
    });
    each(some);
  };
}

Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed) {
  Clusters clusters;
  clusters.survivor.resize(items);
  std::iota(clusters.survivor.begin(), clusters.survivor.end(), Place{0});
  clusters.overlap.resize(items);
  // Every pair that can remove an item precedes the pairs in which the item is on the left.
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      const bool open = pair.right >= fixed && clusters.survivor[pair.right] == pair.right;
      if (!open || clusters.survivor[pair.left] != pair.left) continue;
      clusters.survivor[pair.right] = pair.left;
      clusters.overlap[pair.right] = pair.overlap;
    }
  });
  return clusters;
}

}  // namespace sosie
