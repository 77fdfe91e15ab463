#include "join/strings/string_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/mix64.h"
#include "join/strings/string_row_joins.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using Strings = std::vector<std::string_view>;
using JoinedStrings = std::vector<std::tuple<RowId, RowId, double>>;

StringColumn joined_column(const Strings& strings) {
  StringColumn column{1, 256, {0}, {}};
  for (const std::string_view string : strings) {
    for (const char c : string) column.symbols.push_back(static_cast<std::byte>(c));
    column.starts.push_back(column.symbols.size());
  }
  return column;
}

class StringJoin : public testing::Test {
 protected:
  JoinedStrings join(const StringColumn& column, const JoinSides& sides, const EditBound& bound) {
    return join_by(std::nullopt, column, sides, bound);
  }

  JoinedStrings join_by(std::optional<StringJoinPlan> plan, const StringColumn& column,
                        const JoinSides& sides, const EditBound& bound,
                        std::uint64_t memory_bytes = std::uint64_t{1} << 24) {
    JoinedStrings found;
    const StringJoinTask task{.column = &column,
                              .sides = sides,
                              .bound = bound,
                              .scratch = &scratch_,
                              .memory_bytes = memory_bytes,
                              .plan = std::move(plan)};
    join_strings(task, pool_, [&](std::span<const ScoredPair> pairs) {
      for (const ScoredPair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.value);
    });
    return found;
  }

  // By each measure.
  std::vector<double> distances(std::string_view left, std::string_view right) {
    const StringColumn column = joined_column({left, right});
    std::vector<double> distances;
    for (const EditMeasure measure :
         {EditMeasure::levenshtein, EditMeasure::indel, EditMeasure::osa, EditMeasure::damerau}) {
      for (const auto& [l, r, value] : join(column, {{0, 2}}, {.measure = measure, .within = 6})) {
        distances.push_back(value);
      }
    }
    return distances;
  }

  Scratch scratch_{testing::TempDir()};
  ThreadPool pool_{2, nullptr};
};

TEST_F(StringJoin, FindsThePairsOfTheIssue) {
  const StringColumn names = joined_column({"Katharina", "Katarina", "Catharine", "Kathrin"});
  EXPECT_EQ(join(names, {{0, 4}}, {.within = 2}),
            (JoinedStrings{{0, 1, 1}, {0, 2, 2}, {0, 3, 2}, {1, 3, 2}}));
  EXPECT_EQ(join(names, {{0, 1}, RowRange{1, 4}}, {.within = 1}), (JoinedStrings{{0, 1, 1}}));
}

TEST_F(StringJoin, TakesASimilarityAsItIsWritten) {
  const StringColumn codes = joined_column({"abcde", "abcdx", "", ""});
  const EditBound bound{.by_similarity = true, .threshold = {4, 5}};
  EXPECT_EQ(join(codes, {{0, 4}}, bound), (JoinedStrings{{0, 1, .8}, {2, 3, 1}}));
}

TEST_F(StringJoin, T5_4_And_T5_6_ThroughTheEngine) {
  // levenshtein, indel, osa, damerau
  const std::vector<std::tuple<std::string_view, std::string_view, std::vector<double>>> cases = {
      {"abcde", "acfdeg", {3, 3, 3, 3}},  {"aba", "bab", {2, 2, 2, 2}},
      {"abcdef", "bdaefc", {4, 4, 4, 4}}, {"abccdabc", "acbdcab", {4, 5, 3, 3}},
      {"abcdef", "baedfc", {5, 6, 4, 4}}, {"ca", "ac", {2, 2, 1, 1}},
      {"ac", "abc", {1, 1, 1, 1}},        {"ca", "abc", {3, 3, 3, 2}}};
  for (const auto& [left, right, expected] : cases) {
    EXPECT_EQ(distances(left, right), expected) << left << " " << right;
  }
}

