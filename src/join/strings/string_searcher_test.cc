// Tests looking up strings, compared with measuring every string.
#include "join/strings/string_searcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/mix64.h"

namespace sosie {
namespace {

using StringHits = std::vector<std::tuple<RowId, RowId, double>>;

constexpr std::array kMeasures = {EditMeasure::levenshtein, EditMeasure::indel, EditMeasure::osa,
                                  EditMeasure::damerau};

// Strings of symbols below 200, stored in `width` bytes each.
StringColumn searched_column(const std::vector<std::string>& strings, std::uint8_t width = 1) {
  StringColumn column{width, 200, {0}, {}};
  for (const std::string_view string : strings) {
    for (const char c : string) {
      column.symbols.push_back(static_cast<std::byte>(c));
      for (std::uint8_t zeros = 1; zeros < width; ++zeros) column.symbols.push_back(std::byte{0});
    }
    column.starts.push_back(column.starts.back() + string.size());
  }
  return column;
}

// Random strings, many of them equal or similar to others.
std::vector<std::string> random_strings(std::uint64_t seed, std::size_t count, char past_last,
                                        std::uint64_t longest) {
  std::uint64_t next = 0;
  const auto below = [&](std::uint64_t end) { return random64(seed, next++) % end; };
  const auto letter = [&] {
    return static_cast<char>('a' + below(static_cast<std::uint64_t>(past_last - 'a')));
  };
  std::vector<std::string> strings;
  while (strings.size() < count) {
    std::string string;
    if (!strings.empty() && below(3) > 0) {
      string = strings[below(strings.size())];
      for (std::uint64_t edits = below(4); edits > 0; --edits) {
        const std::size_t at = below(string.size() + 1);
        if (below(2) == 0) string.insert(at, 1, letter());
        if (at < string.size() && below(2) == 0) string.erase(at, 1);
        if (at + 1 < string.size() && below(2) == 0) std::swap(string[at], string[at + 1]);
      }
    } else {
      string.resize(below(longest + 1));
      for (char& symbol : string) symbol = letter();
    }
    strings.push_back(string);
  }
  return strings;
}

class StringLookups : public testing::Test {
 protected:
  struct Searched {
    std::vector<NearPairs> found;
    std::uint64_t checked = 0;
  };
  Searched find(const StringColumn& data, const StringColumn& asked, const StringSearch& search) {
    const StringSearcher searched(data, {0, static_cast<RowId>(data.rows())}, search);
    Searched result;
    result.checked = searched.find(asked, pool_, result.found);
    return result;
  }

  static StringHits listed(const std::vector<NearPairs>& found) {
    StringHits list;
    for (const auto& pairs : found) {
      for (const NearPair& pair : pairs) list.emplace_back(pair.left, pair.right, pair.value);
    }
    return list;
  }

