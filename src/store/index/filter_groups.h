#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sosie {

// Where the filter signatures of a block of items lie in a run of version 2: in front of the items,
// in groups of eight that each have a checksum behind them, so that a look-up reads the signature
// of a candidate without its block (docs/formats/index.md).
class FilterGroups {
 public:
  static constexpr std::uint64_t kItems = 8;  // in a group; the last one of a block may have fewer

  // `items`: items of the block; `components`: bytes of a signature, 0: there are none.
  FilterGroups(std::uint64_t items, std::uint64_t components) noexcept
      : items_(items), components_(components) {}

  // Bytes of all groups, checksums counted: the items begin behind them.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return components_ == 0 ? 0 : items_ * components_ + groups() * kChecksumBytes;
  }
  [[nodiscard]] std::uint64_t groups() const noexcept {
    return components_ == 0 ? 0 : (items_ + kItems - 1) / kItems;
  }
  // Place of a group behind the begin of the block, and its bytes, the checksum counted.
  [[nodiscard]] std::uint64_t begin(std::uint64_t group) const noexcept {
    return group * (kItems * components_ + kChecksumBytes);
  }
  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t group) const noexcept {
    return std::min(kItems, items_ - group * kItems) * components_ + kChecksumBytes;
  }

 private:
  static constexpr std::uint64_t kChecksumBytes = sizeof(std::uint64_t);

  std::uint64_t items_;
  std::uint64_t components_;
};

}  // namespace sosie