TEST_F(StringJoin, ListedRowsAreJoinedByPosition) {
  const StringColumn names = joined_column({"anna", "bert", "anne", "berta", "hanna"});
  const StringRowJoins rows(names, {.bound = {.within = 1}}, pool_, scratch_);
  const std::vector<RowId> listed = {4, 3, 0, 1};
  const auto join_rows = [&](std::size_t split) {
    JoinedStrings found;
    (void)rows.by_place(listed, split, [&](std::span<const ScoredPair> pairs) {
      for (const ScoredPair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.value);
    });
    return found;
  };
  EXPECT_EQ(join_rows(0), (JoinedStrings{{0, 2, 1}, {1, 3, 1}}));
  EXPECT_EQ(join_rows(2), (JoinedStrings{{0, 2, 1}, {1, 3, 1}}));
}

TEST_F(StringJoin, PairsOfRowsHaveValues) {
  const StringColumn names = joined_column({"anna", "bert", "anne"});
  const StringRowJoins rows(names, {.bound = {.within = 1}}, pool_, scratch_);
  EXPECT_EQ(rows.measure(0, 2), 1);
  EXPECT_EQ(rows.measure(0, 1), std::nullopt);
  EXPECT_EQ(rows.value(0, 1), 4);
}

// Random strings, many of them equal or similar to others.
StringColumn random_column(std::uint64_t seed, std::uint32_t rows, std::uint32_t alphabet,
                           std::uint32_t longest) {
  std::uint64_t next = 0;
  const auto below = [&](std::uint64_t end) { return random64(seed, next++) % end; };
  std::vector<std::string> strings;
  while (strings.size() < rows) {
    std::string string;
    if (!strings.empty() && below(3) > 0) {
      string = strings[below(strings.size())];
      for (std::uint64_t edits = below(5); edits > 0; --edits) {
        const std::size_t at = below(string.size() + 1);
        const auto symbol = static_cast<char>(below(alphabet));
        if (below(2) == 0) string.insert(at, 1, symbol);
        if (at < string.size() && below(2) == 0) string.erase(at, 1);
        if (at < string.size() && below(3) == 0) string[at] = symbol;
        if (at + 1 < string.size() && below(3) == 0) std::swap(string[at], string[at + 1]);
      }
    } else {
      string.resize(below(longest + 1));
      for (char& symbol : string) symbol = static_cast<char>(below(alphabet));
    }
    strings.push_back(string);
  }
  StringColumn column = joined_column({strings.begin(), strings.end()});
  column.alphabet = alphabet;
  return column;
}

class EveryMethod : public StringJoin {
 protected:
  // Compares deletions, segments, both together and the planned method with the definition.
  testing::AssertionResult equals_brute(const StringColumn& column, const JoinSides& sides,
                                        const EditBound& bound, std::uint64_t memory_bytes) {
    StringJoinPlan brute;
    brute.brute = true;
    const JoinedStrings expected = join_by(brute, column, sides, bound, memory_bytes);
    if (join_by(std::nullopt, column, sides, bound, memory_bytes) != expected) {
      return testing::AssertionFailure() << "as planned";
    }
    for (const std::uint32_t from : {0U, 6U, 12U, StringJoinPlan::kNever}) {
      StringJoinPlan plan;
      plan.segments_from = from;
      const JoinedStrings found = join_by(plan, column, sides, bound, memory_bytes);
      if (found == expected) continue;
      return testing::AssertionFailure() << "segments from " << from << ": " << found.size()
                                         << " pairs, not " << expected.size();
    }
    return testing::AssertionSuccess();
  }

  // Compares them within one collection, and between two.
  testing::AssertionResult sides_equal_brute(const StringColumn& column, const EditBound& bound,
                                             std::uint64_t memory_bytes = std::uint64_t{1} << 24) {
    const auto rows = static_cast<RowId>(column.rows());
    const auto within = equals_brute(column, {{0, rows}}, bound, memory_bytes);
    if (!within) return within;
    const JoinSides across{{rows / 3, rows}, RowRange{0, rows / 3}};
    const auto between = equals_brute(column, across, bound, memory_bytes);
    return between ? between : testing::AssertionFailure() << "across, " << between.message();
  }
};

constexpr std::array kJoinedMeasures = {EditMeasure::levenshtein, EditMeasure::indel,
                                        EditMeasure::osa, EditMeasure::damerau};

