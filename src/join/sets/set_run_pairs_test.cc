// Tests of the pairs found by runs on texts and bags, with every method, compared with the
// definition.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "join/own_path_test.h"
#include "join/sets/exact_overlap.h"
#include "join/sets/expected_pairs_test.h"
#include "join/sets/top_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

TestTexts random_collections(std::uint64_t seed, std::size_t rows) {
  TestTexts texts{random_texts(seed, rows)};
  if (*rc::gen::inRange(0, 3) == 0) texts.against = random_texts(seed, 15);
  return texts;
}

RC_GTEST_PROP(PairsOfSets, AreThoseThatTheMeasureTakes, ()) {
  const TestTexts texts = random_collections(*rc::gen::arbitrary<std::uint64_t>(),
                                             *rc::gen::inRange<std::size_t>(0, 60));
  const std::string measure = *rc::gen::element<std::string>(
      "jaccard", "dice", "cosine", "overlap", "containment", "tversky:0.3,0.7", "tversky:2,1");
  const std::string method = *rc::gen::element<std::string>("exact", "brute");
  const std::string threshold = *rc::gen::element<std::string>("1/3", "0.5", "0.8", "1");
  OptionTexts given = {{"measure", measure}, {"method", method}, {"threshold", threshold}};
  if (method == "exact") {
    given.emplace_back("filters", *rc::gen::element<std::string>("", "none", "length", "position",
                                                                 "suffix", "signature"));
    if (given.back().second.empty()) given.pop_back();
  }
  TextRun test(kPairs, texts, given);
  test.run->prepare();
  const auto found = test.run->similar_rows("comparing");
  const Listed expected =
      expected_pairs(texts, *test.run->settings.measure, test.run->settings.threshold);
  RC_ASSERT(listed(*found) == expected);
  RC_ASSERT(found->count() == expected.size());
}

// Sets that do not fit in memory are joined by size ranges, with the same pairs.
class PairsInAnyMemory : public testing::TestWithParam<const char*> {};

