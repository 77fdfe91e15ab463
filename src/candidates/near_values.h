#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "candidates/keyed_blocks.h"
#include "candidates/nearest_records.h"

namespace sosie {

// Two values, identified by their keys, lower key first. If the keys are equal, the pair stands for
// all pairs of records with this value.
using KeyPair = std::pair<std::uint32_t, std::uint32_t>;

// Records with near values: a pair of values stands for all pairs of their records. With two
// collections, each value belongs to one of them. If two values together have more than `most`
// records, their pair is large and append() leaves its record pairs out.
class NearValues {
 public:
  // `keys`: for each record, the key of its value, or 0 if it has none; `split`: as in KeyedBlocks.
  NearValues(std::vector<std::uint32_t> keys, std::uint32_t split, std::uint32_t most,
             std::span<const KeyPair> near);

  // Appends partners like KeyedBlocks::append().
  void append(std::uint32_t record, std::vector<std::uint32_t>& partners) const;

  // Number of record pairs that append() yields.
  [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }
  // The maximum number of records that two near values have together.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }

  // A value and the near values with which it forms large pairs.
  struct Large {
    std::uint32_t key = 0;
    std::vector<std::uint32_t> others;   // ascending; includes the value itself if large
    std::vector<std::uint32_t> records;  // records of all these values, ascending
    std::uint64_t pairs = 0;             // number of record pairs that append() leaves out
  };
  // Calls each() for the large pairs, grouped by the value with more records (ties: the lower one).
  void for_each_large(const std::function<void(const Large& large)>& each) const;
  [[nodiscard]] std::uint32_t key_of(std::uint32_t record) const noexcept {
    return blocks_.key_of(record);
  }

 private:
  [[nodiscard]] std::uint64_t records_of(const KeyPair& pair) const noexcept;
  [[nodiscard]] std::uint64_t pairs_of(const KeyPair& pair) const noexcept;

  KeyedBlocks blocks_;
  std::uint32_t most_;
  PartnerLists near_;           // by key: the near keys; with two collections, by left key
  std::vector<KeyPair> large_;  // the value with more records first; sorted
  std::uint64_t pairs_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace sosie
