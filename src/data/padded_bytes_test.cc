// Tests of the contents and padding of buffers that kernels read past the end.
#include "data/padded_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace sosie {
namespace {

bool is_padded(const PaddedBytes& bytes) {
  const char* const end = bytes.data() + bytes.size();
  return std::all_of(end, end + kPadding, [](char byte) { return byte == 0; });
}

TEST(PaddedBytes, KeepTheirContentsAndAPaddingOfZeros) {
  PaddedBytes bytes;
  EXPECT_EQ(bytes.view(), "");
  std::string expected;
  for (std::size_t size = 1; size < (std::size_t{1} << 20); size = 3 * size + 1) {
    bytes.reserve(size);
    ASSERT_GE(bytes.capacity(), size);
    ASSERT_EQ(bytes.view(), expected);
    std::fill(bytes.data() + expected.size(), bytes.data() + bytes.capacity() + kPadding, 'x');
    expected.resize(size, 'x');
    bytes.set_size(size);
    ASSERT_EQ(bytes.view(), expected);
    ASSERT_TRUE(is_padded(bytes)) << size;
  }
  PaddedBytes moved = std::move(bytes);
  EXPECT_EQ(moved.view(), expected);
  bytes = {};
  bytes.assign("again");
  EXPECT_EQ(bytes.view(), "again");
  EXPECT_TRUE(is_padded(bytes));
}

}  // namespace
}  // namespace sosie
