#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "candidates/hot_bucket_index.h"
#include "core/thread_pool.h"
#include "data/shingle_set.h"

namespace sosie {

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
  // Reads the set of an item of the batch: before anything else is done with it. By any worker.
  void prepare(unsigned worker, Place item);
  // Appends survivors of earlier batches, with repetitions. By any worker.
  void list_earlier(unsigned worker, Place item, std::vector<Place>& out);
  // Lists the survivors of this batch.
  void list_latest(Place item, std::vector<Place>& out);
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

}  // namespace sosie
