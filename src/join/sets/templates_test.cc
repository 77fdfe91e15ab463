// Tests of templates: passages that the rows in very large buckets share.
#include "join/sets/templates.h"

#include <gtest/gtest.h>

#include "join/sets/set_run_test.h"

namespace sosie {
namespace {

// Adds this many texts, each with the passage and some words of its own on either side.
void add_texts(const std::string& passage, std::size_t rows, std::uint64_t seed,
               std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < rows; ++i) {
    const auto word = [&](std::uint64_t at) {
      return "w" + std::to_string(random64(seed, 4 * i + at) % 100'000'000);
    };
    texts.push_back(word(0) + " " + word(1) + " " + passage + " " + word(2) + " " + word(3));
  }
}

const OptionTexts kGiven = {
    {"method", "lsh"}, {"bands", "16x2"}, {"threshold", "0.5"}, {"shingle", "words:2"}};

std::vector<TemplateFacts> templates_of(const std::vector<std::string>& texts) {
  TextRun test(kPairs, {texts}, kGiven);
  test.run->prepare();
  (void)test.run->similar_rows("comparing");
  return test.run->summarize().templates;
}

TEST(Templates, AreThePassagesThatRowsShareTheDearestFirst) {
  const std::string licence = "the software is provided as is without warranty of any kind";
  const std::string notice =
      "Alle Rechte vorbehalten jede Verwertung bedarf der Zustimmung des Verlags";
  std::vector<std::string> texts;
  add_texts(licence, 1800, 1, texts);
  add_texts(notice, 2100, 2, texts);
  for (const std::string& text : random_texts(5, 300)) texts.push_back(text);
  const std::vector<TemplateFacts> found = templates_of(texts);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].passage,
            "alle rechte vorbehalten jede verwertung bedarf der zustimmung des verlags");
  EXPECT_EQ(found[1].passage, licence);
  EXPECT_GT(found[0].candidates, found[1].candidates);
  const std::uint64_t all[] = {2100, 1800};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_FALSE(found[i].may_be_more);
    EXPECT_GT(found[i].rows, all[i] * 9 / 10);
    EXPECT_LE(found[i].rows, all[i]);
    // 10 of 14 shingles are in the longer passage, 11 of 15 in the other.
    EXPECT_NEAR(found[i].common, 0.7, 0.05);
    EXPECT_GE(found[i].candidates, 100 * found[i].rows);
  }
}

TEST(Templates, AreNoneWhereBucketsAreSmall) {
  std::vector<std::string> texts;
  add_texts("the software is provided as is without warranty of any kind", 900, 1, texts);
  EXPECT_TRUE(templates_of(texts).empty());
}

// Words that half of the rows contain belong to the passage; rarer ones do not.
TEST(Templates, HaveWhatMostOfTheirRowsShare) {
  const std::string notice = "the software is provided as is without warranty of any kind";
  std::vector<std::string> texts;
  add_texts(notice + " see annex", 1600, 1, texts);
  add_texts(notice + " by us", 800, 2, texts);
  const std::vector<TemplateFacts> found = templates_of(texts);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].passage, notice + " see annex");
}

// Long passages are cut between two characters.
TEST(Templates, AreShownByTheirBeginnings) {
  std::string passage = "ab ";
  for (int i = 0; i < 60; ++i) {
    for (const int letter : {i / 8, i % 8, 0, 1}) {  // Cyrillic, two bytes each
      passage += {'\xD0', static_cast<char>(0xB0 + letter)};
    }
    passage += ' ';
  }
  passage.pop_back();
  std::vector<std::string> texts;
  add_texts(passage, 1100, 1, texts);
  const std::vector<TemplateFacts> found = templates_of(texts);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].passage.size(), 399U);
  EXPECT_TRUE(passage.starts_with(found[0].passage));
}

// Several batches report templates, one after another.
TEST(Templates, OfSeveralBatchesAreCountedTogether) {
  std::vector<std::string> texts;
  add_texts("the software is provided as is without warranty of any kind", 1800, 1, texts);
  TextRun test(kPairs, {texts}, kGiven);
  test.run->prepare();
  (void)test.run->similar_rows("comparing");
  const ComparedRows compared{test.run->inputs, test.run->corpus, test.run->items,
                              test.run->settings, *test.run->matcher};
  std::vector<TemplateFacts> templates;
  add_templates(compared, templates);
  ASSERT_EQ(templates.size(), 1U);
  EXPECT_FALSE(templates[0].may_be_more);
  const TemplateFacts once = templates[0];
  add_templates(compared, templates);
  ASSERT_EQ(templates.size(), 1U);
  EXPECT_TRUE(templates[0].may_be_more);
  EXPECT_EQ(templates[0].rows, once.rows);
  EXPECT_EQ(templates[0].candidates, 2 * once.candidates);
  EXPECT_EQ(templates[0].passage, once.passage);
}

}  // namespace
}  // namespace sosie
