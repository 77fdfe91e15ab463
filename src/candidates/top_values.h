#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "candidates/keyed_blocks.h"
#include "candidates/nearest_records.h"
#include "candidates/top_sets.h"
#include "data/measure.h"

namespace sosie {

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
