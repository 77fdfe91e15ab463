// Finds the similar pairs of a run by buckets: lists candidates, prunes and verifies.
#include "join/sets/verified_pairs.h"

#include <algorithm>

#include "join/sets/matcher.h"

namespace sosie {
namespace {

constexpr Place kShare = 64;  // items a worker takes at a time
constexpr std::size_t kTakenAtOnce = 4096;

// Places [begin, end).
struct Places {
  Place begin;
  Place end;

  [[nodiscard]] Place size() const noexcept { return end > begin ? end - begin : 0; }
};

class PairFinder {
 public:
  PairFinder(SetRun& run, PairScope scope)
      : matcher_(*run.matcher),
        pool_(run.pool),
        items_(run.items.size()),
        lefts_{0, std::min(items_, scope.left_end)},
        rights_{scope.right_begin, items_},
        from_rights_(rights_.size() < lefts_.size()),
        rule_(hot_bucket_rule(run.settings)),
        filter_(rule_, sets_of(matcher_), run.pool),
        is_hot_(matcher_.buckets().size()),
        workers_(run.pool.size()) {
    if (!run.choice.finds_every_pair()) find_hot_buckets();
    for (Worker& worker : workers_) worker.seen_by.resize(items_, kNoPlace);
  }

  void find(const TakePairs& take, const std::function<void(std::size_t done)>& progress) {
    const Places probes = from_rights_ ? rights_ : lefts_;
    const std::size_t shares = (std::size_t{probes.size()} + kShare - 1) / kShare;
    pool_.for_each(shares, [&](unsigned worker, std::size_t share) {
      std::vector<VerifiedPair> found;
      const Place begin = probes.begin + static_cast<Place>(share) * kShare;
      for (Place item = begin; item < std::min<Place>(probes.end, begin + kShare); ++item) {
        std::vector<Place>& candidates = list(worker, item);
        matcher_.prune(worker, item, candidates);
        std::sort(candidates.begin(), candidates.end());
        matcher_.all_matches(worker, item, candidates, found);
        if (found.size() >= kTakenAtOnce) hand_on(found, take);
      }
      if (!found.empty()) hand_on(found, take);
      if (worker == 0) progress(std::size_t{begin} + kShare);
    });
  }

 private:
  struct Worker {
    std::vector<Place> seen_by;  // the last item that listed this candidate
    std::vector<Place> candidates;
    std::vector<Place> of_hot_buckets;
  };

  // Passes the pairs to `take`, each with its left item first, and clears the list.
  void hand_on(std::vector<VerifiedPair>& found, const TakePairs& take) const {
    if (from_rights_) {
      for (VerifiedPair& pair : found) pair = {pair.right, pair.left, pair.overlap.flipped()};
    }
    take(found);
    found.clear();
  }

  // Places with which a probe is compared.
  [[nodiscard]] Places partners_of(Place item) const noexcept {
    if (from_rights_) return {0, std::min(item, lefts_.end)};
    return {std::max(item + 1, rights_.begin), items_};
  }

  static std::size_t count_within(std::span<const Place> members, const Places& places) {
    const auto first = std::lower_bound(members.begin(), members.end(), places.begin);
    return static_cast<std::size_t>(std::lower_bound(first, members.end(), places.end) - first);
  }

  // A bucket is worth filtering if it yields this many pairs per member.
  [[nodiscard]] bool is_hot(std::span<const Place> members) const {
    if (lefts_.size() == items_ && rights_.size() == items_) {
      return members.size() > rule_.most_survivors;
    }
    const std::size_t lefts = count_within(members, lefts_);
    const std::size_t rights = count_within(members, rights_);
    return 2 * lefts * rights > (lefts + rights) * rule_.most_survivors;
  }

  // Number of a bucket's pairs that would be compared without the filter.
  [[nodiscard]] double count_pairs(std::span<const Place> members) const {
    if (lefts_.size() == items_ && rights_.size() == items_) {
      const auto count = static_cast<double>(members.size());
      return count * (count - 1) / 2;
    }
    return static_cast<double>(count_within(members, lefts_)) *
           static_cast<double>(count_within(members, rights_));
  }

