#include "join/string_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include "join/string_row_joins.h"

namespace sosie {
namespace {

using Strings = std::vector<std::string_view>;
using Found = std::vector<std::tuple<RowId, RowId, double>>;

StringColumn column_of(const Strings& strings) {
  StringColumn column{1, 256, {0}, {}};
  for (const std::string_view string : strings) {
    for (const char c : string) column.symbols.push_back(static_cast<std::byte>(c));
    column.starts.push_back(column.symbols.size());
  }
  return column;
}

class StringJoin : public testing::Test {
 protected:
  Found join(const StringColumn& column, const JoinSides& sides, const EditBound& bound) {
    Found found;
    const StringJoinTask task{.column = &column,
                              .sides = sides,
                              .bound = bound,
                              .scratch = &scratch_,
                              .memory_bytes = std::uint64_t{1} << 24};
    join_strings(task, pool_, [&](std::span<const MeasuredPair> pairs) {
      for (const MeasuredPair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.value);
    });
    return found;
  }

  Scratch scratch_{testing::TempDir()};
  ThreadPool pool_{2, nullptr};
};

TEST_F(StringJoin, FindsThePairsOfTheIssue) {
  const StringColumn names = column_of({"Katharina", "Katarina", "Catharine", "Kathrin"});
  EXPECT_EQ(join(names, {{0, 4}}, {.within = 2}),
            (Found{{0, 1, 1}, {0, 2, 2}, {0, 3, 2}, {1, 3, 2}}));
  EXPECT_EQ(join(names, {{0, 1}, RowRange{1, 4}}, {.within = 1}), (Found{{0, 1, 1}}));
}

TEST_F(StringJoin, TakesASimilarityAsItIsWritten) {
  const StringColumn codes = column_of({"abcde", "abcdx", "", ""});
  const EditBound bound{.by_similarity = true, .threshold = {4, 5}};
  EXPECT_EQ(join(codes, {{0, 4}}, bound), (Found{{0, 1, .8}, {2, 3, 1}}));
}

TEST_F(StringJoin, T5_4_And_T5_6_ThroughTheEngine) {
  using Distances = std::array<double, 4>;
  const auto between = [&](std::string_view left, std::string_view right) {
    const StringColumn column = column_of({left, right});
    Distances distances{};
    for (std::size_t i = 0; i < distances.size(); ++i) {
      const auto measure = static_cast<EditMeasure>(i);
      const Found found = join(column, {{0, 2}}, {.measure = measure, .within = 6});
      distances[i] = found.size() == 1 ? std::get<2>(found[0]) : -1;
    }
    return distances;
  };
  // levenshtein, indel, osa, damerau
  EXPECT_EQ(between("abcde", "acfdeg"), (Distances{3, 3, 3, 3}));
  EXPECT_EQ(between("aba", "bab"), (Distances{2, 2, 2, 2}));
  EXPECT_EQ(between("abcdef", "bdaefc"), (Distances{4, 4, 4, 4}));
  EXPECT_EQ(between("abccdabc", "acbdcab"), (Distances{4, 5, 3, 3}));
  EXPECT_EQ(between("abcdef", "baedfc"), (Distances{5, 6, 4, 4}));
  EXPECT_EQ(between("ca", "ac"), (Distances{2, 2, 1, 1}));
  EXPECT_EQ(between("ac", "abc"), (Distances{1, 1, 1, 1}));
  EXPECT_EQ(between("ca", "abc"), (Distances{3, 3, 3, 2}));
}

TEST_F(StringJoin, NearestAreRankedByDistance) {
  const StringColumn names = column_of({"Katarina", "Kathrin", "Katharina", "Catharine"});
  const StringJoinTask task{.column = &names, .sides = {{0, 1}, RowRange{1, 4}}};
  std::vector<RowId> rights;
  nearest_strings(task, 2, pool_, [&](std::span<const MeasuredPair> pairs) {
    for (const MeasuredPair& pair : pairs) rights.push_back(pair.right);
  });
  std::sort(rights.begin(), rights.end());
  EXPECT_EQ(rights, (std::vector<RowId>{1, 2}));
}

TEST_F(StringJoin, ListedRowsAreJoinedByPosition) {
  const StringColumn names = column_of({"anna", "bert", "anne", "berta", "hanna"});
  const StringRowJoins rows(names, {.bound = {.within = 1}}, pool_, scratch_);
  const std::vector<RowId> listed = {4, 3, 0, 1};
  Found found;
  const auto take = [&](std::span<const MeasuredPair> pairs) {
    for (const MeasuredPair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.value);
  };
  (void)rows.by_place(listed, 0, take);
  EXPECT_EQ(found, (Found{{0, 2, 1}, {1, 3, 1}}));
  found.clear();
  (void)rows.by_place(listed, 2, take);
  EXPECT_EQ(found, (Found{{0, 2, 1}, {1, 3, 1}}));
  EXPECT_EQ(rows.measure(0, 2), 1);
  EXPECT_EQ(rows.measure(0, 1), std::nullopt);
  EXPECT_EQ(rows.value(0, 1), 4);
}

}  // namespace
}  // namespace sosie
