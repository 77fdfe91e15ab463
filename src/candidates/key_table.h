#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "data/buckets.h"

namespace sosie {

// Items by their band keys; it only grows. 20 to 24 bytes for each.
class KeyTable {
 public:
  void add(std::uint64_t key, Place item);

  // Calls each(item) for what was added under the key, the latest first.
  template <typename Each>
  void for_each(std::uint64_t key, const Each& each) const {
    if (slots_.empty()) return;
    for (std::uint32_t at = slots_[slot_of(key)]; at != kNone; at = postings_[at].previous) {
      if (postings_[at].key == key) each(postings_[at].item);
    }
  }

  // Renumbers the items: item becomes new_number[item], or goes with kNoPlace.
  void renumber(const std::vector<Place>& new_number);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Posting {
    std::uint64_t key;
    Place item;
    std::uint32_t previous;  // previous entry of the same slot
  };

  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const noexcept;
  void chain(std::size_t slots);

  std::vector<Posting> postings_;
  std::vector<std::uint32_t> slots_;  // the last posting of each; a power of two, or none
};

}  // namespace sosie
