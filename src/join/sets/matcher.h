#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "candidates/hot_bucket_filter.h"
#include "cluster/star.h"
#include "corpus/identical.h"
#include "corpus/rows/shingle_sets.h"
#include "data/buckets.h"
#include "data/clusters.h"
#include "join/sets/method_choice.h"
#include "options/settings.h"
#include "store/run/saved_overlaps.h"

namespace sosie {

// Selects the candidates of a run, prunes them and verifies them. Pruning loses no pair, except by
// the signature filter of lsh, whose loss is included in the planned recall.
class Matcher {
 public:
  // Moves the sketches or, if there are none, the buckets out of the corpus.
  Matcher(const Inputs& inputs, Corpus& corpus, const Items& items, const Settings& settings,
          const MethodChoice& choice, ThreadPool& pool);

  // From now on, known overlaps are not recomputed, except a sample of them, and computed overlaps
  // become known. Comparing then throws as OverlapCache::refuse() does.
  void ask(OverlapCache& known) noexcept { known_ = &known; }

  [[nodiscard]] const Buckets& buckets() const noexcept { return buckets_; }
  [[nodiscard]] const BucketsOfItems& buckets_of() const noexcept { return buckets_of_; }

  // Removes candidates that cannot be similar to `item`.
  void prune(unsigned worker, Place item, std::vector<Place>& candidates);

  // The first candidate that is verified, from the texts, to be similar to `item`. The caller
  // counts the comparisons that it needs as verified.
  [[nodiscard]] std::optional<Match> first_match(unsigned worker, Place item,
                                                 std::span<const Place> candidates);

  void count_verified(unsigned worker, std::size_t pairs) { workers_[worker].verified += pairs; }

  // Appends every match as a pair (item, candidate).
  void all_matches(unsigned worker, Place item, std::span<const Place> candidates,
                   std::vector<VerifiedPair>& out);

  // lsh: the filter signature of an item.
  [[nodiscard]] std::span<const std::uint8_t> filter_of(Place item) const noexcept {
    const auto k = static_cast<std::size_t>(choice_.banding.components);
    return {&filters_[item * k], k};
  }

  // The set of an item; if it is not cached, the worker rereads it.
  [[nodiscard]] ShingleSet set_of(unsigned worker, Place item) {
    return set_of(workers_[worker], item);
  }

  // Frees the memory of those sets.
  void forget_sets() {
    for (Worker& worker : workers_) worker.sets->forget();
  }

  // lsh: the templates whose rows share large buckets, and for each template the number of
  // candidates of its items (index 0: of items without a template).
  [[nodiscard]] const TemplateBuckets& templates() const noexcept { return templates_; }
  [[nodiscard]] std::vector<std::uint64_t> candidates_of_templates() const;

  [[nodiscard]] std::uint64_t candidate_count() const noexcept;
  [[nodiscard]] std::uint64_t verified_count() const noexcept;

 private:
  struct Worker {
    std::unique_ptr<ShingleSets> sets;
    std::vector<std::uint32_t> counts;  // counts of the candidates being pruned
    std::uint64_t candidates = 0;
    std::uint64_t verified = 0;
    std::vector<std::uint64_t> of_templates;  // candidates of their items
  };

  void group_bands(Corpus& corpus, ThreadPool& pool);
  [[nodiscard]] Buckets buckets_of_rows(const Buckets& shared) const;
  void gather_filters(Corpus& corpus, ThreadPool& pool);
  void load_all_sets(ThreadPool& pool);
  [[nodiscard]] ShingleSet set_of(Worker& worker, Place item) const;
  // The rows of two items in the order in which known comparisons are stored.
  struct OrderedRows {
    RowId first;
    RowId second;
    bool flipped;
  };
  [[nodiscard]] OrderedRows rows_of(Place left, Place right) const;
  void prune_by_signature(Worker& worker, Place item, std::vector<Place>& candidates) const;
  void prune_by_parity(Worker& worker, Place item, std::vector<Place>& candidates) const;
  // `left_set`: the set of `left`, which is read when it is first needed.
  [[nodiscard]] std::optional<Overlap> verify(Worker& worker, Place left, ShingleSet& left_set,
                                              Place right);
  // True if the signatures of two items agree in about as many components as their known overlap
  // predicts. If not, the items are simply compared again.
  [[nodiscard]] bool is_plausible(Place left, Place right, const Overlap& known) const;
  [[nodiscard]] std::optional<Overlap> compare(SetView left, SetView right) const;

  const Items& items_;
  const Settings& settings_;
  MethodChoice choice_;
  OverlapCache* known_ = nullptr;
  Buckets buckets_;
  BucketsOfItems buckets_of_;
  TemplateBuckets templates_;
  std::unique_ptr<std::uint8_t[]> filters_;  // lsh: K bytes per item
  std::vector<ShingleSet> all_sets_;         // brute: as many as fit in memory, else null
  std::vector<std::uint32_t> set_sizes_;     // brute
  std::vector<std::uint64_t> parities_;      // brute: parity_words_ per set
  std::size_t parity_words_ = 0;             // a power of two
  std::vector<Worker> workers_;
};

// The rule by which this run filters buckets with very many survivors.
[[nodiscard]] HotBucketRule hot_bucket_rule(const Settings& settings);
// The sets of the items in `matcher`, which must outlive the result.
[[nodiscard]] SetOfItem sets_of(Matcher& matcher);
// The filter in the form that star clustering uses. `filter` must outlive the result.
[[nodiscard]] HotBucketSteps hot_bucket_steps(HotBucketFilter& filter);

}  // namespace sosie
