// Tests that the fit finds the classes that the pairs were made from, whichever of them is most
// frequent.
#include "plan/fit_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "core/mix64.h"

namespace sosie {
namespace {

// Levels: missing, different, near, equal.
constexpr std::size_t kFitLevels = 4;
using LevelShares = std::array<double, kFitLevels>;

double unit_drawn(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(random64(seed, i) >> 11) / 9007199254740992.0;
}

std::uint8_t drawn_level(const LevelShares& shares, double random) {
  double sum = 0;
  for (std::uint8_t level = 1; level + 1U < kFitLevels; ++level) {
    sum += shares[level];
    if (random < sum) return level;
  }
  return kFitLevels - 1;
}

std::vector<std::uint8_t> drawn_levels(const std::vector<LevelShares>& fields, std::uint64_t seed) {
  std::vector<std::uint8_t> levels;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    levels.push_back(drawn_level(fields[f], unit_drawn(seed, f)));
  }
  return levels;
}

const LevelShares kMatching = {1, .05, .15, .80};
const LevelShares kStrange = {1, .90, .08, .02};

// A task whose parts live as long as this object.
struct PatternsOfClasses {
  std::size_t fields = 0;
  LevelPatterns candidates;
  LevelPatterns random;
  std::vector<std::vector<double>> usual;
  std::vector<std::vector<double>> random_shares;
  std::vector<PatternPair> pairs;
  double matches = 0;

