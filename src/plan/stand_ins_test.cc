// Tests of the estimate from siblings of missing partners: a law on synthetic links, and its
// bounds.
#include "plan/stand_ins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/mix64.h"

namespace sosie {
namespace {

struct MadeFamilies {
  std::vector<ScoredLink> links = {};
  std::vector<std::size_t> chosen = {};
  double false_links = 0;
};

double part_from(std::uint64_t stream, std::uint64_t i) {
  return static_cast<double>(random64(stream, i) >> 11) / 9007199254740992.0;
}

// Left record i has the partner `records` + i with probability `with_partner`, and a free sibling
// of this partner with probability `with_sibling`. Partners score 8 to 12, siblings 6 to 8.
MadeFamilies made_families(std::uint32_t records, double with_partner, double with_sibling) {
  MadeFamilies made;
  for (std::uint32_t left = 0; left < records; ++left) {
    const std::uint64_t stream = random64(7, left);
    const bool has_partner = part_from(stream, 0) < with_partner;
    const bool has_sibling = part_from(stream, 2) < with_sibling;
    if (has_partner || has_sibling) made.chosen.push_back(made.links.size());
    if (has_partner) made.links.push_back({left, records + left, 8 + 4 * part_from(stream, 1), 1});
    if (has_sibling)
      made.links.push_back({left, 2 * records + left, 6 + 2 * part_from(stream, 3), 1});
    made.false_links += !has_partner && has_sibling ? 1 : 0;
  }
  return made;
}

TEST(StandIns, TellHowManyLinksAreToSiblings) {
  for (const double with_partner : {.3, .6, .9}) {
    for (const double with_sibling : {.1, .3, .6}) {
      const MadeFamilies made = made_families(4000, with_partner, with_sibling);
      const StandIns found = find_stand_ins({made.links, made.chosen, 6, 4000, 8000});
      EXPECT_NEAR(found.part, with_sibling, .05);
      const double most = static_cast<double>(made.chosen.size()) * 2 / 3;
      EXPECT_NEAR(found.false_links, std::min(made.false_links, most), .15 * made.false_links + 20)
          << with_partner << " " << with_sibling;
    }
  }
}

TEST(StandIns, AreNoneWhereOthersAreLinkedBetterOrTooWeak) {
  MadeFamilies made;
  for (std::uint32_t i = 0; i < 200; ++i) {
    made.chosen.push_back(made.links.size() + (i == 0 ? 0 : 1));
    if (i > 0) made.links.push_back({i, 1000 + i - 1, 7, 1});  // its own link scores 9
    made.links.push_back({i, 1000 + i, 9, 1});
    made.links.push_back({i, 1500 + i, 3, 0});  // below all links
  }
  EXPECT_EQ(find_stand_ins({made.links, made.chosen, 7, 1000, 1000}).false_links, 0);
}

TEST(StandIns, NeedThirtyClearLinks) {
  MadeFamilies made = made_families(80, 1, 1);
  EXPECT_EQ(find_stand_ins({made.links, made.chosen, 6, 80, 160}).part, 0);
  EXPECT_EQ(find_stand_ins({{}, {}, 0, 0, 0}).false_links, 0);
  made = made_families(100, 1, 1);
  EXPECT_EQ(find_stand_ins({made.links, made.chosen, 6, 100, 200}).part, 1);
  EXPECT_EQ(find_stand_ins({made.links, made.chosen, 6, 200, 300}).false_links, 67) << "at most";
}

}  // namespace
}  // namespace sosie
