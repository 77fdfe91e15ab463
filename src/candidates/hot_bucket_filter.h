#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "candidates/prefix_length.h"
#include "core/thread_pool.h"
#include "data/buckets.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// The rarest shingles of a set, as many as every similar set shares one of (MMDS 3.9.4): first
// those that the order does not know, by their hashes cut to 32 bits, then ranks of those it knows.
struct RarePrefix {
  std::uint32_t set_size = 0;
  std::uint32_t unknown = 0;  // the first tokens
  std::vector<std::uint32_t> tokens;
};

// An order of all shingles that has what many sets share at its end: learned from some of the sets,
// and then the same for all of them.
class RarityOrder {
 public:
  // `hashes`: the shingles of the sets to learn from, one set behind the other. What occurs once
  // among them counts as unknown. Takes O(n log n).
  void learn(std::vector<std::uint64_t> hashes);

  // `ranks` is working memory.
  void prefix_of(SetView set, const Measure& measure, const Rational& threshold,
                 std::vector<std::uint32_t>& ranks, RarePrefix& out) const;

  // Number of known shingles; their ranks are below it.
  [[nodiscard]] std::uint32_t known() const noexcept { return known_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t rank = kUnknown;
  };

  [[nodiscard]] std::uint32_t rank_of(std::uint64_t hash) const noexcept;

  std::vector<Slot> slots_;  // open addressing
  std::uint32_t known_ = 0;
};

// A prefix index that grows: items by the tokens of their prefixes, all of one RarityOrder. What
// the order does not know is shared by few items and listed as it is; what it knows may stand in
// the prefixes of very many, so those are kept by its position and listed up to the last one that
// the threshold allows (MMDS 3.9.5).
class HotBucketIndex {
 public:
  HotBucketIndex(const Measure& measure, const Rational& threshold)
      : measure_(&measure), threshold_(threshold) {}

  // Empties it for prefixes of an order that knows this many shingles.
  void start(std::uint32_t known_shingles);
  void add(Place item, const RarePrefix& prefix);

  // Appends all items that can be similar to one with this prefix, and others, in no order and with
  // repetitions.
  void list(const RarePrefix& prefix, std::vector<Place>& out) const;
  // True if list() appends so many items by shingles that the order knows.
  [[nodiscard]] bool lists_at_least(std::uint64_t items, const RarePrefix& prefix) const noexcept;

  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Posting {
    std::uint32_t token;
    Place item;
    std::uint32_t previous;  // previous entry of the same slot
  };
  struct Link {
    Place item;
    std::uint32_t previous;
  };
  // Items whose prefixes hold a token at one position.
  struct PositionList {
    std::uint32_t position;
    std::uint32_t last;  // in links_
    std::uint32_t items;
  };

  [[nodiscard]] std::size_t slot_of(std::uint32_t token) const noexcept;
  void double_slots();
  void add_known(std::uint32_t rank, std::uint32_t position, Place item);

  const Measure* measure_;
  Rational threshold_;
  std::deque<Posting> postings_;
  std::vector<std::uint32_t> slots_;  // the last posting of each
  std::deque<Link> links_;
  std::vector<std::vector<PositionList>> known_;  // by rank; positions ascend
  std::uint64_t position_lists_ = 0;
};

struct HotBucketRule {
  const Measure* measure = nullptr;
  Rational threshold;
  Place most_survivors = 1000;   // survivors of a bucket before it is filtered
  std::uint64_t most_bytes = 0;  // that the filter may take
  // The order of shingles is learned again when so many items have been listed for each set that
  // has to be read again for it: that takes about as long.
  std::uint64_t listed_per_set = 2000;
};

// The set of an item, read again; each worker asks for itself.
using SetOfItem = std::function<ShingleSet(unsigned worker, Place item)>;

// Lists candidates of the items of hot buckets (buckets with very many survivors, as pages of one
// template have) by a prefix filter over the survivors' own sets, rarest shingle first. Lossless:
// survivors that it leaves out cannot reach the threshold. Listed survivors need not share a bucket
// with the item. Items come in batches: several workers at once compare them with the survivors of
// earlier batches, then one compares them with the survivors of their own batch in turn. (MMDS
// 3.9.4, 3.9.5.)
class HotBucketFilter {
 public:
  HotBucketFilter(const HotBucketRule& rule, SetOfItem set_of, ThreadPool& pool);

  [[nodiscard]] Place most_survivors() const noexcept { return rule_.most_survivors; }
  // False from when the filter would have taken more memory than it may: it lists nothing any more.
  [[nodiscard]] bool is_open() const noexcept { return open_; }

  void begin_batch(Place begin, Place end);
  // Reads the set of an item of the batch: before anything else is done with it. False: to go
  // through the survivors of its hot buckets, `in_buckets` in all, costs less than list_earlier().
  // By any worker.
  [[nodiscard]] bool prepare(unsigned worker, Place item, std::uint64_t in_buckets);
  // Appends survivors of earlier batches, with repetitions. By any worker.
  void list_earlier(unsigned worker, Place item, std::vector<Place>& out);
  // Lists the survivors of this batch.
  void list_latest(Place item, std::vector<Place>& out) const;
  // An item of the batch survives.
  void add(Place item);
  // `newcomers`: survivors of this batch or earlier ones that have not been added.
  void end_batch(std::span<const Place> newcomers);

  // Lists the survivors of all earlier batches for any item; reads its set.
  void list_all(unsigned worker, Place item, std::vector<Place>& out);

 private:
  struct Worker {
    std::vector<std::uint32_t> ranks;
    RarePrefix prefix;
    std::uint64_t listed = 0;
  };

  void read_prefix(unsigned worker, Place item, RarePrefix& out);
  void learn();
  void index(std::span<const Place> items);
  [[nodiscard]] bool order_is_stale();
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  void close();

  HotBucketRule rule_;
  SetOfItem set_of_;
  ThreadPool& pool_;
  bool open_ = true;
  RarityOrder order_;
  HotBucketIndex earlier_;
  HotBucketIndex latest_;
  std::vector<Place> members_;  // members of earlier_
  Place batch_begin_ = 0;
  std::vector<RarePrefix> prefixes_;  // prefixes of the batch
  std::vector<Place> added_;          // survivors added by the batch
  std::vector<Worker> workers_;
  std::uint64_t patience_ = 0;
};

// At most so many templates are told apart.
inline constexpr std::size_t kMostTemplates = 16;

// Items that share large buckets, as pages of one template do.
struct TemplateBuckets {
  std::vector<std::uint8_t> of_item;   // 0: none, else the template's number; empty: there are none
  std::vector<std::uint32_t> largest;  // largest bucket of template i + 1

  [[nodiscard]] bool empty() const noexcept { return largest.empty(); }
};

// Buckets of more than `most` items are taken from the largest one on; one that shares its first
// item with a template belongs to it. Takes O(items) memory where there are any.
[[nodiscard]] TemplateBuckets find_templates(const Buckets& buckets, std::size_t items,
                                             std::size_t most);

}  // namespace sosie
