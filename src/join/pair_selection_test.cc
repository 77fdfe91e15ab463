// Tests of the pairs that --top, --top-pairs and --limit select, compared with sorting all pairs.
#include "join/pair_selection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "join/items_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::vector<ValuedPair> random_pairs() {
  std::vector<ValuedPair> pairs;
  const auto lefts = *rc::gen::inRange<RowId>(0, 12);
  for (RowId left = 0; left < lefts; ++left) {
    for (RowId right = 0; right < 20; ++right) {
      if (*rc::gen::inRange(0, 3) > 0) continue;
      pairs.push_back({left, right, 0.25 * *rc::gen::inRange(0, 4)});
    }
  }
  return pairs;
}

// The pairs to be selected from sorted ones, by definition.
std::vector<ValuedPair> wanted_of(std::vector<ValuedPair> pairs, const PairSelection& wanted,
                                  PairOrder order, const IsNearer& is_nearer) {
  const auto by_key = [](const auto& a, const auto& b) { return sort_key(a) < sort_key(b); };
  std::sort(pairs.begin(), pairs.end(), is_nearer);
  std::map<RowId, std::uint64_t> of_left;
  std::erase_if(pairs, [&](const auto& pair) {
    return wanted.top > 0 && of_left[pair.left]++ >= wanted.top;
  });
  if (wanted.top_pairs > 0) pairs.resize(std::min<std::size_t>(pairs.size(), wanted.top_pairs));
  if (order == PairOrder::input) {
    std::sort(pairs.begin(), pairs.end(), by_key);
  } else {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.left < b.left; });
  }
  return pairs;
}

ValuedPairs as_found(const std::vector<ValuedPair>& pairs) {
  ValuedPairs found;
  add_to(found)(pairs);
  return found;
}

RC_GTEST_PROP(PairSelection, AreTheBestOfEachRowAndOfAll, ()) {
  const std::vector<ValuedPair> pairs = random_pairs();
  Options options;
  options.top = *rc::gen::element<std::uint64_t>(0, 0, 1, 3);
  options.top_pairs = *rc::gen::element<std::uint64_t>(0, 0, 1, 7, 1000);
  const PairSelection wanted = pair_selection(options);
  const auto order = *rc::gen::element(PairOrder::input, PairOrder::best_first);
  const BoundFacts facts{"m", "1", *rc::gen::arbitrary<bool>()};
  const std::vector<ValuedPair> expected =
      wanted_of(pairs, wanted, order, IsNearer{facts.is_similarity});
  // A limit equal to the number of pairs must allow them, and a limit one lower must not; without
  // --top-pairs, they are counted before any is passed on.
  const std::uint64_t limits[] = {0, expected.size(), expected.size() - 1};
  for (int i = 0; i < (expected.size() < 2 ? 2 : 3); ++i) {
    options.limit = limits[i];
    Scratch scratch("/tmp");
    ValuedPairs found;
    const auto memory = *rc::gen::element<std::uint64_t>(1, 200, 1 << 20);
    PairSink sink(options, facts, order, {scratch, memory}, add_to(found));
    const auto add_all = [&] {
      for (std::size_t at = 0; at < pairs.size();) {  // a left row may come in several calls
        const auto some = std::min(pairs.size() - at, *rc::gen::inRange<std::size_t>(1, 9));
        sink.add({pairs.data() + at, some});
        at += some;
      }
      sink.finish();
    };
    if (i == 2) {
      RC_ASSERT_THROWS_AS(add_all(), Error);
      RC_ASSERT(found.empty());
    } else {
      add_all();
      RC_ASSERT(found == as_found(expected));
    }
  }
}

// Any part may be pruned at any time, and no pair that counts is lost.
RC_GTEST_PROP(PairSelection, ArePrunedWithoutLoss, ()) {
  const std::vector<ValuedPair> pairs = random_pairs();
  const PairSelection wanted{.top = *rc::gen::element<std::uint64_t>(0, 1, 3),
                             .top_pairs = *rc::gen::element<std::uint64_t>(0, 1, 7)};
  const IsNearer is_nearer{true};
  const auto prune = prune_unwanted<ValuedPair>(wanted, is_nearer);
  RC_ASSERT(static_cast<bool>(prune) == !wanted.all());
  if (!prune) return;
  std::vector<ValuedPair> left;
  for (const ValuedPair& pair : pairs) {
    left.push_back(pair);
    if (*rc::gen::inRange(0, 5) == 0) prune(left);
  }
  prune(left);
  const auto by_key = [](const auto& a, const auto& b) { return sort_key(a) < sort_key(b); };
  RC_ASSERT(std::is_sorted(left.begin(), left.end(), by_key));
  RC_ASSERT(as_found(wanted_of(left, wanted, PairOrder::input, is_nearer)) ==
            as_found(wanted_of(pairs, wanted, PairOrder::input, is_nearer)));
  std::map<RowId, std::uint64_t> of_left;
  for (const ValuedPair& pair : left) ++of_left[pair.left];
  for (const auto& [row, count] : of_left) RC_ASSERT(wanted.top == 0 || count <= wanted.top);
  RC_ASSERT(wanted.top > 0 || left.size() <= wanted.top_pairs);
}

