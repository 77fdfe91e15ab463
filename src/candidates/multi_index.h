#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/bit_column.h"

namespace sosie {

// Candidate pairs of bit strings within a Hamming distance, with no false negatives: of radius + 1
// blocks of bits, strings that differ in no more than `radius` places agree in at least one (the
// pigeonhole principle). Source: Norouzi, Punjani, Fleet, CVPR 2012.
class MultiIndex {
 public:
  // Sorts the rows by each block. O(radius * rows * log rows).
  MultiIndex(const BitColumn& column, std::size_t radius, ThreadPool& pool);

  [[nodiscard]] std::size_t block_count() const noexcept { return blocks_.size(); }

  // Pairs of rows that agree in a block, added up over blocks.
  [[nodiscard]] std::uint64_t pair_count() const noexcept;

  // Calls each(row, others) for every row of the buckets of one block, `others` being the rows
  // behind it in its bucket, all of greater number.
  using Each = std::function<void(std::uint32_t row, std::span<const std::uint32_t> others)>;
  void for_each_in_block(std::size_t block, const Each& each) const;

  // Whether two rows agree in a block before this one, where they have met already.
  [[nodiscard]] bool met_before(std::size_t block, std::uint32_t a, std::uint32_t b) const noexcept;

 private:
  struct Block {
    std::size_t begin;                 // its first bit
    std::size_t size;                  // at most 64 of its bits are looked at
    std::vector<std::uint32_t> rows;   // by value, then by number
    std::vector<std::uint32_t> stops;  // where each bucket of two or more begins and ends in rows
  };

  [[nodiscard]] std::uint64_t value_of(const Block& block, std::uint32_t row) const noexcept;
  void fill(Block& block) const;

  const BitColumn& column_;
  std::vector<Block> blocks_;
};

}  // namespace sosie