TEST_P(PairsInAnyMemory, AreTheSame) {
  TestTexts texts{random_texts(4, 1400, 20), {}};
  for (std::size_t i = 0; i < 300; ++i) {  // long texts, and more that share buckets
    std::string text;
    for (std::uint64_t word = 0; word < 60 + random64(8, i) % 60; ++word) {
      const std::uint64_t drawn = random64(9, i * 200 + word) % 300;
      text += std::string{static_cast<char>('a' + drawn % 17), static_cast<char>('a' + drawn / 17),
                          ' '};
    }
    text.pop_back();
    texts.own.push_back(i % 3 == 0 ? texts.own.back() + text.substr(0, 6) : text);
  }
  const std::string method = GetParam();
  for (const bool across : {false, true}) {
    if (across) texts.against = random_texts(4, 1000, 20);  // else unmatched own sets are dropped
    OptionTexts given = {{"method", method}, {"threshold", "0.7"}};
    if (method == "lsh") given.emplace_back("bands", "30x3");
    const auto pairs_in = [&](std::uint64_t memory) {
      TextRun test(kPairs, texts, given);
      if (memory > 0) {
        test.run->settings.memory_bytes = memory;
        test.run->may_spill = true;
      }
      test.run->prepare();
      EXPECT_EQ(test.run->is_spilled(), memory > 0 && method == "lsh");
      const bool in_parts = test.run->exact && test.run->exact->sets() == nullptr;
      EXPECT_EQ(in_parts, memory > 0 && method == "exact");
      return listed(*test.run->similar_rows("comparing"));
    };
    const Listed pairs = pairs_in(0);
    EXPECT_GT(pairs.size(), 100U);
    EXPECT_EQ(pairs_in(std::uint64_t{3} << 18), pairs);
    if (method == "exact") {
      TextRun brute(kPairs, texts, {{"method", "brute"}, {"threshold", "0.7"}});
      brute.run->prepare();
      EXPECT_EQ(listed(*brute.run->similar_rows("comparing")), pairs);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, PairsInAnyMemory, testing::Values("exact", "lsh"));

// Texts in groups of five that are similar to each other and unrelated to all others.
std::vector<std::string> texts_in_groups(std::size_t rows) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::vector<std::string> texts(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t words = 8 + random64(2, i) % 4;
    for (std::uint64_t word = 0; word < words; ++word) {
      const std::uint64_t drawn = random64(3, i / 5 * 100 + word) % (36 * 36);
      texts[i] += {kLetters[drawn / 36], kLetters[drawn % 36], ' '};
    }
    texts[i].pop_back();
  }
  return texts;
}

// The ranks of two rows do not determine which of them is the left one.
TEST(PairsInScratch, HaveTheEarlierRowOnTheLeft) {
  const TestTexts texts{texts_in_groups(1500)};
  for (const std::string keep : {"first", "last", "longest"}) {
    TextRun test(kPairs, texts,
                 {{"method", "lsh"}, {"bands", "30x3"}, {"threshold", "0.6"}, {"keep", keep}});
    test.run->settings.memory_bytes = std::uint64_t{3} << 18;
    test.run->may_spill = true;
    test.run->prepare();
    ASSERT_TRUE(test.run->is_spilled());
    std::size_t pairs = 0;
    test.run->similar_rows("comparing")->for_each([&](std::span<const RowPair> some) {
      for (const RowPair& pair : some) {
        const Overlap overlap = overlap_of(texts.own[pair.left], texts.own[pair.right]);
        const bool equal = overlap.shared == overlap.united;
        EXPECT_LT(pair.left, pair.right);
        EXPECT_TRUE(equal || pair.overlap == overlap) << keep;
      }
      pairs += some.size();
      return true;
    });
    EXPECT_GT(pairs, 1000U);
  }
}

// --top and --top-pairs without a threshold: the most similar pairs among all that share any
// element.
RC_GTEST_PROP(MostSimilarRows, HoldTheBestOfEachRowOrOfAll, ()) {
  const TestTexts texts = random_collections(*rc::gen::arbitrary<std::uint64_t>(),
                                             *rc::gen::inRange<std::size_t>(1, 40));
  const std::string most = std::to_string(*rc::gen::inRange(1, 6));
  const bool of_each = *rc::gen::arbitrary<bool>();
  TextRun test(kPairs, texts,
               {{of_each ? "top" : "top-pairs", most},
                {"quiet", "true"},
                {"method", *rc::gen::element<std::string>("exact", "brute")},
                {"measure", *rc::gen::element<std::string>("jaccard", "containment", "cosine")}});
  test.run->prepare();
  RC_ASSERT(test.run->settings.lowers_threshold);
  const Measure& measure = *test.run->settings.measure;
  const Listed found = listed(*most_similar_rows(*test.run));
  const Listed all = expected_pairs(texts, measure, kLeastThreshold);
  // The best pairs of every row, or of all rows, must be there; every pair that is there must be
  // correct.
  for (const auto& pair : found) RC_ASSERT(std::binary_search(all.begin(), all.end(), pair));
  const Rows rows(texts);
  const auto is_better = [&](const auto& a, const auto& b) {
    const auto [left, right, shared, united] = a;
    const Overlap of_a = overlap_of(rows.of_row[left], rows.of_row[right]);
    const Overlap of_b = overlap_of(rows.of_row[std::get<0>(b)], rows.of_row[std::get<1>(b)]);
    if (measure.is_ordered()) {
      return measure.similarity(of_a) > measure.similarity(of_b);
    }
    return measure.is_above(of_a, of_b);
  };
  std::vector<std::uint64_t> listed_of(rows.of_row.size());
  Listed best = all;
  std::stable_sort(best.begin(), best.end(), is_better);
  std::uint64_t listed_of_all = 0;
  for (const auto& pair : best) {
    std::uint64_t& count = of_each ? listed_of[std::get<0>(pair)] : listed_of_all;
    if (count++ >= std::stoull(most)) continue;
    RC_ASSERT(std::find(found.begin(), found.end(), pair) != found.end());
  }
}

// Overlaps of any two items, recomputed from their texts in the requested order.
TEST(ExactOverlaps, AreCountedFromTheTexts) {
  const std::vector<std::string> texts = random_texts(31, 60);
  TextRun test(kPairs, {texts}, {{"method", "brute"}});
  test.run->prepare();
  const Items& items = test.run->items;
  std::vector<ItemPair> asked;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    asked.push_back({static_cast<Place>(random64(1, i) % items.size()),
                     static_cast<Place>(random64(2, i) % items.size())});
  }
  const auto found = exact_overlaps({test.run->inputs, test.run->corpus, items, test.run->settings},
                                    asked, test.run->pool, test.run->hooks);
  ASSERT_EQ(found.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string& left = texts[items.rows[asked[i].left]];
    const std::string& right = texts[items.rows[asked[i].right]];
    ASSERT_EQ(found[i], overlap_of(left, right)) << left << " | " << right;
  }
}

TEST(PairsOfSets, AreAnErrorBeyondTheLimit) {
  const TestTexts texts{std::vector<std::string>(20, "aa bb")};
  const auto count = [&](std::uint64_t limit) {
    TextRun test(kPairs, texts, {{"limit", std::to_string(limit)}, {"method", "brute"}});
    test.run->prepare();
    return test.run->similar_rows("comparing")->count();
  };
  EXPECT_EQ(count(190), 190U);
  EXPECT_THROW((void)count(189), Error);
}

// Replacing a word changes every shingle that contains it.
TEST(ShortTexts, FallBelowTheThresholdWithOneReplacedWord) {
  for (const int size : {1, 2, 5}) {
    for (const Rational threshold : {Rational{1, 2}, Rational{4, 5}, Rational{9, 10}}) {
      const std::uint64_t limit = short_text_limit({.size = size}, threshold);
      const auto reaches = [&](std::uint64_t words) {
        const std::uint64_t shingles = words - static_cast<std::uint64_t>(size) + 1;
        const auto touched = static_cast<std::uint64_t>(size);
        return shingles > touched && at_least(shingles - touched, shingles + touched, threshold);
      };
      EXPECT_TRUE(reaches(limit));
      EXPECT_FALSE(reaches(limit - 1)) << size << " " << threshold.value();
    }
  }
  EXPECT_EQ(short_text_limit({}, {1, 1}), 0U);
  EXPECT_EQ(short_text_limit({.unit = ShingleUnit::elements}, {1, 2}), 0U);
}

}  // namespace
}  // namespace sosie
