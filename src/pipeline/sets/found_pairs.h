#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/memory_budget.h"
#include "data/clusters.h"
#include "io/external_sort.h"
#include "io/record_file.h"

namespace sosie {

// An item that another one is similar to.
struct Neighbour {
  Place item;
  Overlap overlap;  // the other one is its left set
};

// Verified pairs of items in any number, in scratch: listed by item, each with both of its items.
// 8 bytes an item in memory.
class SpilledNeighbours {
 public:
  // Twice a sorted record, then a listed one.
  static constexpr std::uint64_t kScratchBytesPerPair = 2 * (24 + sizeof(Neighbour));

  SpilledNeighbours(Place items, Scratch& scratch, const MemoryBudget& budget);

  // From several threads at a time; no pair twice. Throws what ExternalSort::add() does.
  void add(std::span<const VerifiedPair> pairs);
  // Behind the last add().
  void finish();

  // Calls each(pairs) for all of them by (left, right).
  void for_each_pair(const std::function<void(std::span<const VerifiedPair>)>& each) const;
  [[nodiscard]] std::uint64_t pairs() const noexcept { return by_item_.size() / 2; }

  // Reads the neighbours of single items, by rising place. Belongs to one thread.
  class Reader {
   public:
    explicit Reader(const SpilledNeighbours& all) : all_(all), neighbours_(all.by_item_) {}
    template <class Each>
    void for_each(Place item, const Each& each) {
      for (std::uint64_t i = all_.starts_[item]; i < all_.starts_[item + 1]; ++i) {
        each(neighbours_[i]);
      }
    }

   private:
    const SpilledNeighbours& all_;
    ColumnReader<Neighbour> neighbours_;
  };

 private:
  struct Keyed {
    std::uint64_t key;  // item, then its neighbour
    Overlap overlap;
  };

  std::mutex mutex_;
  std::optional<ExternalSort<Keyed>> sorted_;
  RecordFile by_item_;
  std::vector<std::uint64_t> starts_;  // by item, in by_item_
};

// All pairs that a run has found: in memory, or in scratch when they outgrow it.
struct FoundPairs {
  std::vector<VerifiedPair> pairs;  // by (left, right)
  std::unique_ptr<SpilledNeighbours> spilled;

  // Lives as long as this.
  [[nodiscard]] PairSource source() const;
};

}  // namespace sosie
