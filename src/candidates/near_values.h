#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "candidates/keyed_blocks.h"
#include "candidates/nearest_records.h"

namespace sosie {

// Two values by their keys, the lower one in front; equal ones: the records of one value.
using KeyPair = std::pair<std::uint32_t, std::uint32_t>;

// Records that have near values: a pair of values stands for all pairs of their records. With two
// collections a value belongs to one of them. Pairs of values with more than `most` records
// together are large: append() leaves theirs out.
class NearValues {
 public:
  // `keys`: of the values, by record, 0 for one without; `split`: as of KeyedBlocks.
  NearValues(std::vector<std::uint32_t> keys, std::uint32_t split, std::uint32_t most,
             std::span<const KeyPair> near);

  // Appends partners like KeyedBlocks::append().
  void append(std::uint32_t record, std::vector<std::uint32_t>& partners) const;

  // Pairs of records that append() gives.
  [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }
  // Most records of two near values.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }

  // A value and values near it, whose pairs with it are large.
  struct Large {
    std::uint32_t key = 0;
    std::vector<std::uint32_t> others;  // ascending; itself among them, if its records are too many
    std::vector<std::uint32_t> records;  // records of all of them, ascending
    std::uint64_t pairs = 0;             // pairs of records that append() leaves out
  };
  // Large pairs by the value of them that has more records; of values that have as many, the lower.
  void for_each_large(const std::function<void(const Large& large)>& each) const;
  [[nodiscard]] std::uint32_t key_of(std::uint32_t record) const noexcept {
    return blocks_.key_of(record);
  }

 private:
  [[nodiscard]] std::uint64_t records_of(const KeyPair& pair) const noexcept;
  [[nodiscard]] std::uint64_t pairs_of(const KeyPair& pair) const noexcept;

  KeyedBlocks blocks_;
  std::uint32_t most_;
  PartnerLists near_;           // by key: the keys near it; of two collections under the left one
  std::vector<KeyPair> large_;  // the value with more records in front; sorted
  std::uint64_t pairs_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace sosie
