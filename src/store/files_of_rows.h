#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/sketches.h"

namespace sosie {

// Files whose rows are read again one by one, and compared with their hashes then: inputs, and
// nothing else that sketches have.
class FilesOfRows : public Sketches {
 public:
  void check(std::span<const File> /*files*/) const override {}
  // There are no blocks.
  void append_blocks(std::uint32_t /*first*/, std::vector<BlockRange>& /*to*/) const override {}
  [[nodiscard]] ScannedBlock read(std::size_t /*number*/, std::uint32_t /*file*/) const override {
    return {};
  }
  [[nodiscard]] std::uint64_t dimension() const noexcept override { return 0; }
  [[nodiscard]] std::vector<std::uint64_t> item_counts() const override { return {}; }
  [[nodiscard]] HashedItems read_items(std::size_t /*number*/) const override { return {}; }
};

}  // namespace sosie
