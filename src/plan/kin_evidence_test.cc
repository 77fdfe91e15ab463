// Tests distinguishing copies from kin by whether records with a copy also have kin.
#include "plan/kin_evidence.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

constexpr std::uint32_t kCopy = 0;
constexpr std::uint32_t kMayBeKin = 1;
constexpr std::uint32_t kCopyWithSlips = 2;
constexpr std::uint32_t kKinWithSlips = 3;
const std::vector<bool> kKinByPattern = {false, true, false, true};

struct KinPeople {
  std::vector<LikelyPair> pairs;
  std::uint32_t numbers = 0;
  std::uint32_t left = 0;

  void add(std::uint32_t left_record, std::uint32_t right_record, std::uint32_t pattern) {
    pairs.push_back({left_record, right_record, pattern, true});
  }
  [[nodiscard]] KinEvidence evidence() const {
    const bool across = left > 0;
    return kin_evidence({.pairs = pairs,
                         .numbers = numbers,
                         .left = left,
                         .left_has_one = across,
                         .right_has_one = across},
                        kKinByPattern, {false, false, true, true});
  }
};

// Files of 400 and 800 people.
KinPeople two_files() {
  KinPeople made;
  made.left = 400;
  made.numbers = 1200;
  return made;
}

// Every third of 400 people has a copy in the other file; every second one has kin there.
TEST(KinEvidence, OfTwoCollectionsSeesKinBesidePartnersAsOftenAsElsewhere) {
  KinPeople made = two_files();
  for (std::uint32_t i = 0; i < 400; ++i) {
    if (i % 3 == 0) made.add(i, 400 + i, kCopy);
    if (i % 2 == 0) made.add(i, 800 + i, kMayBeKin);
  }
  ASSERT_TRUE(made.evidence().share);
  EXPECT_NEAR(*made.evidence().share, 1, 0.05);
}

// Every third person has moved, and has no other copy.
TEST(KinEvidence, OfTwoCollectionsSeesNoKinAmongMovers) {
  KinPeople made = two_files();
  for (std::uint32_t i = 0; i < 400; ++i) made.add(i, 400 + i, i % 3 == 0 ? kMayBeKin : kCopy);
  EXPECT_EQ(made.evidence().share, 0);
  EXPECT_FALSE(made.evidence().allows_kin(0.4));
}

TEST(KinEvidence, SaysNothingOfFewRecords) {
  KinPeople made = two_files();
  for (std::uint32_t i = 0; i < 400; ++i) {
    if (i % 50 == 0) made.add(i, 400 + i, kCopy);
    if (i % 2 == 0) made.add(i, 800 + i, kMayBeKin);
  }
  EXPECT_FALSE(made.evidence().share);
  EXPECT_TRUE(made.evidence().allows_kin(0.4));
  EXPECT_FALSE(made.evidence().is_sure());
}

// 60 families of `size` members, and the same number of people living alone; every third person
// occurs twice.
KinPeople households_of(std::uint32_t size, std::uint32_t of_copy, std::uint32_t of_kin) {
  KinPeople made;
  const std::uint32_t people = 60 * (size + 1);
  std::uint32_t copy = people;
  for (std::uint32_t i = 0; i < people; ++i) {
    if (i % 3 == 0) made.add(i, copy++, of_copy);
    if (i >= 60 * size) continue;
    for (std::uint32_t other = i + 1; other < 60 * size && other / size == i / size; ++other) {
      made.add(i, other, of_kin);
    }
  }
  // Copies have the same kin as their originals.
  const std::vector<LikelyPair> before = made.pairs;
  for (const LikelyPair& a : before) {
    for (const LikelyPair& b : before) {
      if (a.pattern != of_copy || b.pattern != of_kin) continue;
      if (a.left == b.left) made.add(b.right, a.right, of_kin);
      if (a.left == b.right) made.add(b.left, a.right, of_kin);
    }
  }
  made.numbers = copy;
  return made;
}

TEST(KinEvidence, IsSureOfFamiliesOfSeveral) {
  EXPECT_TRUE(households_of(4, kCopyWithSlips, kMayBeKin).evidence().is_sure());
  EXPECT_FALSE(households_of(2, kCopyWithSlips, kMayBeKin).evidence().is_sure());
}

// Orders by the same customer differ in product and date.
TEST(KinEvidence, IsNotSureOfThoseWithSlipsOfTheirOwn) {
  EXPECT_FALSE(households_of(4, kCopyWithSlips, kKinWithSlips).evidence().is_sure());
  EXPECT_FALSE(households_of(4, kCopy, kMayBeKin).evidence().is_sure());
}

// Each record has a single copy, which in some cases is of a person who has moved.
TEST(KinEvidence, IsNotSureOfMovers) {
  KinPeople made;
  made.numbers = 600;
  for (std::uint32_t i = 0; i < 300; ++i) made.add(i, 300 + i, i % 3 == 0 ? kMayBeKin : kCopy);
  EXPECT_FALSE(made.evidence().is_sure());
  EXPECT_FALSE(made.evidence().allows_kin(0.75));
}

// People with many records: the pairs of people who moved occur alongside copies, but so do all
// other copies.
TEST(KinEvidence, IsNotSureWhereRecordsHaveManyCopies) {
  KinPeople made;
  constexpr std::uint32_t kCopies = 6;
  made.numbers = 60 * kCopies;
  for (std::uint32_t i = 0; i < made.numbers; ++i) {
    for (std::uint32_t j = i + 1; j / kCopies == i / kCopies; ++j) {
      // Even people moved once.
      const bool has_moved = i / kCopies % 2 == 0 && i % kCopies < 3 && j % kCopies >= 3;
      made.add(i, j, has_moved ? kMayBeKin : kCopy);
    }
  }
  const KinEvidence evidence = made.evidence();
  EXPECT_GT(evidence.several_copies, 0.9);
  EXPECT_FALSE(evidence.is_sure());
}

}  // namespace
}  // namespace sosie
