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

// The most similar partners of a set among sets that share an element with it. All token sets are
// turned round into one list for each token of the sets that hold it. A look-up counts along the
// lists of its own tokens, rarest first, until no set that has not been met could be among the
// best; then those that still could be are compared. Memory: 4 bytes an element of the partners.
// MMDS 3.9; top-k joins by the same bound: Xiao et al. 2009.
class TopSets {
 public:
  // `partners`: places that can be found. `sets` and `measure` outlive this.
  TopSets(const TokenSets& sets, const Measure& measure, std::span<const Place> partners);

  // Buffers that one thread keeps from look-up to look-up.
  struct Finder {
    std::vector<std::uint32_t> shared;   // by set; zero between look-ups
    std::vector<std::uint32_t> touched;  // sets that share a token
    std::vector<VerifiedPair> best;
    std::uint64_t met = 0;       // partners that share a token that was looked at
    std::uint64_t verified = 0;  // partners of which all shared tokens were counted
  };

  // Ranks partners of equal similarity; the lowest first. kNoRow: the place is none for this
  // look-up.
  using RankOf = std::function<RowId(Place partner)>;

  // Hands `take` the `most` partners of a set with the greatest similarity above 0, and what they
  // share with it (the set on the left). The set is no partner of its own. Safe for many threads at
  // once, each with a finder of its own.
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

// The K most similar records to each record by a measure of sets; ties in the order of their
// values. A similarity of 0 makes no partner. Records with equal values have equal sets: a value is
// looked up once, and they are near each other.
class TopValues final : public NearestPartners {
 public:
  // `sets`: by value; `keys`: values of the records from 1 on, 0 for one without; `split`: number
  // of the first right record (values belong to one collection), 0 for one collection. `measure`
  // outlives this.
  TopValues(const HashedSets& sets, std::vector<std::uint32_t> keys, std::uint32_t split,
            const Measure& measure, ThreadPool& pool);

  void find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool) override;

 private:
  // Buffers of one thread.
  struct Buffers {
    TopSets::Finder finder;
    std::vector<VerifiedPair> best;
    std::vector<std::uint32_t> partners;  // records, most similar ones first
  };

  void find_together(std::span<const std::uint32_t> records, std::uint32_t most, Buffers& buffers);

  TokenSets sets_;
  KeyedBlocks blocks_;
  std::uint32_t split_;
  const Measure& measure_;
  // Values of the right collection (of one: all), and values of the left.
  std::optional<TopSets> to_right_;
  std::optional<TopSets> to_left_;
};

}  // namespace sosie
