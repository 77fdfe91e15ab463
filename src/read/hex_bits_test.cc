#include "read/hex_bits.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(HexBits, AreFourADigitInWholeWords) {
  std::vector<std::uint64_t> words;
  EXPECT_EQ(append_hex_bits("0x1aF", words), 12U);
  EXPECT_EQ(append_hex_bits(" 00000000000000012 \r", words), 68U);
  EXPECT_EQ(words, (std::vector<std::uint64_t>{0xFA1, std::uint64_t{1} << 60, 2}));
  EXPECT_EQ(append_hex_bits("", words), 0U);
}

TEST(HexBits, RefuseEverythingElse) {
  std::vector<std::uint64_t> words{7};
  for (const std::string_view text : {"12g4", "1 2", "-1", "0x0x1", "1.5"}) {
    EXPECT_FALSE(append_hex_bits(text, words)) << text;
  }
  EXPECT_EQ(words, std::vector<std::uint64_t>{7});
}

}  // namespace
}  // namespace sosie
