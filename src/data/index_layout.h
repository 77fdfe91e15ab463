#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie {

// Sizes of an index on disk, and in memory while it is being built; its costs are predicted from
// them (docs/formats/index.md).
struct IndexLayout {
  static constexpr int kMostKeyBits = 56;  // a key of an id in runs before version 3
  static constexpr std::size_t kKeysOfBlock = 1024;
  // A block of items ends with the item that reaches this number or size.
  static constexpr std::size_t kItemsOfBlock = 64;
  static constexpr std::size_t kItemBlockBytes = 8192;
  static constexpr std::uint64_t kMostKeyBytes = std::uint64_t{512} << 20;  // in memory
  static constexpr std::uint64_t kMostIdBytes = std::uint64_t{64} << 20;    // in memory
};

}  // namespace sosie
