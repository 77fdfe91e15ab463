// Tests measuring how far two answers agree.
#include "decide/link_confidence.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(LinkConfidence, AgreementIsTheCommonPartOfBoth) {
  const std::vector<RecordPair> a = {{0, 1}, {0, 2}, {3, 4}};
  const std::vector<RecordPair> b = {{0, 2}, {3, 4}, {3, 5}, {6, 7}, {8, 9}};
  EXPECT_DOUBLE_EQ(agreement_of(a, b), 2 * 2.0 / 8);
  EXPECT_DOUBLE_EQ(agreement_of(b, a), 2 * 2.0 / 8);
  EXPECT_EQ(agreement_of(a, a), 1);
  const std::vector<RecordPair> none;
  EXPECT_EQ(agreement_of(a, none), 0);
  EXPECT_EQ(agreement_of(none, none), 1);
}

TEST(LinkConfidence, GroupsAgreeInTheirPairs) {
  const std::vector<std::uint32_t> one = {0, 0, 0, 3, 3, 5};    // 3 pairs and 1
  const std::vector<std::uint32_t> other = {0, 0, 2, 2, 2, 5};  // 1 pair and 3
  EXPECT_DOUBLE_EQ(agreement_of_groups(one, other), 2 * 2.0 / 8);
  EXPECT_EQ(agreement_of_groups(one, one), 1);
  const std::vector<std::uint32_t> alone = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(agreement_of_groups(one, alone), 0);
  EXPECT_EQ(agreement_of_groups(alone, alone), 1);
}

}  // namespace
}  // namespace sosie
