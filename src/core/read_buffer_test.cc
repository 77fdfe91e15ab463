// Tests of the addresses of buffers for reading files: large ones begin a little after the start of
// a page.
#include "core/read_buffer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace sosie {
namespace {

std::uintptr_t place_in_page(const ReadBuffer& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data()) % ReadBuffer::kPageBytes;
}

TEST(ReadBuffer, BeginsAtOnePlaceOfAPageIfItIsLarge) {
  std::vector<ReadBuffer> buffers;  // all at once, so that their addresses differ
  for (std::size_t size = ReadBuffer::kLarge; size < (std::size_t{1} << 23); size += size / 3 + 1) {
    buffers.emplace_back(size);
  }
  for (ReadBuffer& buffer : buffers) {
    EXPECT_EQ(place_in_page(buffer), ReadBuffer::kStartInPage) << buffer.size();
    std::memset(buffer.data(), 'x', buffer.size());  // a sanitizer reports any that are missing
  }
}

TEST(ReadBuffer, IsEmptyUntilItHasASize) {
  ReadBuffer buffer;
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.size(), 0U);
  for (const std::size_t size : {std::size_t{1}, ReadBuffer::kLarge - 1, ReadBuffer::kLarge}) {
    buffer = ReadBuffer(size);
    std::memset(buffer.data(), 'x', size);
    const ReadBuffer moved = std::move(buffer);
    EXPECT_EQ(moved.size(), size);
    EXPECT_EQ(moved.data()[size - 1], 'x');
    buffer = {};
    EXPECT_EQ(buffer.data(), nullptr);
  }
}

}  // namespace
}  // namespace sosie
