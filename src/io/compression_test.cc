#include "io/compression.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "io/file.h"
#include "io/output_file.h"
#include "io/output_tree.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

// The decompressed bytes of `packed`, passed in pieces of that size; or the message if it is
// rejected.
std::string unpack_all(Compression compression, std::string_view packed, std::size_t piece = 4096) {
  std::string out;
  const auto source = [&](char* to, std::size_t size) {
    const std::size_t count = packed.copy(to, std::min(size, piece));
    packed.remove_prefix(count);
    return count;
  };
  try {
    unpack(compression, source, "f", [&](std::string_view bytes) { out += bytes; });
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    return std::string("! ") + error.what();
  }
  return out;
}

constexpr auto kGzip = Compression::gzip;
constexpr auto kZstd = Compression::zstd;

RC_GTEST_PROP(Compression, MembersUnpackToWhatWasPacked, ()) {
  const auto parts = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::string>>());
  const auto piece = *rc::gen::inRange<std::size_t>(1, 50);
  for (const Compression compression : {kGzip, kZstd}) {
    std::string whole;
    std::string packed;
    for (const std::string& part : parts) {
      whole += part;
      packed += pack(compression, part);
    }
    RC_ASSERT(unpack_all(compression, packed, piece) == whole);
    RC_ASSERT(compression_by_magic(packed) == compression);
  }
}

TEST(Compression, EveryTruncationIsRefused) {
  for (const Compression compression : {kGzip, kZstd}) {
    const std::string packed = pack(compression, "some text, some text and more");
    for (std::size_t size = 0; size < packed.size(); ++size) {
      const std::string said = unpack_all(compression, packed.substr(0, size));
      EXPECT_EQ(said, compression == kGzip ? "! f: truncated gzip" : "! f: truncated zstd") << size;
    }
  }
}

TEST(Compression, BehindGzipOnlyZerosAndMembersMayFollow) {
  const std::string packed = pack(kGzip, "abc");
  EXPECT_EQ(unpack_all(kGzip, packed + std::string(5000, '\0'), 700), "abc");
  EXPECT_EQ(unpack_all(kGzip, packed + "x"), "! f: data after the end of the gzip stream");
  EXPECT_EQ(unpack_all(kGzip, packed + std::string(3, '\0') + packed),
            "! f: data after the end of the gzip stream");
  EXPECT_TRUE(
      unpack_all(kGzip, "plain text").starts_with("! f: is not in gzip format, despite its name"));
  EXPECT_TRUE(unpack_all(kZstd, pack(kZstd, "a") + "trailing").starts_with("! f: broken zstd"));
}

TEST(Compression, GzipHasNoTimeAndNoName) {
  const std::string packed = pack(kGzip, "abc");
  EXPECT_EQ(packed.substr(3, 5), std::string(5, '\0'));  // flags and time
}

class PackedOutput : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-pack-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path folder_;
};

TEST_F(PackedOutput, BytesDependOnTheContentOnly) {
  std::string text;
  for (int i = 0; text.size() < 2 * kMemberBytes + 12345; ++i) text += std::to_string(i) + '\n';
  std::vector<std::string> results;
  for (const unsigned threads : {0U, 1U, 3U}) {
    ThreadPool pool(std::max(1U, threads), nullptr);
    OutputFile out(path("out.gz"));
    if (threads > 0) out.pack_with(pool);
    const std::size_t piece = 1000 + 777 * threads;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      out.write(std::string_view(text).substr(at, piece));
    }
    out.commit();
    results.push_back(content(path("out.gz")));
  }
  EXPECT_EQ(unpack_all(kGzip, results[0]), text);
  EXPECT_TRUE(results[0].starts_with(pack(kGzip, text.substr(0, kMemberBytes))));
  EXPECT_TRUE(results[0] == results[1] && results[0] == results[2]);
}

TEST_F(PackedOutput, EmptyFileIsOneEmptyMember) {
  for (const char* name : {"a.gz", "a.zst"}) {
    OutputFile(path(name)).commit();
    EXPECT_EQ(content(path(name)), pack(compression_by_extension(name), ""));
  }
}

TEST_F(PackedOutput, TreeAppearsWhenItIsComplete) {
  const auto put = [](OutputTree& tree, const char* name) {
    OutputFile file(tree.path_for(name), OutputFile::Durability::left_to_caller);
    file.write("x");
    file.commit();
  };
  {
    OutputTree tree(path("out/"), false);
    put(tree, "a/b.txt");
    EXPECT_FALSE(fs::exists(path("out")));
  }
  EXPECT_TRUE(fs::is_empty(folder_));  // not committed
  OutputTree tree(path("out/"), false);
  put(tree, "a/b.txt");
  tree.commit();
  EXPECT_EQ(content(path("out/a/b.txt")), "x");
  EXPECT_THROW(OutputTree(path("out/"), false), Error);
  OutputTree again(path("out"), true);
  put(again, "c.txt");
  again.commit();
  EXPECT_TRUE(fs::exists(path("out/a/b.txt")) && fs::exists(path("out/c.txt")));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("out")), fs::directory_iterator{}), 2);
}

TEST_F(PackedOutput, FileClosedBetweenReadsNoticesItsReplacement) {
  std::ofstream(path("a")) << "0123456789";
  File file(path("a"));
  file.close_between_reads();
  std::string bytes(4, ' ');
  file.read_at(3, bytes.data(), 4);
  EXPECT_EQ(bytes, "3456");
  std::ofstream(path("b")) << "something else";
  fs::rename(path("b"), path("a"));
  EXPECT_THROW(file.read_at(3, bytes.data(), 4), Error);
}

}  // namespace
}  // namespace sosie
