// Tests that blocks of keys return the keys that were packed, and that other bytes are rejected.
#include "store/index/key_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

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

RC_GTEST_PROP(KeyBlocks, GiveBackTheirEntries,
              (const std::vector<std::pair<std::uint64_t, std::uint32_t>>& of)) {
  const auto bits = *rc::gen::elementOf(std::vector<unsigned>{1, 8, 40, 56});
  const std::vector<KeyEntry> entries = sorted_entries(of, bits);
  if (entries.empty()) return;
  const std::string bytes = pack_keys(entries);
  const KeyBlock block(bytes);
  RC_ASSERT(block.is_valid());
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
  const std::string bytes = pack_keys(entries);
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
  const std::string bytes = pack_keys(entries);
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
  EXPECT_FALSE(KeyBlock(bytes + "x").is_valid());
  std::string wide = bytes;
  wide[2] = 57;
  EXPECT_FALSE(KeyBlock(wide).is_valid());
}

}  // namespace
}  // namespace sosie
