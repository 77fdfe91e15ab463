// Compresses the sorted keys of index runs and their items.
#include "store/index/key_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "data/index_layout.h"
#include "io/packed_numbers.h"

namespace sosie {
namespace {

constexpr std::size_t kHeadBytes = 12;  // u16 entries, u8 bits of keys, u8 of items, u64 key
constexpr unsigned kHasSteps = 128;     // in the bits of keys; not in an earlier version
constexpr unsigned kMostItemBits = 32;
constexpr std::size_t kWordBits = 64;
constexpr std::uint64_t kMostKey = (std::uint64_t{1} << IndexLayout::kMostKeyBits) - 1;

std::size_t bytes_of(std::size_t keys, unsigned key_bits, std::size_t items,
                     unsigned item_bits) noexcept {
  return (keys * key_bits + items * item_bits + 7) / 8;
}

// So many low bits that the steps of all keys together are one to two for each key.
unsigned low_bits_of(std::uint64_t range, std::size_t count) noexcept {
  const std::uint64_t mean = range / count;
  return mean == 0 ? 0 : static_cast<unsigned>(std::bit_width(mean)) - 1;
}

// 64 bits from a byte on; those behind the end are zero.
std::uint64_t word_at(std::string_view bytes, std::size_t byte) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + byte, std::min(bytes.size() - byte, sizeof word));
  return word;
}

}  // namespace

std::string pack_keys(std::span<const KeyEntry> entries) {
  const std::uint64_t first = entries.front().key;
  const std::uint64_t range = entries.back().key - first;
  const unsigned low = low_bits_of(range, entries.size());
  std::uint64_t items = 0;
  for (const KeyEntry& entry : entries) items |= entry.item;
  const auto item_bits = static_cast<unsigned>(std::bit_width(items));
  const std::size_t packed = kHeadBytes + bytes_of(entries.size(), low, entries.size(), item_bits);
  const std::size_t bytes = packed + ((range >> low) + entries.size() + 7) / 8;
  std::string out(bytes + sizeof(std::uint64_t), '\0');
  const auto count = static_cast<std::uint16_t>(entries.size());
  std::memcpy(out.data(), &count, sizeof count);
  out[2] = static_cast<char>(low | kHasSteps);
  out[3] = static_cast<char>(item_bits);
  std::memcpy(out.data() + 4, &first, sizeof first);
  BitWriter bits(out.data() + kHeadBytes);
  const std::uint64_t low_mask = (std::uint64_t{1} << low) - 1;
  for (const KeyEntry& entry : entries) bits.add((entry.key - first) & low_mask, low);
  for (const KeyEntry& entry : entries) bits.add(entry.item, item_bits);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t bit = ((entries[i].key - first) >> low) + i;
    out[packed + bit / 8] = static_cast<char>(out[packed + bit / 8] | 1 << bit % 8);
  }
  out.resize(bytes);
  return out;
}

KeyBlock::KeyBlock(std::string_view bytes) noexcept {
  if (bytes.size() < kHeadBytes) return;
  std::uint16_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  count_ = count;
  const auto form = static_cast<unsigned char>(bytes[2]);
  const bool has_steps = (form & kHasSteps) != 0;
  key_bits_ = form & ~kHasSteps;
  item_bits_ = static_cast<unsigned char>(bytes[3]);
  std::memcpy(&first_, bytes.data() + 4, sizeof first_);
  bits_ = bytes.substr(kHeadBytes);
  if (count_ == 0 || count_ > IndexLayout::kKeysOfBlock || key_bits_ > IndexLayout::kMostKeyBits ||
      item_bits_ > kMostItemBits || first_ >> IndexLayout::kMostKeyBits != 0) {
    return;
  }
  keys_ = has_steps ? count_ : count_ - 1;
  const std::size_t packed = bytes_of(keys_, key_bits_, count_, item_bits_);
  if (!has_steps) {
    valid_ = bits_.size() == packed;
  } else if (bits_.size() >= packed + (count_ + 7) / 8) {
    steps_ = bits_.substr(packed);
    valid_ = true;
  }
}

bool KeyBlock::find(std::uint64_t key, KeyPosition& cursor,
                    std::vector<std::uint32_t>& items) const {
  return steps_.empty() ? find_by_differences(key, cursor, items) : find_by_steps(key, items);
}

// In the steps, a one stands for a key, and a zero for a step to the next keys.
bool KeyBlock::find_by_steps(std::uint64_t key, std::vector<std::uint32_t>& items) const {
  if (key < first_) return false;
  const std::uint64_t steps = (key - first_) >> key_bits_;
  const std::uint64_t low = (key - first_) & ((std::uint64_t{1} << key_bits_) - 1);
  std::size_t bit = bit_after_steps(steps);
  std::size_t i = bit - steps;
  for (; i < count_ && bit < steps_.size() * 8; ++bit, ++i) {
    if ((static_cast<unsigned char>(steps_[bit / 8]) >> bit % 8 & 1) == 0) return false;
    const std::uint64_t found = low_bits(i);
    if (found > low) return false;
    if (found == low) items.push_back(item(i));
  }
  return true;
}

// The bit behind so many zeros, or behind all steps if there are fewer.
std::size_t KeyBlock::bit_after_steps(std::uint64_t steps) const noexcept {
  const std::size_t bits = steps_.size() * 8;
  std::uint64_t left = steps;
  for (std::size_t begin = 0; left > 0 && begin < bits; begin += kWordBits) {
    std::uint64_t zeros = ~word_at(steps_, begin / 8);
    const auto count = static_cast<std::uint64_t>(std::popcount(zeros));
    if (count < left) {
      left -= count;
      continue;
    }
    for (; left > 1; --left) zeros &= zeros - 1;
    return begin + static_cast<std::size_t>(std::countr_zero(zeros)) + 1;
  }
  return left == 0 ? 0 : bits + steps;
}

bool KeyBlock::find_by_differences(std::uint64_t key, KeyPosition& cursor,
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
  const bool are_there = steps_.empty() ? append_by_differences(entries) : append_by_steps(entries);
  const auto descends = [](const KeyEntry& a, const KeyEntry& b) { return !(a < b); };
  return are_there && std::adjacent_find(entries.begin() + static_cast<std::ptrdiff_t>(begin),
                                         entries.end(), descends) == entries.end();
}

bool KeyBlock::append_by_steps(std::vector<KeyEntry>& entries) const {
  std::size_t i = 0;
  for (std::size_t begin = 0; begin < steps_.size() * 8; begin += kWordBits) {
    for (std::uint64_t ones = word_at(steps_, begin / 8); ones != 0; ones &= ones - 1) {
      if (i == count_) return false;
      const std::uint64_t steps = begin + static_cast<std::size_t>(std::countr_zero(ones)) - i;
      if (steps > kMostKey >> key_bits_) return false;
      const std::uint64_t key = first_ + (steps << key_bits_ | low_bits(i));
      if (key > kMostKey) return false;
      entries.push_back({key, item(i)});
      ++i;
    }
  }
  return i == count_;
}

bool KeyBlock::append_by_differences(std::vector<KeyEntry>& entries) const {
  std::uint64_t at = first_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (i > 0) at += difference(i);
    if (at > kMostKey) return false;
    entries.push_back({at, item(i)});
  }
  return true;
}

}  // namespace sosie
