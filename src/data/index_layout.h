#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie {

// Sizes in an index on disk and in memory while it is built, by which its costs are predicted, too
// (docs/formats/index.md).
struct IndexLayout {
  static constexpr int kMostKeyBits = 56;  // a key of an id
  static constexpr std::size_t kKeysOfBlock = 1024;
  static constexpr std::size_t kItemBlockBytes =
      8192;  // a block ends with the item that reaches them
  static constexpr std::uint64_t kMostKeyBytes = std::uint64_t{512} << 20;  // in memory
  static constexpr std::uint64_t kMostIdBytes = std::uint64_t{64} << 20;    // in memory
};

}  // namespace sosie
