// Tests that blocks of keys return the keys that were packed, and that other bytes are rejected.
#include "store/index/key_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/mix64.h"
#include "data/index_layout.h"

namespace sosie {
namespace {

std::vector<KeyEntry> sorted_entries(const std::vector<std::pair<std::uint64_t, std::uint32_t>>& of,
                                     unsigned bits) {
  std::vector<KeyEntry> entries;
  for (const auto& [key, item] : of) entries.push_back({key >> (64 - bits), item});
  std::sort(entries.begin(), entries.end());
  const auto same = [](const KeyEntry& a, const KeyEntry& b) { return !(a < b) && !(b < a); };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  if (entries.size() > IndexLayout::kKeysOfBlock) entries.resize(IndexLayout::kKeysOfBlock);
  return entries;
}

// A block of a run before version 3.
std::string pack_differences(std::span<const KeyEntry> entries) {
  std::uint64_t differences = 0;
  std::uint64_t items = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    items |= entries[i].item;
    if (i > 0) differences |= entries[i].key - entries[i - 1].key;
  }
  const auto key_bits = static_cast<unsigned>(std::bit_width(differences));
  const auto item_bits = static_cast<unsigned>(std::bit_width(items));
  const std::size_t bytes =
      12 + ((entries.size() - 1) * key_bits + entries.size() * item_bits + 7) / 8;
  std::string out(bytes + 8, '\0');
  const auto count = static_cast<std::uint16_t>(entries.size());
  std::memcpy(out.data(), &count, 2);
  out[2] = static_cast<char>(key_bits);
  out[3] = static_cast<char>(item_bits);
  std::memcpy(out.data() + 4, &entries.front().key, 8);
  BitWriter bits(out.data() + 12);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    bits.add(entries[i].key - entries[i - 1].key, key_bits);
  }
  for (const KeyEntry& entry : entries) bits.add(entry.item, item_bits);
  out.resize(bytes);
  return out;
}

std::string packed_in(bool is_new, std::span<const KeyEntry> entries) {
  return is_new ? pack_keys(entries) : pack_differences(entries);
}

RC_GTEST_PROP(KeyBlocks, GiveBackTheirEntries,
              (const std::vector<std::pair<std::uint64_t, std::uint32_t>>& of)) {
  const auto bits = *rc::gen::elementOf(std::vector<unsigned>{1, 8, 40, 56});
  const std::vector<KeyEntry> entries = sorted_entries(of, bits);
  if (entries.empty()) return;
  const std::string bytes = packed_in(*rc::gen::arbitrary<bool>(), entries);
  const KeyBlock block(bytes);
  RC_ASSERT(block.is_valid());
  RC_ASSERT(block.first_key() == entries.front().key);
  std::vector<KeyEntry> back;
  RC_ASSERT(block.append_to(back));
  RC_ASSERT(back.size() == entries.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    RC_ASSERT(back[i].key == entries[i].key && back[i].item == entries[i].item);
  }
}

TEST(KeyBlocks, FindTheItemsOfAKey) {
  const std::vector<KeyEntry> entries = {{3, 7}, {5, 1}, {5, 4}, {9, 0}};
  const std::string bytes = pack_keys(entries);
  const KeyBlock block(bytes);
  std::vector<std::uint32_t> items;
  EXPECT_FALSE(block.find(5, items));
  EXPECT_EQ(items, (std::vector<std::uint32_t>{1, 4}));
  items.clear();
  EXPECT_FALSE(block.find(4, items));
  EXPECT_TRUE(items.empty());
  EXPECT_TRUE(block.find(9, items));  // the next block may continue with the key
  EXPECT_EQ(items, std::vector<std::uint32_t>{0});
}

