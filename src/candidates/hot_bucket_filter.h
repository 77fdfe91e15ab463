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

// The rarest shingles of a set, enough that every similar set shares one of them (MMDS 3.9.4):
// first those unknown to the order, by their hashes reduced to 32 bits, then the ranks of known
// ones.
struct RarePrefix {
  std::uint32_t set_size = 0;
  std::uint32_t unknown = 0;  // these come first among the tokens
  std::vector<std::uint32_t> tokens;
};

// An order of all shingles with widely shared ones at its end: learned from some of the sets, and
// then fixed for all of them.
class RarityOrder {
 public:
  // `hashes`: the shingles of the sets to learn from, one set after another. Shingles that occur
  // once count as unknown. O(n log n).
  void learn(std::vector<std::uint64_t> hashes);

  // `ranks`: working memory.
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

// A growing prefix index: items by the tokens of their prefixes under the same RarityOrder.
// Shingles unknown to the order are shared by few items and listed directly; known ones may be in
// the prefixes of very many items, so those are stored by position and listed up to the last one
// that the threshold allows (MMDS 3.9.5).
class HotBucketIndex {
 public:
  HotBucketIndex(const Measure& measure, const Rational& threshold)
      : measure_(&measure), threshold_(threshold) {}

  // Clears the index for prefixes of an order with this many known shingles.
  void start(std::uint32_t known_shingles);
  void add(Place item, const RarePrefix& prefix);

  // Appends all items that can be similar to an item with this prefix, and possibly others, in any
  // order and with repetitions.
  void list(const RarePrefix& prefix, std::vector<Place>& out) const;
  // True if list() appends at least this many items through known shingles.
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
  // Items whose prefixes have a token at the same position.
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
  std::vector<std::uint32_t> slots_;  // the latest posting of each slot
  std::deque<Link> links_;
  std::vector<std::vector<PositionList>> known_;  // by rank; positions ascend
  std::uint64_t position_lists_ = 0;
};

struct HotBucketRule {
  const Measure* measure = nullptr;
  Rational threshold;
  Place most_survivors = 1000;   // survivors of a bucket above which it is filtered
  std::uint64_t most_bytes = 0;  // memory limit of the filter
  // The order of shingles is relearned after this many listed items per set that must then be
  // reread: both take about the same time.
  std::uint64_t listed_per_set = 2000;
};

// The set of an item, reread; `worker`: the calling worker.
using SetOfItem = std::function<ShingleSet(unsigned worker, Place item)>;

// Lists candidates for items in hot buckets (buckets with very many survivors, as from pages of the
// same template) by a prefix filter over the survivors' own sets, rarest shingle first. Lossless:
// survivors that it leaves out cannot reach the threshold. Listed survivors need not share a bucket
// with the item. Items arrive in batches: several workers compare them with the survivors of
// earlier batches concurrently, then a single one compares them with the survivors of their own
// batch in turn. (MMDS 3.9.4, 3.9.5.)
class HotBucketFilter {
 public:
  HotBucketFilter(const HotBucketRule& rule, SetOfItem set_of, ThreadPool& pool);

  [[nodiscard]] Place most_survivors() const noexcept { return rule_.most_survivors; }
  // Becomes false once the filter would have exceeded its memory limit: it then lists nothing more.
  [[nodiscard]] bool is_open() const noexcept { return open_; }

  void begin_batch(Place begin, Place end);
  // Reads the set of an item of the batch; must precede other calls for the item. Returns false if
  // scanning the survivors of its hot buckets, `in_buckets` in all, costs less than list_earlier().
  // Any worker may call it.
  [[nodiscard]] bool prepare(unsigned worker, Place item, std::uint64_t in_buckets);
  // Appends survivors of earlier batches, with repetitions. Any worker may call it.
  void list_earlier(unsigned worker, Place item, std::vector<Place>& out);
  // Lists the survivors of this batch.
  void list_latest(Place item, std::vector<Place>& out) const;
  // Records that an item of the batch survives.
  void add(Place item);
  // `newcomers`: survivors of this or earlier batches that have not been added.
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

// Maximum number of templates that are distinguished.
inline constexpr std::size_t kMostTemplates = 16;

// Items that share large buckets, as from pages of the same template.
struct TemplateBuckets {
  std::vector<std::uint8_t> of_item;   // 0: none, else the template's number; empty: no templates
  std::vector<std::uint32_t> largest;  // largest bucket of template i + 1

  [[nodiscard]] bool empty() const noexcept { return largest.empty(); }
};

// Processes buckets of more than `most` items, largest first; a bucket that shares its first item
// with a template belongs to it. Takes O(items) memory if there are any.
[[nodiscard]] TemplateBuckets find_templates(const Buckets& buckets, std::size_t items,
                                             std::size_t most);

}  // namespace sosie
