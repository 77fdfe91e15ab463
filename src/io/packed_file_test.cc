// Tests that compressed files give the same bytes when read by position as when decompressed in
// order.
#include "io/packed_file.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr auto kBoth = {Compression::gzip, Compression::zstd};

// Text that compresses to about a third.
std::string words(std::size_t bytes, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < bytes) {
    text += "word" + std::to_string(random() % 5000) + (random() % 12 == 0 ? "\n" : " ");
  }
  return text;
}

// Compresses the text into a single member or frame regardless of its size; the frame does not give
// the size.
std::string pack_long(Compression compression, std::string_view text) {
  if (compression == Compression::gzip) return pack(compression, text);
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  out.resize(ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size()));
  return out;
}

std::string pack_in_members(Compression compression, std::string_view text, std::size_t each) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += each) {
    out += pack(compression, text.substr(at, each));
  }
  return out;
}

class PackedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-packed-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  File open(Compression compression, std::string_view packed) {
    const std::string path = (folder_ / "f").string();
    std::ofstream(path, std::ios::binary) << packed;
    return File::unpacking(File(path), compression, std::make_shared<PackedShelf>(scratch_),
                           nullptr);
  }
  static std::string read(const File& file, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(file.read_some(offset, bytes.data(), size));
    return bytes;
  }
  std::string said(Compression compression, std::string_view packed) {
    try {
      (void)open(compression, packed).size();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
      return fs::path(error.what()).filename();
    }
    return "nothing";
  }

  fs::path folder_;
  Scratch scratch_{fs::temp_directory_path().string()};
};