  testing::AssertionResult equals_brute(const StringColumn& data, const StringColumn& asked,
                                        StringSearch search) {
    const StringHits found = listed(find(data, asked, search).found);
    search.brute = true;
    const StringHits expected = listed(find(data, asked, search).found);
    if (found == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << found.size() << " pairs, not " << expected.size() << ", of the nearest "
           << search.most << ", measure " << static_cast<int>(search.bound.measure);
  }

  StringHits nearest(const StringColumn& column, const JoinSides& sides,
                     const StringSearch& search) {
    StringHits found;
    (void)nearest_strings(column, sides, search, pool_, [&](std::span<const NearPair> pairs) {
      for (const NearPair& pair : pairs) found.emplace_back(pair.left, pair.right, pair.value);
    });
    return found;
  }

  ThreadPool pool_{2, nullptr};
};

TEST_F(StringLookups, NearestComeFirstTiesInInputOrder) {
  const StringColumn data =
      searched_column({"katharina", "kathrin", "katarina", "kathrin", "carl"});
  const StringColumn asked = searched_column({"katarina"});
  const StringSearch search{.bound = {}, .nearest = true, .most = 3};
  EXPECT_EQ(listed(find(data, asked, search).found), (StringHits{{0, 2, 0}, {0, 0, 1}, {0, 1, 2}}));
}

TEST_F(StringLookups, WithinADistanceAreThoseOfBrute) {
  for (const EditMeasure measure : kMeasures) {
    for (std::uint32_t within = 0; within <= 5; ++within) {
      const StringColumn data = searched_column(random_strings(within, 300, 'g', 14));
      const StringColumn asked = searched_column(random_strings(within + 50, 40, 'i', 14), 2);
      for (const std::uint64_t most : {0U, 1U, 3U, 1000U}) {
        const StringSearch search{.bound = {.measure = measure, .within = within}, .most = most};
        ASSERT_TRUE(equals_brute(data, asked, search)) << "within " << within;
      }
    }
  }
}

TEST_F(StringLookups, ThatReachAThresholdAreThoseOfBrute) {
  for (const EditMeasure measure : kMeasures) {
    for (std::uint64_t den = 2; den <= 9; ++den) {
      const StringColumn data = searched_column(random_strings(den, 200, 'e', 10));
      const StringColumn asked = searched_column(random_strings(den + 50, 30, 'f', 10));
      for (std::uint64_t num = 1; num <= den; ++num) {
        const EditBound bound{.measure = measure, .by_similarity = true, .threshold = {num, den}};
        ASSERT_TRUE(equals_brute(data, asked, {.bound = bound}));
        ASSERT_TRUE(equals_brute(data, asked, {.bound = bound, .most = 3}));
      }
    }
  }
}

// Includes cases in which the nearest strings are farther away than any pass over signatures
// reaches.
TEST_F(StringLookups, NearestAreThoseOfBrute) {
  for (const EditMeasure measure : kMeasures) {
    for (const std::uint64_t longest : {0U, 3U, 12U, 70U}) {
      const StringColumn data = searched_column(random_strings(longest, 400, 'k', longest));
      std::vector<std::string> strings = random_strings(longest + 1, 20, 'z', longest);
      strings.insert(strings.end(), {"", std::string(150, 'a'), "zzzzzzzzzzzzzzzzzz"});
      for (const std::uint64_t most : {1U, 2U, 7U, 500U}) {
        const StringSearch search{.bound = {.measure = measure}, .nearest = true, .most = most};
        ASSERT_TRUE(equals_brute(data, searched_column(strings), search)) << "longest " << longest;
      }
    }
  }
}

TEST_F(StringLookups, NearestOfEachRowAreThoseBehindItOrOfTheOtherSide) {
  const StringColumn column = searched_column(random_strings(5, 1500, 'e', 9));
  StringSearch search{.bound = {}, .nearest = true, .most = 2};
  const JoinSides within{{0, 1500}};
  const JoinSides between{{500, 1500}, RowRange{0, 500}};
  const StringHits of_within = nearest(column, within, search);
  const StringHits of_between = nearest(column, between, search);
  EXPECT_TRUE(std::all_of(of_within.begin(), of_within.end(),
                          [](const auto& pair) { return std::get<0>(pair) < std::get<1>(pair); }));
  EXPECT_EQ(of_between.size(), 2000);
  search.brute = true;
  EXPECT_EQ(of_within, nearest(column, within, search));
  EXPECT_EQ(of_between, nearest(column, between, search));
}

TEST_F(StringLookups, FewStringsAreMeasured) {
  const StringColumn data = searched_column(random_strings(6, 20000, 'z', 16));
  const StringColumn asked = searched_column(random_strings(6, 20, 'z', 16));
  const Searched within = find(data, asked, {.bound = {.within = 1}});
  EXPECT_LT(within.checked, asked.rows() * data.rows() / 50);
  const StringSearch nearest{.bound = {}, .nearest = true, .most = 5};
  EXPECT_LT(find(data, asked, nearest).checked, asked.rows() * data.rows() / 20);
}

TEST_F(StringLookups, EqualStringsAreComparedOnce) {
  const StringColumn data = searched_column(std::vector<std::string>(5000, "the same again"));
  const StringColumn asked = searched_column({"the same again", "a same again"});
  const Searched all = find(data, asked, {.bound = {.within = 4}});
  EXPECT_EQ(all.found[0].size(), 5000);
  EXPECT_EQ(all.checked, 2);
  const StringSearch nearest{.bound = {}, .nearest = true, .most = 2};
  EXPECT_EQ(listed(find(data, asked, nearest).found),
            (StringHits{{0, 0, 0}, {0, 1, 0}, {1, 0, 3}, {1, 1, 3}}));
}

}  // namespace
}  // namespace sosie