TEST(PairSelection, AreCutToTheirNumberWhereThereAreManyMore) {
  Options options;
  options.top = 2;
  Scratch scratch("/tmp");
  ValuedPairs found;
  PairSink sink(options, {"m", "1", false}, PairOrder::best_first, {scratch, 1 << 20},
                add_to(found));
  std::vector<ValuedPair> block;
  for (RowId right = 0; right < 30'000; ++right) {
    block = {{7, right, static_cast<double>((right * 7919) % 30'011)}};
    sink.add(block);
  }
  sink.finish();
  EXPECT_EQ(found, (ValuedPairs{{7, 0, 0}, {7, 7318, 1}})) << "of distances the least";
}

TEST(PairLimit, SaysWhatToDo) {
  const auto message = [](const BoundFacts& facts, const PairSelection& wanted = {.limit = 5}) {
    try {
      check_pair_limit(wanted, facts, 6);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
      return error.reason() + "; " + error.hint();
    }
    return std::string();
  };
  EXPECT_EQ(message({"jaccard", "0.8"}),
            "more than 5 pairs reach jaccard 0.8, the maximum set by --limit; raise --threshold, "
            "or use --top "
            "or --top-pairs");
  EXPECT_EQ(message({"hamming", "3", false}),
            "more than 5 pairs reach hamming 3, the maximum set by --limit; lower --within, or use "
            "--top or "
            "--top-pairs");
  EXPECT_EQ(message({"hamming", "", false}),
            "more than 5 pairs, the maximum set by --limit; lower --top, or add a bound: "
            "--threshold or --within");
  EXPECT_EQ(message({"jaccard", "0.8"}, {.top = 3, .limit = 5}),
            "more than 5 pairs reach jaccard 0.8, the maximum set by --limit; raise --threshold, "
            "lower --top "
            "or use --top-pairs");
  for (const char* bound : {"", "0.8"}) {
    const std::string said = message({"jaccard", bound}, {.top_pairs = 9, .limit = 5});
    EXPECT_TRUE(said.ends_with("; lower --top-pairs, or raise --limit")) << said;
  }
  EXPECT_NO_THROW(check_pair_limit({.limit = 6}, {"m", "1"}, 6));
  EXPECT_NO_THROW(check_pair_limit({}, {"m", "1"}, 6));
}

TEST(PairBlocks, EndWhereTheReaderSaysSo) {
  Scratch scratch("/tmp");
  SortedPairs<ValuedPair> pairs(scratch, 1 << 20);
  std::vector<ValuedPair> all;
  for (RowId i = 0; i < 10'000; ++i) all.push_back({i, i, 0});
  pairs.add(all);
  pairs.finish();
  std::size_t blocks = 0;
  std::size_t seen = 0;
  const auto each = [&](std::span<const ValuedPair> some) {
    seen += some.size();
    return ++blocks < 2;
  };
  for_each_block(pairs, each);
  EXPECT_EQ(blocks, 2U);
  EXPECT_EQ(seen, 8192U);
  blocks = 0;
  seen = 0;
  for_each_block(pairs, [&](std::span<const ValuedPair> some) {
    ++blocks;
    seen += some.size();
    return true;
  });
  EXPECT_EQ(blocks, 3U);
  EXPECT_EQ(seen, 10'000U);
}

TEST(MovedPairs, ArePutWhereTheirRowsAre) {
  ValuedPairs found;
  const EachPairs add = add_to(found);
  const std::vector<ValuedPair> pairs = {{0, 1, 0.5}, {2, 3, 0}, {4, 5, -1}};
  shifted(10, 20, add)(pairs);
  EXPECT_EQ(found, (ValuedPairs{{10, 21, 0.5}, {12, 23, 0}, {14, 25, -1}}));
  found.clear();
  above_zero({"dot", ""}, add)(pairs);
  EXPECT_EQ(found, (ValuedPairs{{0, 1, 0.5}}));
  found.clear();
  above_zero({"l2", "", false}, add)(pairs);
  EXPECT_EQ(found.size(), 3U);
}

}  // namespace
}  // namespace sosie
