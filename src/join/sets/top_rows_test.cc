// Tests of --top alone when many rows have equal sets or equal texts.
#include "join/sets/top_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "join/sets/expected_pairs_test.h"

namespace sosie {
namespace {

// Texts made from few distinct sets of words, each in one of four forms: many rows are equal, and
// others have equal sets.
std::vector<std::string> texts_of_few_sets(std::uint64_t seed, std::size_t rows) {
  std::vector<std::string> texts(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t first = random64(seed, 3 * i) % 2;
    const std::uint64_t words = 1 + random64(seed, 3 * i + 1) % 2;
    const std::uint64_t form = random64(seed, 3 * i + 2) % 4;
    for (std::uint64_t word = 0; word < words + form; ++word) {
      const char letter = "abc"[first + (form + word) % words];
      texts[i] += (word == 0 ? "" : " ") + std::string(2, letter);
    }
  }
  return texts;
}

// The pairs that --top leaves.
Listed best_of(const Listed& pairs, std::uint64_t most, const Measure& measure, const Rows& rows) {
  Listed best = pairs;
  std::stable_sort(best.begin(), best.end(), [&](const auto& a, const auto& b) {
    const Overlap of_a = overlap_of(rows.of_row[std::get<0>(a)], rows.of_row[std::get<1>(a)]);
    const Overlap of_b = overlap_of(rows.of_row[std::get<0>(b)], rows.of_row[std::get<1>(b)]);
    return measure.is_above(of_a, of_b);
  });
  std::vector<std::uint64_t> of_left(rows.of_row.size());
  std::erase_if(best, [&](const auto& pair) { return of_left[std::get<0>(pair)]++ >= most; });
  std::sort(best.begin(), best.end());
  return best;
}

RC_GTEST_PROP(TopRows, AreTheBestOfEachRowAmongEqualSetsAndTexts, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  TestTexts texts{texts_of_few_sets(seed, 20 + *rc::gen::inRange<std::size_t>(0, 30))};
  if (*rc::gen::inRange(0, 3) == 0) texts.against = texts_of_few_sets(seed + 1, 20);
  const auto most = *rc::gen::inRange<std::uint64_t>(1, 5);
  TextRun test(kPairs, texts,
               {{"top", std::to_string(most)},
                {"quiet", "true"},
                {"method", "exact"},
                {"measure", *rc::gen::element<std::string>("jaccard", "dice", "cosine")}});
  test.run->prepare();
  const Measure& measure = *test.run->settings.measure;
  const Rows rows(texts);
  const Listed found = listed(*most_similar_rows(*test.run));
  const Listed all = expected_pairs(texts, measure, kLeastThreshold);
  RC_ASSERT(std::includes(all.begin(), all.end(), found.begin(), found.end()));
  RC_ASSERT(best_of(found, most, measure, rows) == best_of(all, most, measure, rows));
}

// The first of many equal rows is chosen. Later texts with the same words are just as near, but
// they themselves find nearer rows.
TEST(TopRows, OfManyEqualRowsAreTheFirstWithTheSameWords) {
  std::vector<std::string> texts = {"aa bb", "bb aa", "aa aa bb"};
  texts.resize(8, "aa bb");
  TextRun test(kPairs, {texts}, {{"top", "1"}, {"quiet", "true"}, {"method", "exact"}});
  test.run->prepare();
  const Listed found = listed(*most_similar_rows(*test.run));
  const Listed best = best_of(found, 1, *test.run->settings.measure, Rows({texts}));
  EXPECT_EQ(best, (Listed{{0, 1, 1, 1},
                          {1, 2, 1, 1},
                          {2, 3, 1, 1},
                          {3, 4, 1, 1},
                          {4, 5, 1, 1},
                          {5, 6, 1, 1},
                          {6, 7, 1, 1}}));
}

// Pairs of items with left < right, each once, sorted by (left, right).
RC_GTEST_PROP(TopRows, AreFoundOnceForAnyThreads, ()) {
  TestTexts texts{random_texts(*rc::gen::arbitrary<std::uint64_t>(), 150)};
  const bool across = *rc::gen::arbitrary<bool>();
  if (across) texts.against = random_texts(3, 40);
  TextRun test(kPairs, texts, {{"top", "2"}, {"quiet", "true"}, {"method", "exact"}});
  test.run->prepare();
  const TopRows task{.sets = *test.run->exact->sets(),
                     .items = test.run->items,
                     .measure = *test.run->settings.measure,
                     .across = across,
                     .most = 2};
  std::vector<std::vector<std::pair<Place, Place>>> found;
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads, nullptr);
    Scratch scratch("/tmp");
    auto& pairs = found.emplace_back();
    const TopRowCounts counts = find_top_rows(
        task, pool, {scratch, 500},
        [&](std::span<const VerifiedPair> some) {
          for (const VerifiedPair& pair : some) {
            RC_ASSERT(pair.left < pair.right);
            pairs.emplace_back(pair.left, pair.right);
          }
        },
        [](std::size_t) {});
    RC_ASSERT(counts.verified >= pairs.size());
    RC_ASSERT(counts.verified <= counts.candidates);
    RC_ASSERT(std::is_sorted(pairs.begin(), pairs.end()));
    RC_ASSERT(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end());
  }
  RC_ASSERT(found[0] == found[1]);
}

}  // namespace
}  // namespace sosie
