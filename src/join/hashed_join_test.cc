#include "join/hashed_join.h"

#include <gtest/gtest.h>

#include "core/mix64.h"
#include "corpus/items/equal_groups.h"
#include "join/items_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

TEST(EqualItems, AreLedByTheFirst) {
  const std::vector<std::string> items = {"b", "a", "b", "", "a", "b", ""};
  const auto leaders =
      leaders_by_bytes(items.size(), [&](std::size_t i) { return std::string_view(items[i]); });
  EXPECT_EQ(leaders, (std::vector<Place>{kNoPlace, kNoPlace, 0, kNoPlace, 1, 0, 3}));
}

TEST(EqualItems, AreGroupsByTheirFirst) {
  const std::string items = "xxbabab";
  const EqualGroups groups =
      equal_groups(2, 5, [&](std::size_t i) { return std::string_view(items).substr(i, 1); });
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(std::vector<std::uint32_t>(groups[0].begin(), groups[0].end()),
            (std::vector<std::uint32_t>{2, 4, 6}));
  EXPECT_EQ(std::vector<std::uint32_t>(groups[1].begin(), groups[1].end()),
            (std::vector<std::uint32_t>{3, 5}));
  EXPECT_EQ(equal_groups(0, 0, {}).size(), 0U);
}

// Items are letters; equal letters and neighbours in the alphabet are pairs.
struct Letters {
  std::string items;
  std::size_t lefts;

  [[nodiscard]] std::optional<double> measure(std::size_t a, std::size_t b) const {
    const int apart = std::abs(items[a] - items[b]);
    return apart <= 1 ? std::optional(static_cast<double>(apart)) : std::nullopt;
  }
};

std::string joined(const Letters& letters, const Options& options, std::uint64_t* measured) {
  HashedJoin join;
  const auto lefts = static_cast<RowId>(letters.lefts);
  const auto count = static_cast<RowId>(letters.items.size());
  join.sides =
      lefts == count ? JoinSides{{0, count}} : JoinSides{{0, lefts}, RowRange{lefts, count}};
  join.bytes_of = [&](std::size_t row) { return std::string_view(letters.items).substr(row, 1); };
  join.measure = [&](std::uint32_t a, std::uint32_t b) { return letters.measure(a, b); };
  join.join = [&](std::span<const std::uint32_t> rows, std::size_t split,
                  const HashedJoin::Each& each) {
    std::uint64_t scored_pairs = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      for (std::uint32_t j = i + 1; j < rows.size(); ++j) {
        if (split > 0 && (i >= split || j < split)) continue;
        ++scored_pairs;
        const auto value = letters.measure(rows[i], rows[j]);
        const ValuedPair pair{i, j, value.value_or(0)};
        if (value) each({&pair, 1});
      }
    }
    return scored_pairs;
  };
  Scratch scratch("/tmp");
  join.scratch = &scratch;
  join.sort_bytes = std::uint64_t{1} << 20;
  std::string text;
  PairSink sink(options, {"letters", "1", false}, PairOrder::input,
                {scratch, std::uint64_t{1} << 20}, [&](std::span<const ValuedPair> pairs) {
                  for (const ValuedPair& pair : pairs) {
                    text += std::to_string(pair.left) + "-" + std::to_string(pair.right) + ":" +
                            std::to_string(static_cast<int>(pair.value)) + " ";
                  }
                });
  *measured = join_hashed(join, options, {"letters", "1", false}, sink);
  sink.finish();
  return text;
}

TEST(HashedPairs, OfEqualItemsAreThoseOfOne) {
  std::uint64_t measured = 0;
  EXPECT_EQ(joined({"bazabb", 6}, {}, &measured),
            "0-1:1 0-3:1 0-4:0 0-5:0 1-3:0 1-4:1 1-5:1 "
            "3-4:1 3-5:1 4-5:0 ");
  EXPECT_EQ(measured, 3U + 2U);  // three letters, two of them more than once
}

TEST(HashedPairs, OfTwoCollectionsAreBetweenThem) {
  std::uint64_t measured = 0;
  EXPECT_EQ(joined({"aazab", 3}, {}, &measured), "0-3:0 0-4:1 1-3:0 1-4:1 ");
  EXPECT_EQ(measured, 4U);
}

TEST(HashedPairs, EndAtTheLimit) {
  std::uint64_t measured = 0;
  Options options;
  options.limit = 10;
  EXPECT_NO_THROW(joined({"bazabb", 6}, options, &measured));
  options.limit = 9;
  EXPECT_THROW(joined({"bazabb", 6}, options, &measured), Error);
}

TEST(HashedPairs, OfManyEqualItemsAreNoMoreThanCanBeLeft) {
  const std::string items(200'000, 'a');  // twenty billion pairs
  std::uint64_t measured = 0;
  Options options;
  options.top_pairs = 3;
  EXPECT_EQ(joined({items, items.size()}, options, &measured), "0-1:0 0-2:0 0-3:0 ");
  options.top_pairs = 0;
  options.limit = 1000;
  EXPECT_THROW(joined({items, items.size()}, options, &measured), Error);
}

TEST(HashedPairs, TopLeavesTheNearestOfEachLeft) {
  std::uint64_t measured = 0;
  Options options;
  options.top = 2;
  EXPECT_EQ(joined({"baaabb", 6}, options, &measured),
            "0-4:0 0-5:0 1-2:0 1-3:0 2-3:0 2-4:1 3-4:1 3-5:1 4-5:0 ");
}

}  // namespace
}  // namespace sosie
