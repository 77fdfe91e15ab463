#include "io/zstd_decoder.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// A frame with a window of 2^log bytes and a block that repeats 'x' 1,000 times.
std::string frame_of_window(int log) {
  std::string frame("\x28\xB5\x2F\xFD\x00", 5);
  frame += static_cast<char>((log - 10) << 3);
  constexpr std::uint32_t kBlock = 1000U << 3 | 1U << 1 | 1U;  // one byte repeated, the last block
  for (int i = 0; i < 3; ++i) frame += static_cast<char>(kBlock >> (8 * i) & 255);
  return frame + 'x';
}

std::string unpack_frames(std::string_view packed, const WindowLimit& limit, std::size_t piece) {
  std::string out;
  const auto source = [&](char* to, std::size_t size) {
    const std::size_t count = packed.copy(to, std::min(size, piece));
    packed.remove_prefix(count);
    return count;
  };
  unpack(
      Compression::zstd, source, "f", [&](std::string_view bytes) { out += bytes; }, limit);
  return out;
}

TEST(ZstdDecoder, TellsTheWindowOfAFrame) {
  EXPECT_EQ(zstd_window_bytes(frame_of_window(10)), std::uint64_t{1} << 10);
  EXPECT_EQ(zstd_window_bytes(frame_of_window(27)), std::uint64_t{1} << 27);
  EXPECT_EQ(zstd_window_bytes(std::string("\x28\xB5\x2F\xFD\x00\x8B", 6)),
            (std::uint64_t{1} << 27) / 8 * 11);
  for (const std::size_t size : {0U, 100U, 255U, 256U, 1000U, 70'000U, 1'000'000U}) {
    EXPECT_EQ(zstd_window_bytes(pack(Compression::zstd, std::string(size, 'a'))), size) << size;
  }
  EXPECT_EQ(zstd_window_bytes("\x28\xB5\x2F\xFD"), std::nullopt);
  EXPECT_EQ(zstd_window_bytes("no frame at all"), std::nullopt);
}

TEST(ZstdDecoder, RefusesAWindowBeyondTheLimitWhereverItComes) {
  const std::string frames = frame_of_window(20) + frame_of_window(25);
  for (const std::size_t piece : {1U, 7U, 4096U}) {
    EXPECT_EQ(unpack_frames(frames, {128 * kMebibyte, 1}, piece), std::string(2000, 'x'));
    try {
      unpack_frames(frames, {64 * kMebibyte, 2}, piece);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
      EXPECT_STREQ(error.what(), "f: zstd window of 33554432 bytes is too large for --memory 64M");
      EXPECT_TRUE(error.hint().starts_with("--memory 256M is enough")) << error.hint();
    }
    EXPECT_EQ(unpack_frames(frames, {256 * kMebibyte, 2}, piece), std::string(2000, 'x'));
  }
}

TEST(ZstdDecoder, TakesWindowsOfCommonFilesWhateverTheMemory) {
  EXPECT_EQ(unpack_frames(frame_of_window(23), {kMebibyte, 64}, 4096), std::string(1000, 'x'));
}

TEST(ZstdDecoder, TakesAndRefusesAsZstdDoesWhereThereIsNoMemoryToKeep) {
  EXPECT_EQ(unpack_frames(frame_of_window(27), {}, 4096), std::string(1000, 'x'));
  EXPECT_THROW(unpack_frames(frame_of_window(28), {}, 4096), Error);
}

}  // namespace
}  // namespace sosie
