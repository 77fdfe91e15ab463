#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "candidates/keyed_blocks.h"
#include "candidates/nearest_records.h"
#include "core/ids.h"
#include "core/thread_pool.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// Finds the most similar partners of a set among the sets that share an element with it. All token
// sets are inverted into lists: for each token, the sets that contain it. A look-up counts along
// the lists of the set's own tokens, rarest first, until no further set could be among the best;
// then the sets that still could be are compared. Memory: 4 bytes per element of the partners. MMDS
// 3.9; top-k joins with the same bound: Xiao et al. 2009.
class TopSets {
 public:
  // `partners`: the places that look-ups may find. `sets` and `measure` must outlive this object.
  TopSets(const TokenSets& sets, const Measure& measure, std::span<const Place> partners);

  // Buffers that a thread keeps between look-ups.
  struct Finder {
    std::vector<std::uint32_t> shared;   // by set; zero between look-ups
    std::vector<std::uint32_t> touched;  // sets that share a token
    std::vector<VerifiedPair> best;
    std::uint64_t met = 0;       // partners that share a token read so far
    std::uint64_t verified = 0;  // partners whose shared tokens were all counted
  };

  // Ranks equally similar partners, lowest rank first. kNoRow: the place is not a partner in this
  // look-up.
  using RankOf = std::function<RowId(Place partner)>;

  // Passes to `take` the `most` partners with the highest similarity above 0, with their overlaps
  // (the set itself is on the left). A set is never its own partner. Thread-safe if each thread has
  // its own finder.
  void find(Place place, std::uint64_t most, const RankOf& rank, Finder& finder,
            const std::function<void(const VerifiedPair&)>& take) const;

 private:
  [[nodiscard]] std::span<const std::uint32_t> list_of(std::uint32_t token) const noexcept {
    return {lists_.data() + starts_[token], lists_.data() + starts_[token + 1]};
  }
  [[nodiscard]] std::size_t count_along(std::uint32_t set, std::uint64_t most, const RankOf& rank,
                                        Finder& finder) const;
  [[nodiscard]] bool is_complete(std::uint32_t set, std::size_t rest, std::uint64_t most,
                                 Finder& finder) const;
  void verify(std::uint32_t set, std::size_t rest, std::uint64_t most, Finder& finder) const;
  [[nodiscard]] Overlap overlap_of(std::uint32_t left, std::uint32_t right) const;

  const TokenSets& sets_;
  const Measure& measure_;
  std::vector<std::uint32_t> set_at_;  // by place
  std::vector<std::uint64_t> starts_;  // by token
  std::vector<std::uint32_t> lists_;   // sets, by token
};

// The K records that are most similar to each record under a set measure; ties are broken by the
// order of their values. Records with a similarity of 0 are not partners. Records with equal values
// have equal sets, so each value is looked up only once, and its records are near each other.
class TopValues final : public NearestPartners {
 public:
  // `sets`: the set of each value. `keys`: the value of each record, numbered from 1, or 0 if it
  // has none. `split`: number of the first right record (each value belongs to one collection), or
  // 0 for a single collection. `measure` must outlive this object.
  TopValues(const HashedSets& sets, std::vector<std::uint32_t> keys, std::uint32_t split,
            const Measure& measure, ThreadPool& pool);

  void find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool) override;

 private:
  // Buffers of a thread.
  struct Buffers {
    TopSets::Finder finder;
    std::vector<VerifiedPair> best;
    std::vector<std::uint32_t> partners;  // records, most similar first
  };

  void find_together(std::span<const std::uint32_t> records, std::uint32_t most, Buffers& buffers);

  TokenSets sets_;
  KeyedBlocks blocks_;
  std::uint32_t split_;
  const Measure& measure_;
  // Values of the right collection (or of the only collection), and values of the left one.
  std::optional<TopSets> to_right_;
  std::optional<TopSets> to_left_;
};

}  // namespace sosie
