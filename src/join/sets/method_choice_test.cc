// Tests choosing a method for runs on sets.
#include "join/sets/method_choice.h"

#include <gtest/gtest.h>

#include "join/sets/set_run_test.h"

namespace sosie {
namespace {

TEST(CheapestMethod, IsTheLeastOfTheCostsAndOfEqualOnesBruteThenExact) {
  const BandingPlan banding{.components = 64, .bands = 7, .rows = 3, .filter_agreements = 9};
  const double costs[] = {1, 2, std::numeric_limits<double>::infinity()};
  for (const double brute : costs) {
    for (const double exact : costs) {
      for (const double lsh : costs) {
        const bool has_lsh = lsh < costs[2];
        if (!has_lsh && std::min(brute, exact) == costs[2]) continue;
        const MethodChoice choice =
            cheapest_method({.exact = exact, .lsh = lsh, .brute = brute},
                            has_lsh ? std::optional(banding) : std::nullopt);
        const bool is_brute = brute <= exact && brute <= lsh;
        const bool is_exact = !is_brute && exact <= lsh;
        EXPECT_EQ(choice.name(), is_brute ? "brute" : is_exact ? "exact" : "lsh");
        EXPECT_EQ(choice.finds_every_pair(), is_brute || is_exact);
        EXPECT_TRUE(choice.finds_every_pair() || choice.banding == banding);
      }
    }
  }
}

TEST(UsesOfJoins, AreOfSurvivorsWhereOneIsKept) {
  for (const VerbBit verb : {kDedup, kExplain}) {
    EXPECT_EQ(use_of(verb), JoinUse::survivors);
  }
  for (const VerbBit verb : {kPairs, kQuery, kCluster, kPlan}) {
    EXPECT_EQ(use_of(verb), JoinUse::every_pair);
  }
}

MethodChoice choice_for(VerbBit verb, const std::vector<std::string>& texts,
                        const OptionTexts& given) {
  const TextRun test(verb, {texts}, given);
  const SetRun& run = *test.run;
  return scan_and_choose_method({verb, test.options, run.settings, run.inputs}, test.run->pool,
                                nullptr);
}

TEST(ChosenMethods, AreThoseThatAreAskedFor) {
  const std::vector<std::string> texts = random_texts(1, 50);
  EXPECT_EQ(choice_for(kPairs, texts, {{"method", "brute"}}).name(), "brute");
  EXPECT_EQ(choice_for(kPairs, texts, {{"method", "exact"}}).name(), "exact");
  const MethodChoice banded = choice_for(kPairs, texts, {{"method", "lsh"}, {"bands", "9x4"}});
  EXPECT_EQ(banded.name(), "lsh");
  EXPECT_EQ(banded.banding.bands, 9);
  EXPECT_EQ(banded.banding.rows, 4);
  EXPECT_EQ(banded.false_candidates, 0) << "nothing is foreseen of what was given";
  const MethodChoice planned = choice_for(kPairs, texts, {{"method", "lsh"}, {"recall", "0.9"}});
  EXPECT_EQ(planned.name(), "lsh");
  EXPECT_LE(planned.false_part, 1);
}

TEST(ChosenMethods, AreOpenUnlessAnOptionSaysThem) {
  const auto is_open = [](const OptionTexts& given) {
    const TextRun test(kPairs, {{"aa"}}, given);
    return is_method_open(test.options, test.run->settings);
  };
  EXPECT_TRUE(is_open({}));
  EXPECT_TRUE(is_open({{"recall", "0.9"}, {"memory", "64M"}}));
  for (const std::string method : {"brute", "exact", "lsh"}) {
    EXPECT_FALSE(is_open({{"method", method}}));
  }
}

TEST(ChosenMethods, DependNeitherOnThreadsNorMemory) {
  for (const std::size_t rows : {0U, 1U, 200U, 6000U}) {
    const std::vector<std::string> texts = random_texts(rows + 1, rows, 30);
    for (const VerbBit verb : {kDedup, kPairs}) {
      const MethodChoice choice = choice_for(verb, texts, {{"threads", "1"}, {"memory", "16M"}});
      EXPECT_TRUE(rows > 200 || choice.finds_every_pair()) << rows;
      for (const OptionTexts& given :
           {OptionTexts{{"threads", "4"}, {"memory", "1G"}}, OptionTexts{{"threads", "2"}}}) {
        const MethodChoice other = choice_for(verb, texts, given);
        EXPECT_EQ(other.name(), choice.name()) << rows;
        EXPECT_EQ(other.banding, choice.banding);
        EXPECT_EQ(other.most_elements, choice.most_elements);
      }
    }
  }
}

}  // namespace
}  // namespace sosie
