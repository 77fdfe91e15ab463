// Tests of exact joins of sets, in memory and in parts through scratch, compared with the
// definition.
#include "join/sets/exact_join.h"

#include <gtest/gtest.h>

#include <mutex>

#include "join/sets/set_run_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using ItemPairs =
    std::vector<std::tuple<Place, Place, std::uint32_t, std::uint32_t, std::uint32_t>>;

// Texts of 1 to 120 words, half of them similar to another text, regardless of their sizes.
std::vector<std::string> texts_of_many_sizes(std::uint64_t seed, std::size_t rows) {
  std::uint64_t next = 0;
  const auto below = [&](std::uint64_t end) { return random64(seed, next++) % end; };
  std::vector<std::string> texts;
  while (texts.size() < rows) {
    std::string text;
    if (!texts.empty() && below(2) == 0) {
      text = texts[below(texts.size())];
      text.resize(std::max<std::size_t>(3, text.size() - below(3 + text.size() / 4) / 3 * 3));
    }
    for (std::uint64_t words = text.empty() ? 1 + below(120) : below(3); words > 0; --words) {
      text += {static_cast<char>('a' + below(26)), static_cast<char>('a' + below(26)), ' '};
    }
    texts.push_back(text);
  }
  for (std::string& text : texts) text.pop_back();
  return texts;
}

ItemPairs found_in(SetRun& run, const PairScope& scope) {
  ItemPairs pairs;
  std::mutex mutex;
  run.exact->pairs(
      scope,
      [&](std::span<const VerifiedPair> some) {
        const std::lock_guard lock(mutex);
        for (const auto& [left, right, overlap] : some) {
          pairs.emplace_back(left, right, overlap.shared, overlap.united, overlap.left);
        }
      },
      [](std::size_t) {}, {});
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Overlaps of all items, computed from their texts.
class AllOverlaps {
 public:
  AllOverlaps(const Items& items, const std::vector<std::string>& text_of_row) {
    for (const RowId row : items.rows) {
      auto& set = sets_.emplace_back();
      for (std::size_t at = 0; at + 1 < text_of_row[row].size(); at += 3) {
        set.push_back(text_of_row[row][at] << 8 | text_of_row[row][at + 1]);
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
  }
  [[nodiscard]] ItemPairs reaching(const Measure& measure, const Rational& threshold,
                                   const PairScope& scope) const {
    ItemPairs pairs;
    for (Place i = 0; i < std::min<std::size_t>(sets_.size(), scope.left_end); ++i) {
      for (Place j = std::max(i + 1, scope.right_begin); j < sets_.size(); ++j) {
        std::vector<int> shared;
        std::set_intersection(sets_[i].begin(), sets_[i].end(), sets_[j].begin(), sets_[j].end(),
                              std::back_inserter(shared));
        const auto both = static_cast<std::uint32_t>(shared.size());
        const auto left = static_cast<std::uint32_t>(sets_[i].size());
        const auto right = static_cast<std::uint32_t>(sets_[j].size());
        const Overlap overlap{both, left + right - both, left};
        if (both == 0 || !measure.reaches(overlap, threshold)) continue;
        pairs.emplace_back(i, j, overlap.shared, overlap.united, overlap.left);
      }
    }
    return pairs;
  }

 private:
  std::vector<std::vector<int>> sets_;
};

class ExactJoins : public testing::TestWithParam<const char*> {};

TEST_P(ExactJoins, FindThePairsInScopeInMemoryAndInParts) {
  TestTexts texts{texts_of_many_sizes(1, 400)};
  std::size_t all = 0;
  for (const bool across : {false, true}) {
    if (across) texts.against = texts_of_many_sizes(2, 150);
    std::vector<std::string> rows = texts.against;
    rows.insert(rows.end(), texts.own.begin(), texts.own.end());
    for (const bool in_parts : {false, true}) {
      TextRun test(kPairs, texts,
                   {{"measure", GetParam()}, {"method", "exact"}, {"threshold", "3/5"}});
      if (in_parts) test.run->settings.memory_bytes = std::uint64_t{1} << 19;
      test.run->prepare();
      ASSERT_EQ(test.run->exact->sets() == nullptr, in_parts);
      const Place fixed = test.run->items.fixed;
      ASSERT_EQ(fixed > 0, across);
      const AllOverlaps overlaps(test.run->items, rows);
      for (const PairScope& scope : {PairScope{}, PairScope{.right_begin = fixed},
                                     PairScope{.left_end = fixed, .right_begin = fixed}}) {
        if (!across && scope.left_end == 0) continue;
        if (across && scope.right_begin == 0) continue;  // never requested
        const ItemPairs expected = overlaps.reaching(*test.run->settings.measure, {3, 5}, scope);
        EXPECT_EQ(found_in(*test.run, scope), expected) << across << in_parts;
        all += expected.size();
      }
      test.run->exact->forget_sets();
      EXPECT_GT(test.run->exact->counts().pairs, 0U);
    }
  }
  EXPECT_GT(all, 500U);
}

INSTANTIATE_TEST_SUITE_P(Measures, ExactJoins,
                         testing::Values("jaccard", "dice", "cosine", "overlap", "containment",
                                         "tversky:2,1"));

TEST(ExactJoins, InPartsRefuseTwoSetsThatDoNotFit) {
  TestTexts texts{{"aa", ""}};
  for (int i = 0; i < 14'000; ++i) texts.own[1] += std::to_string(100'000 + i) + " ";
  const auto prepare = [&](std::uint64_t memory) {
    TextRun test(kPairs, texts, {{"method", "exact"}});
    test.run->settings.memory_bytes = memory;
    test.run->prepare();
  };
  EXPECT_NO_THROW(prepare(std::uint64_t{1} << 23));
  try {
    prepare(std::uint64_t{1} << 18);
    ADD_FAILURE() << "1.3 MB are needed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
    EXPECT_NE(std::string(error.what()).find("14,000 elements"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sosie
