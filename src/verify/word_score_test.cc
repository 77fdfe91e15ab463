// Tests of scores for a single column: rare words, typos, numbers.
#include "verify/word_score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sosie {
namespace {

// A column of distinct texts, by record.
RecordColumn texts_of(const std::vector<std::string>& texts) {
  RecordColumn column;
  for (const std::string& text : texts) {
    column.values.push_back(column.distinct());
    column.counts.push_back(1);
    column.bytes += text;
    column.starts.push_back(column.bytes.size());
  }
  return column;
}

bool is_no_blank(char32_t code_point) { return code_point > ' ' && code_point != '.'; }

const WordScoreTask kTask{0, false, is_no_blank, [](std::uint64_t) {}, [] {}};

WordScore score_of(const std::vector<std::string>& texts, WordScoreTask task = kTask) {
  task.records = static_cast<std::uint32_t>(texts.size());
  return {texts_of(texts), task};
}

// The texts, followed by this many others, which share only the word "hotel" with them.
WordScore score_among(std::vector<std::string> texts, int others) {
  for (int i = 0; i < others; ++i) {
    const std::string own = {static_cast<char>('a' + i / 26 % 26), static_cast<char>('a' + i % 26)};
    texts.push_back("hotel " + own + own + own);
  }
  return score_of(texts);
}

TEST(OneSlip, IsALetterMoreLessOtherOrChangedAbout) {
  EXPECT_TRUE(are_one_slip_apart("smith", "smyth"));
  EXPECT_TRUE(are_one_slip_apart("smith", "smit"));
  EXPECT_TRUE(are_one_slip_apart("mith", "smith"));
  EXPECT_TRUE(are_one_slip_apart("smith", "smiht"));
  EXPECT_FALSE(are_one_slip_apart("smith", "smythe"));
  EXPECT_FALSE(are_one_slip_apart("smith", "htims"));
  EXPECT_FALSE(are_one_slip_apart("smith", "smi"));
}

TEST(OneSlip, IsOfCodePoints) {
  EXPECT_TRUE(are_one_slip_apart("мюллер", "мюлер"));
  EXPECT_TRUE(are_one_slip_apart("мюллер", "юмллер"));
  EXPECT_TRUE(are_one_slip_apart("müller", "muller"));
  EXPECT_TRUE(are_one_slip_apart("ня", "н"));
  EXPECT_TRUE(are_one_slip_apart("né", "nè")) << "one byte in common";
  EXPECT_FALSE(are_one_slip_apart("мюллер", "мюле"));
  EXPECT_FALSE(are_one_slip_apart("müller", "moeller"));
}

TEST(WordScore, HasTheBitsThatWordsHaveByHand) {
  const WordScore score = score_among({"hotel bristol", "hotel bristol inn"}, 98);
  // Among the 100 texts, one (apart from the text that looks for its partner) contains "bristol",
  // and 99 contain "hotel"; "inn" occurs on only one side.
  EXPECT_NEAR(score.word_bits(0, 1),
              std::log2(100 * .85) + std::log2(100 * .85 / 99) + std::log2(.1) - std::log2(100),
              1e-9);
}

TEST(WordScore, TellsRareWordsFromCommonOnes) {
  const WordScore score =
      score_among({"grand hotel bristolia", "grand hotel bristolie", "grand hotel"}, 300);
  EXPECT_GT(score.score(0, 1), 0) << "a slip in a rare word";
  EXPECT_LT(score.score(0, 2), 0) << "common words alone";
}

TEST(WordScore, CountsAnotherNumberAgainstThePair) {
  const WordScore score = score_among({"valve kappa m8", "valve kappa m9", "kappa valve m8"}, 300);
  EXPECT_LT(score.word_bits(0, 1) + 10, score.word_bits(0, 2));
  EXPECT_LT(score.score(0, 1), 0);
  EXPECT_GT(score.score(0, 2), 0);
}

TEST(WordScore, KeepsTheOrderOfScoresInOdds) {
  const WordScore score = score_among({"anna bristol", "anna bristoll"}, 300);
  double least = -1e9;
  for (double bits = -30; bits < 300; bits += 0.5) {
    EXPECT_GT(score.log_odds(bits), least);
    EXPECT_NEAR(score.score_at(score.log_odds(bits)), bits, 1e-9);
    least = score.log_odds(bits);
  }
  EXPECT_EQ(score.log_odds(0), 0) << "even odds";
}

TEST(WordScore, GivesTwoCollectionsBitsBeforehand) {
  WordScoreTask task = kTask;
  const std::vector<std::string> texts = {"anna bristol", "anna bristoll", "carl grand"};
  const double one = score_of(texts, task).score(0, 1);
  task.are_two = true;
  EXPECT_DOUBLE_EQ(score_of(texts, task).score(0, 1), one + 8);
}

TEST(WordScore, ExpectsAsManyPartnersAsGroupsHave) {
  const std::vector<std::string> texts = {"anna bristol", "anne bristol", "hanna bristol",
                                          "carl grand",   "dora inn",     "otto carlton"};
  WordScore score = score_among(texts, 0);
  const double before = score.score(0, 1);
  const double alone = score.score(0, 4);
  EXPECT_FALSE(score.learn_groups(std::vector<std::uint32_t>{0, 0, 2, 3, 4, 5}));
  EXPECT_DOUBLE_EQ(score.score(0, 1), before) << "a partner at most is usual";
  const std::vector<std::uint32_t> groups = {0, 0, 0, 0, 4, 4};  // 14 partners of 6 texts
  EXPECT_TRUE(score.learn_groups(groups));
  EXPECT_FALSE(score.learn_groups(groups)) << "as many as before";
  EXPECT_NEAR(score.score(0, 1), before + std::log2(3), 1e-9);
  EXPECT_NEAR(score.score(0, 4) - alone, std::log2((3 + 1) / 2.0), 1e-9) << "on average of both";
}

TEST(WordScore, TellsTextsOfASeriesByTheirNumbers) {
  std::vector<std::string> sizes;
  for (int i = 0; i < 40; ++i) sizes.push_back("steel bolt m" + std::to_string(i + 1));
  sizes.emplace_back("bolt m1");
  sizes.emplace_back("old steel bolt m9 no7");
  const WordScore score = score_of(sizes);
  // 780 pairs among 40 texts, and none among the others; 42 copies would differ in .03 of the
  // cases.
  const double series = std::log2(780 / (.03 * 42));
  const double common = std::log2(.85 * 42 / 40) + std::log2(.85 * 42 / 41);
  EXPECT_NEAR(score.word_bits(0, 1), common + 2 * std::log2(.03) - std::log2(42) - series, 1e-9);
  EXPECT_LT(score.log_odds(score.score(0, 1)), 0);
  // A missing word does not indicate another series, and an additional number is not a different
  // number.
  EXPECT_NEAR(
      score.word_bits(1, 40),
      std::log2(.85 * 42 / 41) + std::log2(.3) + 2 * std::log2(.03) - std::log2(42) - series, 1e-9);
  EXPECT_GT(score.word_bits(8, 41), score.word_bits(7, 41) + series);
  EXPECT_GT(score.word_bits(0, 40), score.word_bits(1, 40) + series);
}

TEST(WordScore, TakesNoNumberWrittenAsTwoWordsForAnotherOne) {
  std::vector<std::string> sizes = {"memory card 16 gb", "memory card 16gb"};
  for (int i = 20; i < 60; ++i) sizes.push_back("memory card " + std::to_string(i) + "gb");
  const WordScore score = score_of(sizes);
  EXPECT_GT(score.word_bits(0, 1), score.word_bits(1, 2) + 5);
}

TEST(WordScore, TakesALetterForAWord) {
  const WordScore score = score_among({"j bristol", "john bristol", "q bristol"}, 300);
  EXPECT_GT(score.word_bits(0, 1), score.word_bits(2, 1) + 5);
}

TEST(WordScore, TakesALetterOfTwoBytesForAWord) {
  const WordScore score = score_among({"ж bristol", "жанна bristol", "я bristol"}, 300);
  EXPECT_GT(score.word_bits(0, 1), score.word_bits(2, 1) + 5);
}

TEST(WordScore, CutsWordsAtWhatIsNoLetter) {
  WordScoreTask task = kTask;
  task.is_letter = [](char32_t code_point) { return code_point != ' ' && code_point != 0x2019; };
  const WordScore score = score_of({"bristol’s inn", "bristol s inn", "carlton", "grand"}, task);
  EXPECT_EQ(score.word_bits(0, 1), score.word_bits(0, 0));
}

// "aber" and "baer" are the same without "a", and also without "b".
TEST(WordScore, CountsEachWordASlipApartOnce) {
  const WordScore score = score_of({"aber", "baer", "abers", "xber", "abre", "carlton"});
  // Among six texts, one (apart from "baer" itself) has a word one typo away; "aber" has more such
  // words.
  EXPECT_NEAR(score.word_bits(0, 1), std::log2(6 * .1) - std::log2(6), 1e-9);
  // "abers" has one such word, too.
  EXPECT_NEAR(score.word_bits(0, 2), std::log2(6 * .1) - std::log2(6), 1e-9);
}

TEST(WordScore, HasNoSlipsInTextsWithoutBlanks) {
  const std::string longest(32, 'a');
  EXPECT_GT(score_among({longest, longest.substr(1)}, 300).word_bits(0, 1), -8);
  EXPECT_LT(score_among({longest + 'a', longest}, 300).word_bits(0, 1), -8);
}

TEST(WordScore, AsksForTheMemoryOfItsWords) {
  std::uint64_t asked = 0;
  WordScoreTask task = kTask;
  task.require = [&](std::uint64_t bytes) { asked = bytes; };
  score_of({std::string(100'000, 'a')}, task);
  EXPECT_LT(asked, 1000U) << "one word that may have no slip";
  score_of({"abcdefgh"}, task);
  const std::uint64_t of_one = asked;
  score_of({"abcdefgh", "ijklmnop"}, task);
  EXPECT_GE(asked, of_one + 9 * 16) << "each word, and what is left of it without each letter";
}

TEST(WordScore, StopsWhenTheRunDoes) {
  WordScoreTask task = kTask;
  task.check_cancelled = [] { throw 1; };
  EXPECT_THROW(score_of({"a text"}, task), int);
}

TEST(WordScore, KnowsTwoWordsWrittenAsOne) {
  const WordScore score = score_among({"aspirin 20 mg", "aspirin 20mg", "aspirin 30mg"}, 300);
  EXPECT_GT(score.word_bits(0, 1), 5);
  EXPECT_LT(score.word_bits(0, 2), 0);
}

TEST(WordScore, IsTheSameBothWays) {
  const WordScore score =
      score_among({"anna maria bristol", "ana marla j. bristol", "bristol anna"}, 50);
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
    EXPECT_EQ(score.score(a, b), score.score(b, a));
  }
}

TEST(WordScore, AddsUpWordsOfOneSideInOneOrder) {
  std::vector<std::string> texts;
  for (int i = 0; i < 12; ++i) {
    std::string text = i % 2 == 0 ? "hotel" : "inn";
    for (int word = 0; word < 1 + i % 5; ++word) {
      text += i % 3 == word % 3 ? " m" + std::to_string(100 * i + word)
                                : " " + std::string(5, static_cast<char>('a' + i)) +
                                      std::string(2, static_cast<char>('a' + word));
    }
    texts.push_back(text);
  }
  const WordScore score = score_among(texts, 300);
  for (std::uint32_t a = 0; a < 12; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      EXPECT_EQ(score.word_bits(a, b), score.word_bits(b, a)) << a << " and " << b;
    }
  }
}

TEST(WordScore, IsNothingWhereATextIsMissing) {
  RecordColumn column = texts_of({"bristol", "carlton"});
  column.values.push_back(RecordColumn::kMissing);
  const WordScore score(std::move(column), kTask);
  EXPECT_EQ(score.score(0, 2), score.none());
}

}  // namespace
}  // namespace sosie
