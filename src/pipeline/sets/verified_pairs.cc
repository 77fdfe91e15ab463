#include "pipeline/sets/verified_pairs.h"

#include <algorithm>

#include "pipeline/sets/crowds.h"

namespace sosie {
namespace {

constexpr Place kShare = 64;  // items a worker takes at a time
constexpr std::size_t kTakenAtOnce = 4096;

class PairFinder {
 public:
  PairFinder(Run& run, PairScope scope)
      : matcher_(*run.matcher),
        pool_(run.pool),
        scope_(scope),
        items_(run.items.size()),
        rule_(crowd_rule(run.settings)),
        filter_(rule_, sets_of(matcher_), run.pool),
        is_crowd_(matcher_.buckets().size()),
        workers_(run.pool.size()) {
    if (!run.choice.finds_every_pair()) find_crowds();
    for (Worker& worker : workers_) worker.seen_by.resize(items_, kNoPlace);
  }

  void find(const TakePairs& take, const std::function<void(std::size_t done)>& progress) {
    const Place lefts = std::min(items_, scope_.left_end);
    const std::size_t shares = (std::size_t{lefts} + kShare - 1) / kShare;
    pool_.for_each(shares, [&](unsigned worker, std::size_t share) {
      std::vector<VerifiedPair> found;
      const Place begin = static_cast<Place>(share) * kShare;
      for (Place item = begin; item < std::min<Place>(lefts, begin + kShare); ++item) {
        std::vector<Place>& candidates = list(worker, item);
        matcher_.prune(worker, item, candidates);
        std::sort(candidates.begin(), candidates.end());
        matcher_.all_matches(worker, item, candidates, found);
        if (found.size() < kTakenAtOnce) continue;
        take(found);
        found.clear();
      }
      if (!found.empty()) take(found);
      if (worker == 0) progress(std::size_t{begin} + kShare);
    });
  }

 private:
  struct Worker {
    std::vector<Place> seen_by;  // the last item that listed this candidate
    std::vector<Place> candidates;
    std::vector<Place> of_crowds;
  };

  // All items of large buckets are in the filter, survivors or not: all may be in a pair.
  void find_crowds() {
    const Buckets& buckets = matcher_.buckets();
    std::vector<bool> in_crowd(items_);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      is_crowd_[i] = buckets[i].size() > rule_.most_survivors;
      if (!is_crowd_[i]) continue;
      for (const Place item : buckets[i]) in_crowd[item] = true;
    }
    std::vector<Place> members;
    for (Place item = 0; item < items_; ++item) {
      if (in_crowd[item]) members.push_back(item);
    }
    filter_.end_batch(members);
    if (!filter_.is_open()) std::fill(is_crowd_.begin(), is_crowd_.end(), false);
  }

  std::vector<Place>& list(unsigned worker_index, Place item) {
    Worker& worker = workers_[worker_index];
    worker.candidates.clear();
    const Place first = std::max(item + 1, scope_.right_begin);
    bool in_crowd = false;
    for (const std::uint32_t bucket : matcher_.buckets_of()[item]) {
      if (is_crowd_[bucket]) {
        in_crowd = true;
        continue;
      }
      const auto members = matcher_.buckets()[bucket];
      for (auto at = std::lower_bound(members.begin(), members.end(), first); at != members.end();
           ++at) {
        if (worker.seen_by[*at] == item) continue;
        worker.seen_by[*at] = item;
        worker.candidates.push_back(*at);
      }
    }
    if (in_crowd) list_crowds(worker_index, item, first);
    return worker.candidates;
  }

  void list_crowds(unsigned worker_index, Place item, Place first) {
    Worker& worker = workers_[worker_index];
    worker.of_crowds.clear();
    filter_.list_all(worker_index, item, worker.of_crowds);
    for (const Place other : worker.of_crowds) {
      if (other < first || worker.seen_by[other] == item) continue;
      worker.seen_by[other] = item;
      if (matcher_.buckets_of().share_one(item, other)) worker.candidates.push_back(other);
    }
  }

  Matcher& matcher_;
  ThreadPool& pool_;
  PairScope scope_;
  Place items_;
  CrowdRule rule_;
  CrowdFilter filter_;
  std::vector<bool> is_crowd_;  // by bucket
  std::vector<Worker> workers_;
};

}  // namespace

void verified_pairs(Run& run, PairScope scope, const TakePairs& take,
                    const std::function<void(std::size_t done)>& progress) {
  PairFinder(run, scope).find(take, progress);
}

}  // namespace sosie