RC_GTEST_PROP(KeyBlocks, FindWhatAScanFinds,
              (const std::vector<std::pair<std::uint64_t, std::uint32_t>>& of)) {
  const auto bits = *rc::gen::elementOf(std::vector<unsigned>{1, 4, 8, 40, 56});
  const std::vector<KeyEntry> entries = sorted_entries(of, bits);
  if (entries.empty()) return;
  const std::string bytes = packed_in(*rc::gen::arbitrary<bool>(), entries);
  const KeyBlock block(bytes);
  for (const KeyEntry& near : entries) {
    for (const std::uint64_t key : {near.key - (near.key > 0 ? 1 : 0), near.key, near.key + 1}) {
      std::vector<std::uint32_t> found;
      RC_ASSERT(block.find(key, found) == (entries.back().key <= key));
      std::vector<std::uint32_t> wanted;
      for (const KeyEntry& entry : entries) {
        if (entry.key == key) wanted.push_back(entry.item);
      }
      RC_ASSERT(found == wanted);
    }
  }
}

RC_GTEST_PROP(KeyBlocks, FindTheSameWithACursor,
              (const std::vector<std::pair<std::uint64_t, std::uint32_t>>& of)) {
  const auto bits = *rc::gen::elementOf(std::vector<unsigned>{1, 4, 8, 40, 56});
  const std::vector<KeyEntry> entries = sorted_entries(of, bits);
  if (entries.empty()) return;
  const std::string bytes = packed_in(*rc::gen::arbitrary<bool>(), entries);
  const KeyBlock block(bytes);
  const auto turn = *rc::gen::inRange<std::size_t>(0, entries.size());  // keys begin again there
  KeyPosition cursor;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t key = entries[(i + turn) % entries.size()].key + i % 2;
    std::vector<std::uint32_t> found;
    std::vector<std::uint32_t> wanted;
    RC_ASSERT(block.find(key, cursor, found) == block.find(key, wanted));
    RC_ASSERT(found == wanted);
  }
}

TEST(KeyBlocks, RefuseBytesThatAreNone) {
  const std::vector<KeyEntry> entries = {{3, 7}, {5, 1}};
  const std::string bytes = pack_keys(entries);
  EXPECT_FALSE(KeyBlock("").is_valid());
  EXPECT_FALSE(KeyBlock(bytes.substr(0, bytes.size() - 1)).is_valid());
  std::vector<KeyEntry> none;
  EXPECT_FALSE(KeyBlock(bytes + "x").append_to(none));
  const std::string older = pack_differences(entries);
  EXPECT_FALSE(KeyBlock(older.substr(0, older.size() - 1)).is_valid());
  EXPECT_FALSE(KeyBlock(older + "x").is_valid());
  for (std::string wide : {bytes, older}) {
    wide[2] = static_cast<char>((wide[2] & 128) | 57);
    EXPECT_FALSE(KeyBlock(wide).is_valid());
  }
}

// Whatever the bytes are, nothing outside them is read, and no entry is out of order.
RC_GTEST_PROP(KeyBlocks, TakeAnyBytes, (std::string bytes, std::uint64_t key)) {
  if (bytes.size() > 3) bytes[1] = 0;  // few entries
  const KeyBlock block(bytes);
  if (!block.is_valid()) return;
  std::vector<std::uint32_t> items;
  (void)block.find(key >> 8, items);
  (void)block.find(block.first_key() + (key >> 50), items);
  std::vector<KeyEntry> entries;
  if (block.append_to(entries)) {
    RC_ASSERT(std::is_sorted(entries.begin(), entries.end()));
  }
}

TEST(KeyBlocks, TakeTwoBitsAKeyMoreThanTheMeanDistance) {
  std::vector<KeyEntry> entries;
  for (std::uint64_t i = 0; i < IndexLayout::kKeysOfBlock; ++i) {
    entries.push_back({mix64(i) >> 24, static_cast<std::uint32_t>(mix64(i + 5000) >> 44)});
  }
  std::sort(entries.begin(), entries.end());
  // 30 bits between neighbours, 20 of an item
  EXPECT_LT(pack_keys(entries).size() * 8, 1024 * (30 + 2.1 + 20));
  EXPECT_GT(pack_differences(entries).size() * 8, 1024 * (30 + 2.5 + 20));
}

}  // namespace
}  // namespace sosie