TEST_F(EveryMethod, FindsThePairsWithinEachDistance) {
  std::uint64_t seed = 0;
  for (const EditMeasure measure : kJoinedMeasures) {
    for (std::uint32_t within = 0; within <= 5; ++within) {
      const std::uint32_t alphabet = std::array{2U, 4U, 26U}[++seed % 3];
      const StringColumn column = random_column(seed, 90, alphabet, within < 4 ? 14 : 9);
      ASSERT_TRUE(sides_equal_brute(column, {.measure = measure, .within = within}))
          << "measure " << static_cast<int>(measure) << " within " << within;
    }
  }
}

TEST_F(EveryMethod, FindsThePairsThatReachEachThreshold) {
  std::uint64_t seed = 100;
  for (const EditMeasure measure : kJoinedMeasures) {
    for (std::uint64_t den = 2; den <= 10; ++den) {
      const StringColumn column = random_column(++seed, 70, 4, 9);
      for (std::uint64_t num = den / 2 + 1; num <= den; ++num) {
        const EditBound bound{.measure = measure, .by_similarity = true, .threshold = {num, den}};
        ASSERT_TRUE(sides_equal_brute(column, bound))
            << "measure " << static_cast<int>(measure) << ", " << num << "/" << den;
      }
    }
  }
}

TEST_F(EveryMethod, FindsPairsAtTheBorderOfAWord) {
  const StringColumn column = random_column(200, 60, 4, 70);
  for (const EditMeasure measure : kJoinedMeasures) {
    StringJoinPlan segments;
    segments.segments_from = 0;
    StringJoinPlan brute;
    brute.brute = true;
    const EditBound bound{.measure = measure, .within = 3};
    EXPECT_EQ(join_by(segments, column, {{0, 60}}, bound),
              join_by(brute, column, {{0, 60}}, bound));
  }
}

// With very little memory, keys are produced in many passes.
TEST_F(EveryMethod, FindsTheSamePairsInAnyMemory) {
  const StringColumn column = random_column(300, 12000, 26, 24);
  const EditBound bound{.within = 2};
  for (const std::uint32_t from : {0U, StringJoinPlan::kNever}) {
    StringJoinPlan plan;
    plan.segments_from = from;
    const JoinedStrings much = join_by(plan, column, {{0, 12000}}, bound, std::uint64_t{1} << 32);
    EXPECT_EQ(join_by(plan, column, {{0, 12000}}, bound, 1), much);
    EXPECT_GT(much.size(), 10000);
  }
}

// With pieces of equal length, all but one of the pieces would be shared by all strings.
TEST_F(EveryMethod, StringsThatBeginAlikeAreCutWhereTheyDiffer) {
  std::vector<std::string> strings;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    strings.push_back("https://www.example.com/products/item?id=" +
                      std::to_string(10'000'000 + random64(500, i) % 90'000'000));
  }
  const StringColumn column = joined_column({strings.begin(), strings.end()});
  const EditBound bound{.within = 2};
  StringJoinPlan plan;
  StringJoinPlan brute;
  brute.brute = true;
  EXPECT_EQ(join_by(plan, column, {{0, 1500}}, bound), join_by(brute, column, {{0, 1500}}, bound));
  const StringJoinTask task{.column = &column,
                            .sides = {{0, 1500}},
                            .bound = bound,
                            .scratch = &scratch_,
                            .memory_bytes = std::uint64_t{1} << 24,
                            .plan = plan};
  const EachPairs ignore = [](std::span<const ScoredPair>) {};
  EXPECT_LT(join_strings(task, pool_, ignore).candidates, 1500U * 1499 / 2 / 50);
}

TEST_F(EveryMethod, EqualStringsCostTheirOutput) {
  const std::vector<std::string_view> strings(10000, "the same again");
  const StringColumn column = joined_column(strings);
  StringJoinTask task{.column = &column,
                      .sides = {{0, 10000}},
                      .bound = {.within = 2},
                      .scratch = &scratch_,
                      .memory_bytes = std::uint64_t{1} << 24};
  std::uint64_t pairs = 0;
  const EachPairs count = [&](std::span<const ScoredPair> found) { pairs += found.size(); };
  EXPECT_EQ(join_strings(task, pool_, count).candidates, 0);
  EXPECT_EQ(pairs, 10000U * 9999 / 2);
  pairs = 0;
  task.sides = {{0, 5000}, RowRange{5000, 10000}};
  EXPECT_EQ(join_strings(task, pool_, count).candidates, 1);
  EXPECT_EQ(pairs, 5000U * 5000);
  pairs = 0;
  task.most_equal = 3;
  join_strings(task, pool_, count);
  EXPECT_EQ(pairs, 5000U * 3);
  EXPECT_EQ(scratch_.peak_bytes(), 0);
}

