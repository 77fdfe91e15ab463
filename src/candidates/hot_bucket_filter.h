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

// The rarest shingles of a set, enough that every similar set shares at least one of them (MMDS
// 3.9.4). Shingles unknown to the order come first, as hashes reduced to 32 bits, followed by the
// ranks of the known ones.
struct RarePrefix {
  std::uint32_t set_size = 0;
  std::uint32_t unknown = 0;  // number of unknown shingles, which come first among the tokens
  std::vector<std::uint32_t> tokens;
};

// An order of all shingles in which widely shared shingles come last. It is learned from some of
// the sets and then remains the same for all sets.
class RarityOrder {
 public:
  // `hashes`: the shingles of the sets to learn from, set by set. A shingle that occurs only once
  // counts as unknown. O(n log n).
  void learn(std::vector<std::uint64_t> hashes);

  // `ranks`: a buffer.
  void prefix_of(SetView set, const Measure& measure, const Rational& threshold,
                 std::vector<std::uint32_t>& ranks, RarePrefix& out) const;

  // Number of known shingles; all ranks are below this number.
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

// A prefix index that can grow: items by the tokens of their prefixes, all under the same
// RarityOrder. Shingles unknown to the order occur in few items, which are listed directly. A known
// shingle may be in the prefixes of a great many items, so these are stored by the shingle's
// position and listed up to the last position that the threshold allows (MMDS 3.9.5).
class HotBucketIndex {
 public:
  HotBucketIndex(const Measure& measure, const Rational& threshold)
      : measure_(&measure), threshold_(threshold) {}

  // Clears the index for prefixes under an order with this many known shingles.
  void start(std::uint32_t known_shingles);
  void add(Place item, const RarePrefix& prefix);

  // Appends every item that can be similar to an item with this prefix. The order is arbitrary, and
  // there may be duplicates and items that cannot be similar.
  void list(const RarePrefix& prefix, std::vector<Place>& out) const;
  // True if list() appends at least this many items through known shingles.
  [[nodiscard]] bool lists_at_least(std::uint64_t items, const RarePrefix& prefix) const noexcept;

  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Posting {
    std::uint32_t token;
    Place item;
    std::uint32_t previous;  // previous entry in the same slot
  };
  struct Link {
    Place item;
    std::uint32_t previous;
  };
  // Items whose prefixes have a certain token at the same position.
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
  std::vector<std::uint32_t> slots_;  // the latest posting in each slot
  std::deque<Link> links_;
  std::vector<std::vector<PositionList>> known_;  // by rank, with ascending positions
  std::uint64_t position_lists_ = 0;
};

// A bucket with more survivors than this is filtered.
inline constexpr Place kMostSurvivors = 1000;

struct HotBucketRule {
  const Measure* measure = nullptr;
  Rational threshold;
  Place most_survivors = kMostSurvivors;
  std::uint64_t most_bytes = 0;  // memory limit of the filter
  // The order of shingles is learned again after this many listed items per set that would have to
  // be reread; listing and rereading take about the same time.
  std::uint64_t listed_per_set = 2000;
};

// Rereads the set of an item; `worker` is the calling worker.
using SetOfItem = std::function<ShingleSet(unsigned worker, Place item)>;

// Lists candidates for items in hot buckets, which have very many survivors (for example, pages
// made from the same template). It uses a prefix filter over the survivors' own sets, rarest
// shingle first. The filter is lossless: a survivor that it leaves out cannot reach the threshold.
// Listed survivors need not share a bucket with the item. Items arrive in batches: several workers
// concurrently compare them with the survivors of earlier batches; then a single worker compares
// them, one after another, with the survivors of their own batch. (MMDS 3.9.4, 3.9.5.)
class HotBucketFilter {
 public:
  HotBucketFilter(const HotBucketRule& rule, SetOfItem set_of, ThreadPool& pool);

  [[nodiscard]] Place most_survivors() const noexcept { return rule_.most_survivors; }
  // Becomes false when the filter would exceed its memory limit; afterwards, it lists nothing.
  [[nodiscard]] bool is_open() const noexcept { return open_; }

  void begin_batch(Place begin, Place end);
  // Reads the set of an item in the batch; must be called before any other function for that item.
  // Returns false if scanning the survivors in the item's hot buckets, `in_buckets` in all, is
  // cheaper than calling list_earlier(). Any worker may call it.
  [[nodiscard]] bool prepare(unsigned worker, Place item, std::uint64_t in_buckets);
  // Appends survivors of earlier batches, possibly with duplicates. Any worker may call it.
  void list_earlier(unsigned worker, Place item, std::vector<Place>& out);
  // Appends survivors of this batch.
  void list_latest(Place item, std::vector<Place>& out) const;
  // Records that an item of the batch survives.
  void add(Place item);
  // `newcomers`: survivors of this batch or an earlier one that are still to be added.
  void end_batch(std::span<const Place> newcomers);

  // Reads the set of any item and lists all survivors of earlier batches for it.
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

// Maximum number of templates that are distinguished.
inline constexpr std::size_t kMostTemplates = 16;

// Lists the items that share large buckets: for example, pages made from the same template.
struct TemplateBuckets {
  std::vector<std::uint8_t> of_item;   // 0: none, else the template's number; empty: no templates
  std::vector<std::uint32_t> largest;  // largest bucket of template i + 1

  [[nodiscard]] bool empty() const noexcept { return largest.empty(); }
};

// Processes the buckets with more than `most` items, largest first. A bucket whose first item
// already belongs to a template is assigned to that template. Needs O(items) memory if there are
// such buckets.
[[nodiscard]] TemplateBuckets find_templates(const Buckets& buckets, std::size_t items,
                                             std::size_t most);

}  // namespace sosie
