#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/index_layout.h"
#include "io/packed_numbers.h"

namespace sosie {

// An item under one of its keys.
struct KeyEntry {
  std::uint64_t key;  // below 2^56
  std::uint32_t item;

  friend bool operator<(const KeyEntry& a, const KeyEntry& b) noexcept {
    return a.key != b.key ? a.key < b.key : a.item < b.item;
  }
};

// Packs 1 to IndexLayout::kKeysOfBlock entries, which must be strictly ascending. Of the distance
// of a key from the first one, low bits are stored as they are, and the others in unary as the step
// from the key before (docs/formats/index.md).
[[nodiscard]] std::string pack_keys(std::span<const KeyEntry> entries);

// Position in a block of a run before version 3, after the keys below one that was looked up.
struct KeyPosition {
  std::size_t entry = 0;     // number of entries below the key
  std::uint64_t before = 0;  // key of the last of these entries
  std::uint64_t key = 0;
};

// A block made by pack_keys(), or by that of an earlier version, which stored differences with as
// many bits as the largest one needs. Other bytes are detected as invalid or give unspecified
// results.
class KeyBlock {
 public:
  explicit KeyBlock(std::string_view bytes) noexcept;

  [[nodiscard]] bool is_valid() const noexcept { return valid_; }
  [[nodiscard]] std::uint64_t first_key() const noexcept { return first_; }

  // Appends the items under the key. Returns false if the block contains a larger key. In a block
  // of an earlier version, ascending keys are found faster if the same cursor is used, which must
  // belong to this block.
  bool find(std::uint64_t key, KeyPosition& cursor, std::vector<std::uint32_t>& items) const;
  bool find(std::uint64_t key, std::vector<std::uint32_t>& items) const {
    KeyPosition cursor;
    return find(key, cursor, items);
  }
  // Appends all entries. Returns false if they do not ascend or a key is too large.
  [[nodiscard]] bool append_to(std::vector<KeyEntry>& entries) const;

 private:
  bool find_by_steps(std::uint64_t key, std::vector<std::uint32_t>& items) const;
  bool find_by_differences(std::uint64_t key, KeyPosition& cursor,
                           std::vector<std::uint32_t>& items) const;
  [[nodiscard]] std::size_t bit_after_steps(std::uint64_t steps) const noexcept;
  [[nodiscard]] bool append_by_steps(std::vector<KeyEntry>& entries) const;
  [[nodiscard]] bool append_by_differences(std::vector<KeyEntry>& entries) const;
  void skip_below(KeyPosition& cursor) const noexcept;
  [[nodiscard]] std::uint64_t low_bits(std::size_t i) const noexcept {
    return packed_number(bits_, i * key_bits_, key_bits_);
  }
  [[nodiscard]] std::uint64_t difference(std::size_t i) const noexcept {
    return packed_number(bits_, (i - 1) * key_bits_, key_bits_);
  }
  [[nodiscard]] std::uint32_t item(std::size_t i) const noexcept {
    return static_cast<std::uint32_t>(
        packed_number(bits_, keys_ * key_bits_ + i * item_bits_, item_bits_));
  }

  std::string_view bits_;
  std::string_view steps_;  // empty in a block of an earlier version
  std::uint64_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t keys_ = 0;  // numbers of key_bits_ before the items
  unsigned key_bits_ = 0;
  unsigned item_bits_ = 0;
  bool valid_ = false;
};

}  // namespace sosie
