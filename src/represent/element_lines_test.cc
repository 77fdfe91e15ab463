#include "represent/element_lines.h"

#include <gtest/gtest.h>

#include "data/padded_bytes.h"
#include "represent/text_shingler.h"

namespace sosie {
namespace {

TextShingler shingler_of(const PaddedBytes& text, bool bag = false) {
  ShingleRecipe recipe{ShingleUnit::elements, 1};
  recipe.bag = bag;
  TextShingler shingler(recipe);
  shingler.read(text.view());
  return shingler;
}

PaddedBytes padded_lines(std::string_view text) {
  PaddedBytes bytes;
  bytes.assign(text);
  return bytes;
}

TEST(ElementLines, HashesOnePerLine) {
  const PaddedBytes text = padded_lines("milk\nbread\n\nmilk\n");
  std::vector<std::uint64_t> hashes;
  ASSERT_EQ(hash_element_lines(text.view(), hashes), 4U);  // the third is the empty element
  EXPECT_EQ(hashes[0], hashes[3]);
  EXPECT_NE(hashes[0], hashes[1]);
  EXPECT_NE(hashes[1], hashes[2]);
  EXPECT_EQ(hash_element_lines("", hashes), 0U);
}

TEST(ElementLines, OrderAndRepetitionsMakeNoOtherSet) {
  const PaddedBytes one = padded_lines("b\na\nb\n");
  const PaddedBytes other = padded_lines("a\nb\n");
  EXPECT_EQ(shingler_of(one).text_hash(), shingler_of(other).text_hash());
  EXPECT_EQ(shingler_of(one).normalized_text(), "a\nb\n");
  EXPECT_NE(shingler_of(one, true).text_hash(), shingler_of(other, true).text_hash());
  EXPECT_EQ(shingler_of(one, true).normalized_text(), "a\nb\nb\n");
}

}  // namespace
}  // namespace sosie