  explicit PatternsOfClasses(std::size_t count) : fields(count), candidates(count), random(count) {
    usual.assign(count, {1, .08, .22, .70});
    random_shares.assign(count, {1, .9, .08, .02});
    for (std::uint64_t i = 0; i < 20000; ++i) {
      random.add(drawn_levels(std::vector<LevelShares>(count, kStrange), mix64(i + 1)));
    }
  }
  [[nodiscard]] FitTask task(double all_pairs, double records, std::uint32_t numbers = 0) const {
    return {.candidates = candidates,
            .random = random,
            .all_pairs = all_pairs,
            .records = records,
            .usual = usual,
            .random_shares = random_shares,
            .pairs = pairs,
            .numbers = numbers};
  }
};

// Namesakes agree in the first two fields and in no other.
std::vector<LevelShares> namesakes(std::size_t fields) {
  std::vector<LevelShares> shares(fields, kStrange);
  shares[0] = shares[1] = {1, .02, .08, .90};
  return shares;
}

// Most candidates are matches, but among all pairs, namesakes outnumber matches.
TEST(MatchFit, SeesTheMatchesWhereMostCandidatesAreOnes) {
  constexpr std::size_t kFields = 6;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    PatternsOfClasses made(kFields);
    for (std::uint64_t i = 0; i < 10000; ++i) {
      const double kind = unit_drawn(seed, i);
      const std::vector<LevelShares> shares =
          kind < 0.6   ? std::vector<LevelShares>(kFields, kMatching)
          : kind < 0.9 ? namesakes(kFields)
                       : std::vector<LevelShares>(kFields, kStrange);
      made.matches += kind < 0.6 ? 1 : 0;
      made.candidates.add(drawn_levels(shares, mix64(seed * 100000 + i)));
    }
    for (const std::size_t classes : {3U, 4U, 6U}) {
      const FittedModel fitted = fit_model(made.task(600'000, 5000), {}, classes);
      EXPECT_NEAR(fitted.matches / made.matches, 1, 0.1) << classes;
    }
  }
}

// Families of five siblings on both sides, each with a partner on the other side; the other
// siblings differ in three fields of ten nearly always.
PatternsOfClasses families_of_five(std::uint32_t count) {
  constexpr std::uint32_t kSiblings = 5;
  constexpr std::size_t kFields = 10;
  PatternsOfClasses made(kFields);
  const std::vector<LevelShares> same(kFields, {1, .02, .03, .95});
  std::vector<LevelShares> sibling = same;
  sibling[4] = sibling[5] = sibling[6] = {1, .40, .55, .05};
  for (std::uint32_t family = 0; family < count; ++family) {
    for (std::uint32_t a = 0; a < kSiblings; ++a) {
      for (std::uint32_t b = 0; b < kSiblings; ++b) {
        const bool is_match = a == b;
        const std::uint32_t left = family * kSiblings + a;
        const std::uint32_t right = count * kSiblings + family * kSiblings + b;
        const auto levels =
            drawn_levels(is_match ? same : sibling, mix64(std::uint64_t{left} << 32 | right));
        made.pairs.push_back({left, right, 1, made.candidates.add(levels)});
        made.matches += is_match ? 1 : 0;
      }
    }
  }
  return made;
}

TEST(MatchFit, SiblingsOfATruePartnerAreNoMatchesWherePairsCompete) {
  constexpr std::uint32_t kFamilies = 300;
  const PatternsOfClasses made = families_of_five(kFamilies);
  const double records = 5.0 * kFamilies;
  const FitTask task = made.task(records * records, records, 10 * kFamilies);
  const double alone = fit_model(task, {}).matches;
  const double competing = fit_model(task, {true, true}).matches;
  EXPECT_GT(alone, 3 * made.matches);
  EXPECT_NEAR(competing / made.matches, 1, 0.15);
}

// One side holds three copies of each record on the other side.
TEST(MatchFit, EitherSideAloneMayHaveOnePartner) {
  constexpr std::uint32_t kEntities = 400;
  constexpr std::uint32_t kCopies = 3;
  constexpr std::size_t kFields = 8;
  const std::vector<LevelShares> same(kFields, {1, .02, .03, .95});
  for (const bool has_copies_on_right : {true, false}) {
    PatternsOfClasses made(kFields);
    for (std::uint32_t entity = 0; entity < kEntities; ++entity) {
      for (std::uint32_t copy = 0; copy < kCopies; ++copy) {
        const std::uint32_t one = entity * kCopies;
        const std::uint32_t other = kEntities * kCopies + entity * kCopies;
        const std::uint32_t left = has_copies_on_right ? one : one + copy;
        const std::uint32_t right = has_copies_on_right ? other + copy : other;
        const auto levels = drawn_levels(same, mix64(std::uint64_t{left} << 32 | right));
        made.pairs.push_back({left, right, 1, made.candidates.add(levels)});
      }
    }
    const FitTask task =
        made.task(1.0 * kEntities * kEntities * kCopies, kEntities, 2 * kEntities * kCopies);
    const double one_left = fit_model(task, {true, false}).matches;
    const double one_right = fit_model(task, {false, true}).matches;
    const double all = 1.0 * kEntities * kCopies;
    EXPECT_NEAR((has_copies_on_right ? one_right : one_left) / all, 1, 0.1);
    EXPECT_NEAR((has_copies_on_right ? one_left : one_right) / kEntities, 1, 0.1);
  }
}

// Half of the copies are clean; the others have errors in four fields of ten.
TEST(MatchFit, CarelessCopiesAreMatches) {
  constexpr std::size_t kFields = 8;
  PatternsOfClasses made(kFields);
  const std::vector<LevelShares> clean(kFields, {1, .01, .04, .95});
  const std::vector<LevelShares> careless(kFields, {1, .08, .32, .60});
  for (std::uint64_t i = 0; i < 4000; ++i) {
    made.candidates.add(drawn_levels(i % 4 == 0   ? clean
                                     : i % 4 == 1 ? careless
                                                  : std::vector<LevelShares>(kFields, kStrange),
                                     mix64(i + 77)));
  }
  const FittedModel fitted = fit_model(made.task(2'000'000, 2000), {});
  double matches = 0;
  for (std::uint32_t i = 0; i < made.candidates.size(); ++i) {
    const double p = fitted.model.probability_at(fitted.model.bits(made.candidates[i]));
    matches += p * static_cast<double>(made.candidates.count(i));
  }
  EXPECT_NEAR(matches / 2000, 1, 0.1);
}

// Addresses in the same town agree in two fields of three, and far outnumber the copies.
TEST(MatchFit, WhatOutnumbersMatchesByFarIsNoCarelessCopy) {
  constexpr std::size_t kFields = 3;
  PatternsOfClasses made(kFields);
  const std::vector<LevelShares> copies(kFields, {1, .01, .01, .98});
  const std::vector<LevelShares> towns = {kStrange, copies[1], copies[2]};
  for (std::uint64_t i = 0; i < 8000; ++i) {
    made.candidates.add(drawn_levels(i % 100 == 0   ? copies
                                     : i % 100 < 75 ? towns
                                                    : std::vector<LevelShares>(kFields, kStrange),
                                     mix64(i + 55)));
  }
  const FittedModel fitted = fit_model(made.task(500'000, 1000), {});
  for (std::size_t k = 1; k < fitted.model.classes().size(); ++k) {
    EXPECT_FALSE(fitted.model.classes()[k].is_match) << k;
  }
}

// People at the same address outnumber copies of the same person, and agree in half of the fields.
TEST(MatchFit, HouseholdsAreNoMatches) {
  constexpr std::size_t kFields = 8;
  PatternsOfClasses made(kFields);
  const std::vector<LevelShares> copies(kFields, {1, .06, .14, .80});
  std::vector<LevelShares> household(kFields, {1, .02, .03, .95});
  household[4] = household[5] = household[6] = household[7] = {1, .93, .05, .02};
  for (std::uint64_t i = 0; i < 6000; ++i) {
    made.candidates.add(drawn_levels(i % 6 == 0  ? copies
                                     : i % 6 < 4 ? household
                                                 : std::vector<LevelShares>(kFields, kStrange),
                                     mix64(i + 99)));
  }
  const FittedModel fitted = fit_model(made.task(2'000'000, 2000), {});
  EXPECT_NEAR(fitted.matches / 1000, 1, 0.1);
}

// Levels of people in the same household: the first two fields differ.
std::vector<LevelShares> household_levels(std::size_t fields) {
  std::vector<LevelShares> shares(fields, {1, .01, .01, .98});
  shares[0] = shares[1] = {1, .96, .03, .01};
  return shares;
}

constexpr std::size_t kPersonFields = 10;

// Files of 600 and 1200 people, some of whom are in both. Kin: for every second person, whether or
// not in both files, a member of the household is in the other file. Movers: the same number again
// are in both files but have moved, so two fields differ.
FittedModel fitted_to_two_files(bool with_kin) {
  constexpr std::uint32_t kPeople = 600;
  const std::uint32_t in_both = with_kin ? 60 : 120;
  PatternsOfClasses made(kPersonFields);
  const std::vector<LevelShares> same(kPersonFields, {1, .02, .03, .95});
  const auto add = [&](std::uint32_t left, std::uint32_t right,
                       const std::vector<LevelShares>& shares) {
    const auto levels = drawn_levels(shares, mix64(std::uint64_t{left} << 32 | right));
    made.pairs.push_back({left, right, 1, made.candidates.add(levels)});
  };
  for (std::uint32_t i = 0; i < kPeople; ++i) {
    if (i < in_both) add(i, kPeople + i, same);
    if (with_kin ? i % 2 == 0 : i >= in_both && i < 2 * in_both) {
      add(i, 2 * kPeople + i, household_levels(kPersonFields));
    }
    add(i, kPeople + (i + 1) % kPeople, std::vector<LevelShares>(kPersonFields, kStrange));
  }
  FitTask task = made.task(1.0 * kPeople * 2 * kPeople, kPeople, 3 * kPeople);
  task.left = kPeople;
  return fit_model(task, kOnePartner);
}

TEST(MatchFit, KinOfTwoCollectionsAreNoMatches) {
  const FittedModel fitted = fitted_to_two_files(true);
  ASSERT_TRUE(fitted.kin) << fitted.matches;
  EXPECT_EQ(fitted.kin->first, 0U);
  EXPECT_EQ(fitted.kin->second, 1U);
  EXPECT_NEAR(fitted.matches / 60, 1, 0.15);
}

TEST(MatchFit, MoversOfTwoCollectionsStayMatches) {
  const FittedModel fitted = fitted_to_two_files(false);
  EXPECT_FALSE(fitted.kin);
  EXPECT_FALSE(fitted.has_families);
  EXPECT_NEAR(fitted.matches / 240, 1, 0.15);
}

// Families of four at 100 addresses, 600 people living alone, and copies of every `each`th person;
// or, with `moved`, no families, and every third copy is of somebody who moved.
PatternsOfClasses one_file(std::uint32_t each, bool moved) {
  constexpr std::uint32_t kPeople = 1000;
  constexpr std::uint32_t kInFamilies = 400;
  PatternsOfClasses made(kPersonFields);
  const std::vector<LevelShares> same(kPersonFields, {1, .02, .08, .90});
  const auto add = [&](std::uint32_t left, std::uint32_t right,
                       const std::vector<LevelShares>& shares) {
    const auto levels = drawn_levels(shares, mix64(std::uint64_t{left} << 32 | right));
    made.pairs.push_back({left, right, 1, made.candidates.add(levels)});
  };
  std::uint32_t copies = 0;
  const auto copied = [&](std::uint32_t i) { return each > 0 && i % each == 0; };
  for (std::uint32_t i = 0; i < kPeople; ++i) {
    if (copied(i)) {
      const bool has_moved = moved && copies % 3 == 0;
      add(i, kPeople + i, has_moved ? household_levels(kPersonFields) : same);
      ++copies;
    }
    add(i, (i + 500) % kPeople, std::vector<LevelShares>(kPersonFields, kStrange));
    if (moved || i >= kInFamilies) continue;
    for (std::uint32_t j = i + 1; j % 4 != 0; ++j) {
      add(i, j, household_levels(kPersonFields));
      if (copied(i)) add(j, kPeople + i, household_levels(kPersonFields));
      if (copied(j)) add(i, kPeople + j, household_levels(kPersonFields));
    }
  }
  made.matches = copies;
  return made;
}

TEST(MatchFit, MembersOfAHouseholdAreNoMatches) {
  for (const std::uint32_t each : {3U, 10U}) {
    const PatternsOfClasses made = one_file(each, false);
    const FittedModel fitted = fit_model(made.task(800'000, 1200, 2000), {});
    ASSERT_TRUE(fitted.kin) << each;
    EXPECT_EQ(fitted.kin->first, 0U);
    EXPECT_EQ(fitted.kin->second, 1U);
    EXPECT_TRUE(fitted.kin_are_sure);
    EXPECT_NEAR(fitted.matches / made.matches, 1, 0.15) << each;
  }
}

TEST(MatchFit, MembersOfAHouseholdAreNoMatchesWhereNobodyIsThereTwice) {
  const PatternsOfClasses made = one_file(0, false);
  const FittedModel fitted = fit_model(made.task(800'000, 1000, 2000), {});
  EXPECT_TRUE(fitted.kin);
  EXPECT_FALSE(fitted.kin_are_sure);
  EXPECT_LT(fitted.matches, 5);
}

TEST(MatchFit, MoversOfOneCollectionStayMatches) {
  const PatternsOfClasses made = one_file(3, true);
  const FittedModel fitted = fit_model(made.task(800'000, 1200, 2000), {});
  EXPECT_FALSE(fitted.kin);
  EXPECT_FALSE(fitted.doubtful_kin);
  EXPECT_NEAR(fitted.matches / made.matches, 1, 0.1);
}

RC_GTEST_PROP(MatchFit, MoreAgreementNeverSpeaksAgainstAMatch, ()) {
  constexpr std::size_t kFields = 3;
  PatternsOfClasses made(kFields);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (std::uint64_t i = 0; i < 200; ++i) {
    std::array<std::uint8_t, kFields> levels{};
    for (std::size_t f = 0; f < kFields; ++f) {
      levels[f] = static_cast<std::uint8_t>(random64(seed, i * kFields + f) % kFitLevels);
    }
    made.candidates.add(levels, random64(seed, 1000 + i) % 50 + 1);
  }
  const MatchModel model = fit_model(made.task(100'000, 400), {}).model;
  const std::vector<double>& m = model.classes()[0].levels[0];
  std::vector<double> u(kFitLevels, 0);
  for (std::size_t k = 1; k < model.classes().size(); ++k) {
    for (std::size_t level = 1; level < kFitLevels; ++level) {
      u[level] += model.classes()[k].share * model.classes()[k].levels[0][level];
    }
  }
  for (std::size_t level = 2; level < kFitLevels; ++level) {
    RC_ASSERT(m[level] / u[level] >= m[level - 1] / u[level - 1] * (1 - 1e-9));
  }
}

// A person can judge pairs that agree in one field of three; a model cannot.
TEST(MatchFit, JudgedPairsCountAsTheyWereJudged) {
  PatternsOfClasses made(3);
  const std::vector<std::uint8_t> half = {3, 1, 2};
  for (std::uint64_t i = 0; i < 400; ++i) made.candidates.add(std::vector<std::uint8_t>{3, 3, 3});
  for (std::uint64_t i = 0; i < 400; ++i) made.candidates.add(half);
  FitTask task = made.task(600'000, 1000);
  const auto bits_if = [&](bool is_match) {
    const std::vector<JudgedPattern> known(200, {half, made.candidates.find(half), is_match});
    task.known = known;
    return fit_model(task, {}).model.bits(half);
  };
  EXPECT_GT(bits_if(true), bits_if(false) + 3);
}

}  // namespace
}  // namespace sosie
