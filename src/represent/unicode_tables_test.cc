// Tests of the Unicode tables at every code point; the tables are part of the recipe.
#include "represent/unicode_tables.h"

#include <gtest/gtest.h>

#include "core/mix64.h"

namespace sosie::unicode {
namespace {

TEST(UnicodeTables, ArePinnedAtEveryCodePoint) {
  std::uint64_t hash = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    const Properties properties = properties_of(c);
    const std::uint64_t bits = static_cast<std::uint64_t>(properties.char_class()) |
                               (properties.joins_previous() ? 4U : 0U) |
                               (properties.disturbs() ? 8U : 0U) |
                               std::uint64_t{properties.mapping()} << 4;
    hash = mix64(hash ^ (bits | std::uint64_t{combining_class(c)} << 16 |
                         std::uint64_t{decomposition_offset(c)} << 32));
  }
  EXPECT_EQ(hash, 0xab44e6d5f3505e3f);
}

}  // namespace
}  // namespace sosie::unicode
