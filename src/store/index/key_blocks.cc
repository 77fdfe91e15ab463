// Compresses the sorted keys of index runs and their items.
#include "store/index/key_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "data/index_layout.h"
#include "io/packed_numbers.h"

namespace sosie {
namespace {

constexpr std::size_t kHeadBytes = 12;  // u16 entries, u8 bits of differences, u8 of items, u64 key
constexpr unsigned kMostItemBits = 32;

std::size_t bytes_of(std::size_t count, unsigned key_bits, unsigned item_bits) noexcept {
  return ((count - 1) * key_bits + count * item_bits + 7) / 8;
}

}  // namespace

std::string pack_keys(std::span<const KeyEntry> entries) {
  std::uint64_t differences = 0;
  std::uint64_t items = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    items |= entries[i].item;
    if (i > 0) differences |= entries[i].key - entries[i - 1].key;
  }
  const auto key_bits = static_cast<unsigned>(std::bit_width(differences));
  const auto item_bits = static_cast<unsigned>(std::bit_width(items));
  const std::size_t bytes = kHeadBytes + bytes_of(entries.size(), key_bits, item_bits);
  std::string out(bytes + sizeof(std::uint64_t), '\0');
  const auto count = static_cast<std::uint16_t>(entries.size());
  std::memcpy(out.data(), &count, sizeof count);
  out[2] = static_cast<char>(key_bits);
  out[3] = static_cast<char>(item_bits);
  std::memcpy(out.data() + 4, &entries.front().key, sizeof(std::uint64_t));
  BitWriter bits(out.data() + kHeadBytes);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    bits.add(entries[i].key - entries[i - 1].key, key_bits);
  }
  for (const KeyEntry& entry : entries) bits.add(entry.item, item_bits);
  out.resize(bytes);
  return out;
}

KeyBlock::KeyBlock(std::string_view bytes) noexcept {
  if (bytes.size() < kHeadBytes) return;
  std::uint16_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  count_ = count;
  key_bits_ = static_cast<unsigned char>(bytes[2]);
  item_bits_ = static_cast<unsigned char>(bytes[3]);
  std::memcpy(&first_, bytes.data() + 4, sizeof first_);
  bits_ = bytes.substr(kHeadBytes);
  valid_ = count_ > 0 && count_ <= IndexLayout::kKeysOfBlock &&
           key_bits_ <= IndexLayout::kMostKeyBits && item_bits_ <= kMostItemBits &&
           first_ >> IndexLayout::kMostKeyBits == 0 &&
           bits_.size() == bytes_of(count_, key_bits_, item_bits_);
}

bool KeyBlock::find(std::uint64_t key, KeyPosition& cursor,
                    std::vector<std::uint32_t>& items) const {
  if (key < cursor.key) cursor = {};
  cursor.key = key;
  skip_below(cursor);
  std::uint64_t at = cursor.entry == 0 ? first_ : cursor.before;
  for (std::size_t i = cursor.entry; i < count_; ++i) {
    if (i > 0) at += difference(i);
    if (at > key) return false;
    if (at == key) items.push_back(item(i));
  }
  return true;
}

// Sums differences, several at a time, as long as the sum stays below the key.
void KeyBlock::skip_below(KeyPosition& cursor) const noexcept {
  constexpr std::size_t kAtOnce = 8;
  if (first_ >= cursor.key) return;
  if (cursor.entry == 0) {
    cursor.entry = 1;
    cursor.before = first_;
  }
  const std::uint64_t mask = (std::uint64_t{1} << key_bits_) - 1;
  for (; cursor.entry + kAtOnce <= count_; cursor.entry += kAtOnce) {
    const std::size_t bit = (cursor.entry - 1) * key_bits_;
    if ((bit + (kAtOnce - 1) * key_bits_) / 8 + sizeof mask > bits_.size()) break;
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < kAtOnce; ++j) {
      std::uint64_t word = 0;
      const std::size_t begin = bit + j * key_bits_;
      std::memcpy(&word, bits_.data() + begin / 8, sizeof word);
      sum += word >> begin % 8 & mask;
    }
    if (cursor.before + sum >= cursor.key) break;
    cursor.before += sum;
  }
}

bool KeyBlock::append_to(std::vector<KeyEntry>& entries) const {
  const std::size_t begin = entries.size();
  std::uint64_t at = first_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (i > 0) at += difference(i);
    if (at >> IndexLayout::kMostKeyBits != 0) return false;
    entries.push_back({at, item(i)});
    const std::size_t last = entries.size() - 1;
    if (last > begin && !(entries[last - 1] < entries[last])) return false;
  }
  return true;
}

}  // namespace sosie