  // Puts all partners in large buckets into the filter, survivors or not, because any may be in a
  // pair.
  void find_hot_buckets() {
    const Buckets& buckets = matcher_.buckets();
    const Places partners = from_rights_ ? lefts_ : rights_;
    const Places probes = from_rights_ ? rights_ : lefts_;
    std::vector<bool> in_hot_bucket(items_);
    double pairs = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      is_hot_[i] = is_hot(buckets[i]);
      if (!is_hot_[i]) continue;
      pairs += count_pairs(buckets[i]);
      for (const Place item : buckets[i]) in_hot_bucket[item] = true;
    }
    const auto those_of = [&](const Places& places) {
      std::vector<Place> members;
      for (Place item = places.begin; item < places.end; ++item) {
        if (in_hot_bucket[item]) members.push_back(item);
      }
      return members;
    };
    filter_.end_batch(those_of(partners));
    if (filter_.is_open() && lists_fewer_than(pairs, those_of(probes))) return;
    std::fill(is_hot_.begin(), is_hot_.end(), false);
  }

  // True if the filter lists fewer items for the probes than their large buckets have pairs. If all
  // elements are about equally frequent, it lists nearly all items for each probe.
  bool lists_fewer_than(double pairs, std::span<const Place> probes) {
    constexpr std::size_t kSample = 64;
    constexpr double kListedPerPair = 4;  // a listed item costs as much as so many pairs
    std::vector<Place>& listed = workers_.front().of_hot_buckets;
    const std::size_t sample = std::min(kSample, probes.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < sample; ++i) {
      listed.clear();
      filter_.list_all(0, probes[i * probes.size() / sample], listed);
      count += listed.size();
    }
    const double scale =
        static_cast<double>(probes.size()) / static_cast<double>(std::max<std::size_t>(1, sample));
    return kListedPerPair * scale * static_cast<double>(count) < pairs;
  }

  std::vector<Place>& list(unsigned worker_index, Place item) {
    Worker& worker = workers_[worker_index];
    worker.candidates.clear();
    const Places partners = partners_of(item);
    bool in_hot_bucket = false;
    for (const std::uint32_t bucket : matcher_.buckets_of()[item]) {
      if (is_hot_[bucket]) {
        in_hot_bucket = true;
        continue;
      }
      const auto members = matcher_.buckets()[bucket];
      for (auto at = std::lower_bound(members.begin(), members.end(), partners.begin);
           at != members.end() && *at < partners.end; ++at) {
        if (worker.seen_by[*at] == item) continue;
        worker.seen_by[*at] = item;
        worker.candidates.push_back(*at);
      }
    }
    if (in_hot_bucket) list_hot_buckets(worker_index, item, partners);
    return worker.candidates;
  }

  void list_hot_buckets(unsigned worker_index, Place item, const Places& partners) {
    Worker& worker = workers_[worker_index];
    worker.of_hot_buckets.clear();
    filter_.list_all(worker_index, item, worker.of_hot_buckets);
    for (const Place other : worker.of_hot_buckets) {
      if (other < partners.begin || other >= partners.end) continue;
      if (worker.seen_by[other] == item) continue;
      worker.seen_by[other] = item;
      if (matcher_.buckets_of().share_one(item, other)) worker.candidates.push_back(other);
    }
  }

  Matcher& matcher_;
  ThreadPool& pool_;
  Place items_;
  Places lefts_;
  Places rights_;
  bool from_rights_;  // the fewer are looked up among the more
  HotBucketRule rule_;
  HotBucketFilter filter_;
  std::vector<bool> is_hot_;  // by bucket
  std::vector<Worker> workers_;
};

}  // namespace

void verified_pairs(SetRun& run, PairScope scope, const TakePairs& take,
                    const std::function<void(std::size_t done)>& progress) {
  PairFinder(run, scope).find(take, progress);
}

}  // namespace sosie
