// Tests that kept blocks, in memory and in scratch, have the bytes of the file that they come from.
#include "io/kept_blocks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace sosie {
namespace {

std::string random_bytes(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

class KeptBlocksTest : public testing::Test {
 protected:
  static std::string read(const KeptBlocks& kept, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    return kept.read(offset, bytes.data(), size) ? bytes : "none";
  }
  // Keeps every `step`-th block of the bytes and the block after it.
  static void keep_some(KeptBlocks& kept, const std::string& bytes, std::uint64_t step) {
    const std::uint64_t end = (bytes.size() + kKeptBlockBytes - 1) / kKeptBlockBytes;
    RowBits blocks(end);
    for (std::uint64_t block = 0; block < end; ++block) {
      if (block % step < 2 && !kept.has(block)) blocks.set(block);
    }
    blocks.count();
    const RowBits chosen = blocks;
    kept.begin_pass(std::move(blocks), end);
    chosen.for_each([&](std::uint64_t block) {
      kept.add(std::string_view(bytes).substr(block * kKeptBlockBytes, kKeptBlockBytes));
    });
    kept.finish();
  }

  Scratch scratch_{std::filesystem::temp_directory_path().string()};
  std::string bytes_ = random_bytes(5'000'001, 1);
};

TEST_F(KeptBlocksTest, PrefixIsReadAsFarAsItGoesAndLiesInMemory) {
  SlabStore store(scratch_, 3 << 20);
  KeptBlocks kept(store);
  for (std::size_t at = 0; at < bytes_.size(); at += 1 << 20) {
    if (!kept.append(std::string_view(bytes_).substr(at, 1 << 20))) break;
  }
  EXPECT_EQ(kept.prefix_bytes(), 3U << 20);
  EXPECT_EQ(read(kept, 1'000'000, 2'000'000), bytes_.substr(1'000'000, 2'000'000));
  EXPECT_EQ(read(kept, (3U << 20) - 10, 11), "none");
  EXPECT_EQ(scratch_.peak_bytes(), 0U);
}

TEST_F(KeptBlocksTest, WholeFileHasItsLastBytes) {
  SlabStore store(scratch_, 6 << 20);
  KeptBlocks kept(store);
  for (std::size_t at = 0; at < bytes_.size(); at += 1 << 20) {
    ASSERT_TRUE(kept.append(std::string_view(bytes_).substr(at, 1 << 20)));
    EXPECT_EQ(read(kept, at, 5), bytes_.substr(at, 5));
  }
  kept.finish();
  EXPECT_EQ(read(kept, 0, bytes_.size()), bytes_);
  EXPECT_EQ(read(kept, bytes_.size() - 7, 7), bytes_.substr(bytes_.size() - 7));
  EXPECT_EQ(read(kept, bytes_.size() - 7, 8), "none");
}

TEST_F(KeptBlocksTest, BlocksOfSeveralPassesStandBesideEachOther) {
  for (const std::uint64_t memory : {0U, 1U << 20, 64U << 20}) {
    SlabStore store(scratch_, memory);
    KeptBlocks kept(store);
    keep_some(kept, bytes_, 7);
    keep_some(kept, bytes_, 3);
    for (std::uint64_t block = 0; block * kKeptBlockBytes < bytes_.size(); ++block) {
      const bool is_kept = block % 7 < 2 || block % 3 < 2;
      ASSERT_EQ(kept.has(block), is_kept) << block;
      const std::string there = bytes_.substr(block * kKeptBlockBytes + 5, 1000);
      ASSERT_EQ(read(kept, block * kKeptBlockBytes + 5, there.size()), is_kept ? there : "none");
    }
    const std::uint64_t across = 7 * kKeptBlockBytes;  // blocks 6 and 7 come from two passes
    EXPECT_EQ(read(kept, across - 100, 200), bytes_.substr(across - 100, 200));
    EXPECT_EQ(read(kept, 2 * kKeptBlockBytes - 1, 2), "none");
  }
}

TEST_F(KeptBlocksTest, SmallBlocksAreFoundWhereTheyLie) {
  constexpr std::uint64_t kSmall = 64;
  SlabStore store(scratch_, 1 << 20);
  KeptBlocks kept(store);
  kept.set_block_bytes(kSmall);
  const std::uint64_t end = (bytes_.size() + kSmall - 1) / kSmall;
  RowBits blocks(end);
  for (std::uint64_t block = 0; block < end; ++block) {
    if (block % 5 < 2) blocks.set(block);
  }
  blocks.count();
  kept.begin_pass(std::move(blocks), end);
  for (std::uint64_t block = 0; block < end; block += 5) {  // two blocks at once
    kept.add(std::string_view(bytes_).substr(block * kSmall, 2 * kSmall));
  }
  kept.finish();
  EXPECT_TRUE(kept.has(51));
  EXPECT_FALSE(kept.has(52));
  for (const std::uint64_t block : {std::uint64_t{0}, std::uint64_t{50}, end / 5 * 5 - 5}) {
    const std::string there = bytes_.substr(block * kSmall + 3, 2 * kSmall - 3);
    EXPECT_EQ(read(kept, block * kSmall + 3, there.size()), there);
    EXPECT_EQ(read(kept, block * kSmall + 3, there.size() + 1), "none");
  }
}

TEST_F(KeptBlocksTest, NoMoreLiesInScratchThanItsLimitAllows) {
  Scratch small(std::filesystem::temp_directory_path().string(), 4 << 20);
  SlabStore store(small, 0);
  KeptBlocks kept(store);
  keep_some(kept, bytes_, 2);
  EXPECT_LE(small.peak_bytes(), 2U << 20);
  EXPECT_EQ(read(kept, 1000, 100), bytes_.substr(1000, 100));
  EXPECT_EQ(read(kept, 3 << 20, 100), "none");
}

TEST_F(KeptBlocksTest, ForgottenBlocksGiveTheirMemoryBack) {
  SlabStore store(scratch_, 6 << 20);
  for (int round = 0; round < 3; ++round) {
    KeptBlocks kept(store);
    ASSERT_TRUE(kept.append(bytes_));
    kept.finish();
    if (round == 1) kept.clear();
    EXPECT_EQ(kept.has(0), round != 1);
  }
}

}  // namespace
}  // namespace sosie
