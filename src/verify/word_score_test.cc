// Tests scores of one column: rare words, slips, numbers.
#include "verify/word_score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sosie {
namespace {

// A column of different texts, by record.
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

// Texts, and behind them so many that share words with none of them but "hotel".
WordScore score_among(std::vector<std::string> texts, int others) {
  for (int i = 0; i < others; ++i) {
    const std::string own = {static_cast<char>('a' + i / 26 % 26), static_cast<char>('a' + i % 26)};
    texts.push_back("hotel " + own + own + own);
  }
  const auto records = static_cast<std::uint32_t>(texts.size());
  return {texts_of(texts), records};
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

TEST(WordScore, HasTheBitsThatWordsHaveByHand) {
  const WordScore score = score_among({"hotel bristol", "hotel bristol inn"}, 98);
  // One of the 100 texts has "bristol" beside the one that looks for its partner, 99 have "hotel";
  // "inn" is on one side alone.
  EXPECT_NEAR(score.word_bits(0, 1),
              std::log2(100 * .85) + std::log2(100 * .85 / 99) + std::log2(.1) - std::log2(100),
              1e-9);
}

TEST(WordScore, TellsRareWordsFromCommonOnes) {
  const WordScore score =
      score_among({"grand hotel bristolia", "grand hotel bristolie", "grand hotel"}, 300);
  EXPECT_GT(score.score(0, 1), .5) << "a slip in a rare word";
  EXPECT_LT(score.score(0, 2), .5) << "common words alone";
}

TEST(WordScore, CountsAnotherNumberAgainstThePair) {
  const WordScore score = score_among({"valve kappa m8", "valve kappa m9", "kappa valve m8"}, 300);
  EXPECT_LT(score.word_bits(0, 1) + 10, score.word_bits(0, 2));
  EXPECT_LT(score.score(0, 1), .5);
  EXPECT_GT(score.score(0, 2), .5);
}

TEST(WordScore, TakesALetterForAWord) {
  const WordScore score = score_among({"j bristol", "john bristol", "q bristol"}, 300);
  EXPECT_GT(score.word_bits(0, 1), score.word_bits(2, 1) + 5);
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

TEST(WordScore, IsNothingWhereATextIsMissing) {
  RecordColumn column = texts_of({"bristol", "carlton"});
  column.values.push_back(RecordColumn::kMissing);
  const WordScore score(std::move(column), 3);
  EXPECT_EQ(score.score(0, 2), 0);
}

}  // namespace
}  // namespace sosie