TEST_F(PackedFileTest, AnyPlaceIsReadAsIfTheFileWereUnpacked) {
  const std::string text = words(std::size_t{16} << 20, 1);
  std::mt19937 random(7);
  for (const Compression compression : kBoth) {
    for (const std::string& packed :
         {pack_long(compression, text), pack_in_members(compression, text, kMemberBytes),
          pack_in_members(compression, text, 700'001)}) {
      const File file = open(compression, packed);
      for (int i = 0; i < 40; ++i) {
        const std::size_t offset = random() % text.size();
        const std::size_t size = i % 10 == 0 ? 3'000'000 : 1 + random() % 5000;
        ASSERT_TRUE(read(file, offset, size) == text.substr(offset, size)) << offset;
      }
      EXPECT_EQ(file.size(), text.size());
      EXPECT_EQ(read(file, text.size(), 10), "");
      EXPECT_EQ(read(file, text.size() - 3, 10), text.substr(text.size() - 3));
    }
  }
}

TEST_F(PackedFileTest, SizeIsKnownOnceTheEndWasReached) {
  const std::string text = words(5'000'000, 2);
  for (const Compression compression : kBoth) {
    const File file = open(compression, pack_in_members(compression, text, 900'000));
    EXPECT_EQ(file.known_size(), ~std::uint64_t{0});
    EXPECT_EQ(read(file, 4'000'000, 2'000'000), text.substr(4'000'000));
    EXPECT_EQ(file.known_size(), text.size());
  }
}

TEST_F(PackedFileTest, LikelySizeDoesNotDependOnWhatWasRead) {
  const std::string text = words(9'000'000, 3);
  for (const Compression compression : kBoth) {
    for (const std::string& packed :
         {pack(compression, text), pack_in_members(compression, text, kMemberBytes)}) {
      const File file = open(compression, packed);
      const std::uint64_t before = file.likely_size();
      (void)file.size();
      EXPECT_EQ(file.likely_size(), before);
      EXPECT_NEAR(static_cast<double>(before), static_cast<double>(text.size()), 1e6);
    }
    EXPECT_EQ(open(compression, pack(compression, text)).likely_size(), text.size());
  }
}

TEST_F(PackedFileTest, TruncatedAndBrokenFilesAreRefusedWhereTheyAreReached) {
  const std::string text = words(3'000'000, 4);
  for (const Compression compression : kBoth) {
    const std::string name = compression == Compression::gzip ? "gzip" : "zstd";
    const std::string packed = pack(compression, text);
    EXPECT_EQ(said(compression, packed.substr(0, packed.size() - 5)), "f: truncated " + name);
    EXPECT_EQ(said(compression, ""), "f: truncated " + name);
    const File file = open(compression, packed.substr(0, packed.size() - 5));
    EXPECT_EQ(read(file, 100, 50), text.substr(100, 50));
  }
  const std::string packed = pack(Compression::gzip, text);
  EXPECT_EQ(said(Compression::gzip, packed + "x"), "f: data after the end of the gzip stream");
  EXPECT_EQ(said(Compression::gzip, packed + std::string(100, '\0')), "nothing");
  EXPECT_EQ(said(Compression::gzip, packed + std::string(9, '\0') + packed),
            "f: data after the end of the gzip stream");
  EXPECT_EQ(said(Compression::gzip, "x" + packed), "f: is not in gzip format, despite its name");
}

TEST_F(PackedFileTest, ChosenBlocksAreReadWithoutUnpacking) {
  const std::string text = words(std::size_t{12} << 20, 6);
  for (const Compression compression : kBoth) {
    const File file = open(compression, pack_long(compression, text));
    file.packed()->keep_chosen();
    RowBits blocks(file.size() / kKeptBlockBytes + 1);
    for (std::uint64_t block = 1100; block < 3000; block += 2) blocks.set(block);
    std::uint64_t passed = 0;
    file.packed()->keep(blocks, [&](std::uint64_t bytes) { passed += bytes; });
    EXPECT_EQ(passed, text.size());
    (void)read(file, 0, std::size_t{12} << 20);  // no piece is cached
    fs::resize_file(folder_ / "f", 0);
    for (std::uint64_t block = 1100; block < 3000; block += 2) {
      ASSERT_EQ(read(file, block * kKeptBlockBytes + 10, 240),
                text.substr(block * kKeptBlockBytes + 10, 240));
    }
    EXPECT_THROW((void)read(file, 1101 * kKeptBlockBytes, 100), Error);
    passed = 0;
    file.packed()->keep(blocks, [&](std::uint64_t bytes) { passed += bytes; });  // kept already
    EXPECT_EQ(passed, 0U);
  }
}

TEST_F(PackedFileTest, RowsThatAreKeptTakeLittleMoreThanTheirBytes) {
  const std::string text = words(std::size_t{12} << 20, 6);
  for (const Compression compression : kBoth) {
    const File file = open(compression, pack_long(compression, text));
    file.packed()->keep_chosen();
    file.packed()->expect_rows(text.size() / 100, text.size());
    EXPECT_EQ(file.packed()->block_bytes(), 64U);
    RowBits blocks(file.size() / 64 + 1);
    for (std::uint64_t block = 7; block * 64 < text.size(); block += 100) blocks.set(block);
    file.packed()->keep(blocks, {});
    (void)read(file, 0, std::size_t{12} << 20);  // no piece is at hand
    fs::resize_file(folder_ / "f", 0);
    for (std::uint64_t block = 7; block * 64 + 64 < text.size(); block += 100) {
      ASSERT_EQ(read(file, block * 64 + 10, 50), text.substr(block * 64 + 10, 50));
    }
    file.packed()->expect_rows(1, text.size());  // too late
    EXPECT_EQ(file.packed()->block_bytes(), 64U);
  }
}

TEST_F(PackedFileTest, SmallBlocksOfHugeFilesCanBeCounted) {
  const File file = open(Compression::zstd, pack_long(Compression::zstd, words(10'000, 6)));
  file.packed()->expect_rows(std::uint64_t{1} << 34, std::uint64_t{1} << 40);
  EXPECT_EQ(file.packed()->block_bytes(), 512U);
  file.packed()->expect_rows(100, std::uint64_t{1} << 20);
  EXPECT_EQ(file.packed()->block_bytes(), kKeptBlockBytes);
}

TEST_F(PackedFileTest, FilesThatFitAreUnpackedOnce) {
  const std::string text = words(std::size_t{12} << 20, 6);
  for (const Compression compression : kBoth) {
    const File file = open(compression, pack_long(compression, text));
    EXPECT_EQ(file.size(), text.size());
    fs::resize_file(folder_ / "f", 0);
    for (std::uint64_t at = text.size() - 5000; at > 100'000; at -= 99'999) {
      ASSERT_EQ(read(file, at, 5000), text.substr(at, 5000));
    }
  }
}

TEST_F(PackedFileTest, JumpsCostNoMoreThanUnpackingTheFileSomeTimes) {
  const std::string text = words(std::size_t{12} << 20, 6);
  const std::string path = (folder_ / "f").string();
  for (const Compression compression : kBoth) {
    std::ofstream(path, std::ios::binary) << pack_long(compression, text);
    const File file =
        File::unpacking(File(path), compression, std::make_shared<PackedShelf>(scratch_), nullptr);
    file.packed()->keep_chosen();
    EXPECT_EQ(file.size(), text.size());
    for (std::size_t i = 0; i < 40; ++i) {  // here and there
      const std::size_t at = (i * 7 % 11 << 20) + 100;
      ASSERT_EQ(read(file, at, 50), text.substr(at, 50));
    }
    fs::resize_file(path, 0);
    for (std::uint64_t at = 0; at < text.size() - 5000; at += 99'999) {
      ASSERT_EQ(read(file, at, 5000), text.substr(at, 5000));
    }
  }
}

TEST_F(PackedFileTest, NoMoreIsPutAsideThanTheScratchLimitAllows) {
  const std::string text = words(8'000'000, 5);
  for (const Compression compression : kBoth) {
    Scratch small(fs::temp_directory_path().string(), 100'000);
    const std::string path = (folder_ / "f").string();
    std::ofstream(path, std::ios::binary) << pack_long(compression, text);
    const File file =
        File::unpacking(File(path), compression, std::make_shared<PackedShelf>(small), nullptr);
    file.packed()->keep_chosen();
    EXPECT_EQ(file.size(), text.size());
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(read(file, text.size() - 100, 70), text.substr(text.size() - 100, 70));
      EXPECT_EQ(read(file, 10, 70), text.substr(10, 70));
    }
    EXPECT_LE(small.peak_bytes(), 50'000U);
  }
}

}  // namespace
}  // namespace sosie