TEST_F(EveryMethod, EqualStringsAreCountedBeforeTheirPairsAreMade) {
  const std::vector<std::string_view> strings(200000, "the same again");
  const StringColumn column = joined_column(strings);
  for (const JoinSides& sides :
       {JoinSides{{0, 200000}}, JoinSides{{0, 100000}, RowRange{100000, 200000}}}) {
    const StringJoinTask task{.column = &column,
                              .sides = sides,
                              .bound = {.within = 2},
                              .limit = 1000000,
                              .scratch = &scratch_,
                              .memory_bytes = std::uint64_t{1} << 26};
    const EachPairs none = [](std::span<const ScoredPair>) { FAIL(); };
    EXPECT_THROW(join_strings(task, pool_, none), Error);
  }
  EXPECT_EQ(scratch_.peak_bytes(), 0);
}

// The best pairs of each row are among those that remain after pruning.
TEST_F(EveryMethod, PrunedPairsHoldTheBestOfEachRow) {
  const StringColumn column = random_column(300, 500, 3, 5);
  const PairSelection wanted{.top = 4};
  const IsNearer is_nearer{.is_similarity = false};
  for (const JoinSides& sides : {JoinSides{{0, 500}}, JoinSides{{0, 200}, RowRange{200, 500}}}) {
    std::vector<ScoredPair> best;
    StringJoinTask task{.column = &column,
                        .sides = sides,
                        .bound = {.within = 2},
                        .scratch = &scratch_,
                        .memory_bytes = std::uint64_t{1} << 24};
    const auto best_of = [&] {
      std::vector<ScoredPair> pairs;
      join_strings(task, pool_, [&](std::span<const ScoredPair> found) {
        pairs.insert(pairs.end(), found.begin(), found.end());
      });
      prune_unwanted<ScoredPair>(wanted, is_nearer)(pairs);
      JoinedStrings found;
      for (const auto& [left, right, value] : pairs) found.emplace_back(left, right, value);
      return found;
    };
    const JoinedStrings all = best_of();
    task.prune = prune_unwanted<ScoredPair>(wanted, is_nearer);
    task.most_equal = wanted.most_equal();
    EXPECT_EQ(best_of(), all);
    EXPECT_GT(all.size(), 500);
  }
}

TEST_F(EveryMethod, ACancelledRunEndsWithinAComparison) {
  const std::atomic<bool> cancelled = true;
  const ThreadPool pool(1, &cancelled);
  const std::string left(3000, 'a');
  const std::string right(3000, 'b');
  const StringColumn column = joined_column({left, right});
  for (const EditMeasure measure :
       {EditMeasure::levenshtein, EditMeasure::indel, EditMeasure::osa, EditMeasure::damerau}) {
    EditPattern pattern(measure, column.alphabet, &pool);
    pattern.set(column.row(0));
    EXPECT_THROW((void)pattern.distance(column.row(1), kAnyDistance), Error);
  }
}

TEST_F(EveryMethod, MorePairsThanTheLimitAreAnError) {
  const StringColumn column = random_column(400, 200, 4, 8);
  const auto all = static_cast<std::uint64_t>(join(column, {{0, 200}}, {.within = 2}).size());
  const auto with_limit = [&](std::uint64_t limit) {
    StringJoinTask task{.column = &column,
                        .sides = {{0, 200}},
                        .bound = {.within = 2},
                        .limit = limit,
                        .scratch = &scratch_,
                        .memory_bytes = std::uint64_t{1} << 24};
    join_strings(task, pool_, [](std::span<const ScoredPair>) {});
  };
  EXPECT_NO_THROW(with_limit(all));
  EXPECT_THROW(with_limit(all - 1), Error);
}

}  // namespace
}  // namespace sosie
