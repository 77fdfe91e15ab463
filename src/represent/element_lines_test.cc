#include "represent/element_lines.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "data/padded_bytes.h"
#include "represent/text_shingler.h"
#include "verify/jaccard.h"

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

using Bag = std::vector<std::uint64_t>;

Overlap overlap_of(Bag left, Bag right) {
  for (Bag* bag : {&left, &right}) {
    number_occurrences(*bag);
    std::sort(bag->begin(), bag->end());
  }
  return set_overlap(left, right);
}

double by_sum(const Bag& left, const Bag& right) {
  return bag_jaccard_sum(overlap_of(left, right));
}
double by_max(const Bag& left, const Bag& right) { return overlap_of(left, right).jaccard(); }

TEST(Bags, T1_2_BothUnions) {
  const Bag left = {'a', 'a', 'a', 'b'};
  const Bag right = {'a', 'a', 'b', 'b', 'c'};
  EXPECT_DOUBLE_EQ(by_sum(left, right), 1.0 / 3);
  EXPECT_DOUBLE_EQ(by_max(left, right), 1.0 / 2);
  const Bag one = {1, 1, 1, 2};
  const Bag two = {1, 1, 2, 2, 3};
  const Bag three = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(by_sum(one, two), 1.0 / 3);
  EXPECT_DOUBLE_EQ(by_sum(one, three), 1.0 / 4);
  EXPECT_DOUBLE_EQ(by_sum(two, three), 1.0 / 3);
  EXPECT_DOUBLE_EQ(by_max(one, two), 1.0 / 2);
  EXPECT_DOUBLE_EQ(by_max(one, three), 1.0 / 3);
  EXPECT_DOUBLE_EQ(by_max(two, three), 1.0 / 2);
}

TEST(Bags, FirstOccurrencesKeepTheirHashAndPlace) {
  Bag bag = {7, 5, 7, 9};
  number_occurrences(bag);
  EXPECT_EQ((Bag{bag[0], bag[1], bag[3]}), (Bag{7, 5, 9}));
  EXPECT_NE(bag[2], 7U);
}

RC_GTEST_PROP(Bags, OverlapIsSumOfLeastAndOfGreatestMultiplicities, ()) {
  const auto elements = rc::gen::container<Bag>(rc::gen::inRange<std::uint64_t>(0, 8));
  const Bag left = *elements;
  const Bag right = *elements;
  std::map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> counts;
  for (const std::uint64_t x : left) ++counts[x].first;
  for (const std::uint64_t x : right) ++counts[x].second;
  Overlap expected;
  expected.left = static_cast<std::uint32_t>(left.size());
  for (const auto& [element, count] : counts) {
    expected.shared += std::min(count.first, count.second);
    expected.united += std::max(count.first, count.second);
  }
  RC_ASSERT(overlap_of(left, right) == expected);
}

}  // namespace
}  // namespace sosie
