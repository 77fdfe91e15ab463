#include "candidates/banded_join.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>

#include "core/mix64.h"
#include "kernels/simd.h"

namespace sosie {
namespace {

using SortedPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // sorted

// Rows with few distinct keys, and sketches that differ by some bits from a few patterns.
struct HashedTable {
  HashedTable(std::size_t rows, std::size_t bands, std::size_t words, std::uint64_t keys) {
    sketches.resize(rows * words);
    for (std::size_t i = 0; i < sketches.size(); ++i) {
      const std::uint64_t row = i / words;
      sketches[i] = random64(1 + random64(2, row) % 3, i % words) ^
                    (random64(3, i) & random64(4, i) & random64(5, i));
    }
    for (std::size_t i = 0; i < rows * bands; ++i) {
      banded.keys.push_back(static_cast<std::uint32_t>(mix64(random64(6, i) % keys)));
    }
    banded.rows = rows;
    banded.bands = bands;
    banded.sketch_words = words;
    banded.sketches = sketches.data();
    banded.most_different = 13 * words;
  }

  // True if every cell of `one` is near the corresponding cell of `other`.
  [[nodiscard]] bool is_near(std::size_t one, std::size_t other, std::size_t band) const {
    for (std::size_t f = 0; f < banded.functions; ++f) {
      const std::uint32_t cell = banded.cells_of(one, band)[f];
      if ((banded.near_of(other, band)[f] >> cell & 1) == 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool are_candidates(std::size_t a, std::size_t b) const {
    bool meet = false;
    for (std::size_t band = 0; band < banded.bands; ++band) {
      meet = meet || (banded.functions > 0 ? is_near(a, b, band) || is_near(b, a, band)
                                           : banded.keys_of(a)[band] == banded.keys_of(b)[band]);
    }
    std::uint64_t different = 0;
    for (std::size_t w = 0; w < banded.sketch_words; ++w) {
      different += static_cast<std::uint64_t>(
          std::popcount(banded.sketch_of(a)[w] ^ banded.sketch_of(b)[w]));
    }
    return meet && different <= banded.most_different;
  }

  std::vector<std::uint64_t> sketches;
  BandedRows banded;
};

// Rows with few distinct cells, each near some others.
HashedTable with_cells(std::size_t rows, std::size_t bands, std::size_t functions,
                       std::uint64_t cells) {
  HashedTable table(rows, bands, 2, 1);
  BandedRows& banded = table.banded;
  banded.keys.clear();
  banded.functions = functions;
  for (std::size_t i = 0; i < rows * bands * functions; ++i) {
    const auto cell = static_cast<std::uint8_t>(31 - random64(7, i) % cells);
    banded.cells.push_back(cell);
    // If there are many functions, few of them have further cells, because every combination of
    // cells is looked up.
    const bool alone = functions > 3 && random64(11, i) % 4 != 0;
    banded.near.push_back(
        std::uint32_t{1} << cell |
        static_cast<std::uint32_t>(
            alone ? 0 : random64(8, i) & random64(9, i) & random64(10, i) & random64(12, i)));
  }
  return table;
}

SortedPairs candidates(const BandedJoin& join, unsigned threads) {
  ThreadPool pool(threads, nullptr);
  std::mutex mutex;
  SortedPairs found;
  find_candidates(join, pool, [&](std::span<const CandidatePair> pairs) {
    const std::lock_guard lock(mutex);
    for (const CandidatePair& pair : pairs) found.emplace_back(pair.left, pair.right);
  });
  std::sort(found.begin(), found.end());
  return found;
}

SortedPairs by_definition(const HashedTable& table, std::span<const std::uint32_t> rows,
                          std::size_t split) {
  SortedPairs found;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    for (std::uint32_t j = i + 1; j < rows.size(); ++j) {
      if (split > 0 && (i >= split || j < split)) continue;
      if (table.are_candidates(rows[i], rows[j])) found.emplace_back(i, j);
    }
  }
  return found;
}

TEST(BandedJoin, HandsOverEveryCandidateOnce) {
  for (const std::uint64_t keys : {1U, 3U, 400U}) {
    for (const std::size_t words : {1U, 4U, 5U}) {
      const HashedTable table(700, 5, words, keys);
      std::vector<std::uint32_t> rows;  // some of them, not in order
      for (std::uint32_t row = 0; row < 700; ++row) {
        if (row % 3 != 0) rows.push_back((row * 277) % 700);
      }
      for (const std::size_t split : {0U, 1U, 200U, 466U}) {
        const SortedPairs expected = by_definition(table, rows, split);
        for (const unsigned threads : {1U, 3U}) {
          EXPECT_EQ(candidates({&table.banded, rows, split}, threads), expected);
          EXPECT_EQ(candidates({&table.banded, rows, split, 1}, threads), expected);
        }
        if (split == 0) {
          EXPECT_GT(expected.size(), 50U);
        }
      }
    }
  }
}

TEST(BandedJoin, HandsOverWhatACascadeFindsOnce) {
  using Kind = ConstructionStep::Kind;
  HashedTable table(700, 12, 0, 9);
  const CascadeRule rule({{Kind::any_agrees, 3}, {Kind::all_agree, 2}, {Kind::any_agrees, 2}});
  std::vector<std::uint32_t> rows;  // some of them, not in order
  for (std::uint32_t row = 0; row < 700; ++row) {
    if (row % 3 != 0) rows.push_back((row * 277) % 700);
  }
  for (const std::size_t split : {0U, 200U}) {
    SortedPairs expected;
    for (std::uint32_t left = 0; left < (split > 0 ? split : rows.size()); ++left) {
      for (auto right = static_cast<std::uint32_t>(split > 0 ? split : left + 1);
           right < rows.size(); ++right) {
        if (rule.finds(table.banded.keys_of(rows[left]), table.banded.keys_of(rows[right]))) {
          expected.emplace_back(left, right);
        }
      }
    }
    EXPECT_GT(expected.size(), 1000U);
    for (const unsigned threads : {1U, 3U}) {
      EXPECT_EQ(candidates({&table.banded, rows, split, 0, &rule}, threads), expected);
      EXPECT_EQ(candidates({&table.banded, rows, split, 1, &rule}, threads), expected);
    }
  }
}

TEST(BandedJoin, HandsOverEveryCandidateOfNearCellsOnce) {
  struct Case {
    std::size_t functions;
    std::uint64_t cells;
  };
  for (const auto& [functions, cells] : {Case{1, 1}, {1, 32}, {2, 20}, {3, 5}, {12, 1}}) {
    const HashedTable table = with_cells(700, 4, functions, cells);
    std::vector<std::uint32_t> rows;  // some of them, not in order
    for (std::uint32_t row = 0; row < 700; ++row) {
      if (row % 3 != 0) rows.push_back((row * 277) % 700);
    }
    for (const std::size_t split : {0U, 1U, 200U, 466U}) {
      const SortedPairs expected = by_definition(table, rows, split);
      for (const unsigned threads : {1U, 3U}) {
        EXPECT_EQ(candidates({&table.banded, rows, split}, threads), expected) << functions;
        EXPECT_EQ(candidates({&table.banded, rows, split, 1}, threads), expected) << functions;
      }
      if (split == 0) {
        EXPECT_GT(expected.size(), 50U) << functions << " " << cells;
      }
    }
  }
}

TEST(BandedJoin, OfFewRowsWithNearCellsIsTheSame) {
  for (std::size_t count = 1; count < 12; ++count) {
    const HashedTable table = with_cells(count, 2, 2, 3);
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    EXPECT_EQ(candidates({&table.banded, rows, 0}, 2), by_definition(table, rows, 0));
  }
}

TEST(BandedJoin, SharesOutLargeBuckets) {
  HashedTable table(4500, 1, 1, 1);
  table.banded.most_different = 4;
  std::vector<std::uint32_t> rows(4500);
  std::iota(rows.begin(), rows.end(), 0U);
  const SortedPairs expected = by_definition(table, rows, 0);
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(candidates({&table.banded, rows, 0}, 2), expected);
  EXPECT_EQ(candidates({&table.banded, rows, 3000}, 2), by_definition(table, rows, 3000));
}

TEST(BandedJoin, TakesLongSketchesOfABucketInParts) {
  HashedTable table(1400, 1, 128, 1);  // 128 words of each: 1,024 at a time
  table.banded.most_different = 14 * 128;
  std::vector<std::uint32_t> rows(1400);
  std::iota(rows.begin(), rows.end(), 0U);
  const SortedPairs expected = by_definition(table, rows, 0);
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(candidates({&table.banded, rows, 0}, 2), expected);
  EXPECT_EQ(candidates({&table.banded, rows, 1100}, 2), by_definition(table, rows, 1100));
}

TEST(BandedJoin, IsTheSameOnEveryCpu) {
  const HashedTable table(300, 3, 4, 5);
  std::vector<std::uint32_t> rows(300);
  std::iota(rows.begin(), rows.end(), 0U);
  const SortedPairs expected = by_definition(table, rows, 0);
  for (const std::string_view target : kernels::simd_targets()) {
    ASSERT_TRUE(kernels::limit_simd(target));
    EXPECT_EQ(candidates({&table.banded, rows, 0}, 1), expected) << target;
  }
  kernels::limit_simd(kernels::simd_targets().front());
}

TEST(BandedJoin, OfNearCellsIsTheSameOnEveryCpu) {
  const HashedTable table = with_cells(300, 3, 2, 6);
  std::vector<std::uint32_t> rows(300);
  std::iota(rows.begin(), rows.end(), 0U);
  const SortedPairs expected = by_definition(table, rows, 0);
  for (const std::string_view target : kernels::simd_targets()) {
    ASSERT_TRUE(kernels::limit_simd(target));
    EXPECT_EQ(candidates({&table.banded, rows, 0}, 1), expected) << target;
  }
  kernels::limit_simd(kernels::simd_targets().front());
}

TEST(BandedJoin, OfNothingIsNothing) {
  const HashedTable table(3, 2, 1, 1);
  const std::vector<std::uint32_t> one = {2};
  EXPECT_TRUE(candidates({&table.banded, {}, 0}, 1).empty());
  EXPECT_TRUE(candidates({&table.banded, one, 0}, 1).empty());
}

using StepKind = ConstructionStep::Kind;
using Keys = std::vector<std::uint32_t>;

// Combines functions step by step, following the definition.
bool by_definition(const Construction& over, const Keys& left, const Keys& right) {
  std::vector<bool> agree;
  for (std::size_t i = 0; i < left.size(); ++i) agree.push_back(left[i] == right[i]);
  for (const ConstructionStep& step : over) {
    std::vector<bool> next;
    for (auto at = agree.begin(); at != agree.end(); at += step.count) {
      const auto end = at + step.count;
      next.push_back(step.kind == StepKind::all_agree ? std::find(at, end, false) == end
                                                      : std::find(at, end, true) != end);
    }
    agree = next;
  }
  return agree.front();
}

Keys drawn_keys(std::size_t count, std::uint64_t seed, std::uint64_t values) {
  Keys keys;
  for (std::size_t i = 0; i < count; ++i) {
    keys.push_back(static_cast<std::uint32_t>(random64(seed, i) % values));
  }
  return keys;
}

RC_GTEST_PROP(CascadeRule, FindsWhatItsDefinitionFinds, ()) {
  Construction over;
  const int steps = *rc::gen::inRange(0, 5);
  for (int i = 0; i < steps; ++i) {
    over.push_back({*rc::gen::element(StepKind::all_agree, StepKind::any_agrees),
                    static_cast<std::uint32_t>(*rc::gen::inRange(1, 5))});
  }
  const CascadeRule rule(over);
  const auto cover = rule.cover();
  RC_ASSERT(std::is_sorted(cover.begin(), cover.end()));
  for (std::uint64_t pair = 0; pair < 20; ++pair) {
    const std::uint64_t values = 1 + pair % 4;
    const Keys left = drawn_keys(rule.bands(), 2 * pair, values);
    const Keys right = drawn_keys(rule.bands(), 2 * pair + 1, values);
    const bool found = rule.finds(left.data(), right.data());
    RC_ASSERT(found == by_definition(over, left, right));
    const bool meet = std::any_of(cover.begin(), cover.end(),
                                  [&](std::uint32_t i) { return left[i] == right[i]; });
    RC_ASSERT(meet || !found);
  }
}

TEST(CascadeRule, CoversAllOfAnOrAndOneOfAnAnd) {
  const CascadeRule rule(
      {{StepKind::any_agrees, 3}, {StepKind::all_agree, 2}, {StepKind::any_agrees, 2}});
  EXPECT_EQ(rule.bands(), 12U);
  EXPECT_EQ(Keys(rule.cover().begin(), rule.cover().end()), (Keys{0, 1, 2, 6, 7, 8}));
}

}  // namespace
}  // namespace sosie
