// Tests finding rows with partners in a small collection: none is lost, and most rows without a
// partner are ruled out.
#include "candidates/partner_elements.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "core/mix64.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using PartnerSet = std::vector<std::uint64_t>;

rc::Gen<PartnerSet> partner_set_gen() {
  return rc::gen::map(rc::gen::container<PartnerSet>(rc::gen::inRange<std::uint64_t>(0, 24)),
                      [](PartnerSet set) {
                        for (std::uint64_t& number : set) number = mix64(number);
                        std::sort(set.begin(), set.end());
                        set.erase(std::unique(set.begin(), set.end()), set.end());
                        return set;
                      });
}

HashedSets sets_of_all(const std::vector<PartnerSet>& sets) {
  HashedSets all;
  for (const PartnerSet& set : sets) {
    all.hashes.insert(all.hashes.end(), set.begin(), set.end());
    all.starts.push_back(all.hashes.size());
  }
  return all;
}

RC_GTEST_PROP(PartnerElements, LosesNoPartner, ()) {
  const Measure measure = *set_measure(*rc::gen::element<std::string>(
      "jaccard", "containment", "overlap", "dice", "tversky:0.3,0.6"));
  const Rational threshold = *measure.threshold(*rc::gen::element<std::string>("0.8", "0.3", "1"));
  const bool known_on_left = *rc::gen::arbitrary<bool>();
  const auto sets = *rc::gen::container<std::vector<PartnerSet>>(partner_set_gen());
  const PartnerSet row = *partner_set_gen();
  const PartnerElements elements(sets_of_all(sets), {&measure, threshold, known_on_left});
  const bool is_similar = std::any_of(sets.begin(), sets.end(), [&](const PartnerSet& set) {
    if (set.empty() || row.empty()) return false;
    const Overlap overlap = known_on_left ? measure.overlap(set, row) : measure.overlap(row, set);
    return overlap.shared > 0 && (measure.is_ordered() ? measure.left_reaches(overlap, threshold)
                                                       : measure.reaches(overlap, threshold));
  });
  if (!is_similar) return;
  RC_ASSERT(elements.holds_any(row));
  RC_ASSERT(elements.may_be_similar(row));
}

TEST(PartnerElements, TellsSetsThatShareTooLittle) {
  const Measure measure = *set_measure("containment");
  const PartnerSet item = {10, 20, 30, 40, 50};
  const Rational threshold = *measure.threshold("0.8");
  const PartnerElements on_left(sets_of_all({item}), {&measure, threshold, true});
  EXPECT_FALSE(on_left.holds_any(PartnerSet{1, 2, 3}));
  EXPECT_TRUE(on_left.may_be_similar(PartnerSet{1, 2, 10, 20, 30, 40}));
  EXPECT_FALSE(on_left.may_be_similar(PartnerSet{1, 2, 40, 50}));  // not in its prefix
  const PartnerElements on_right(sets_of_all({item}), {&measure, threshold, false});
  EXPECT_FALSE(on_right.may_be_similar(PartnerSet{1, 2, 10, 20}));  // too few of the row's elements
  EXPECT_TRUE(on_right.may_be_similar(PartnerSet{1, 10, 20, 30, 40}));
}

}  // namespace
}  // namespace sosie
