#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "candidates/rarity_order.h"
#include "data/buckets.h"

namespace sosie {

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

}  // namespace sosie
