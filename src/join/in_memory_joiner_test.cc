// Tests of every joiner for items in memory, compared with the definition: all pairs that the
// measure accepts.
#include "join/in_memory_joiner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <sstream>

#include "join/items_test.h"
#include "join/own_path_test.h"
#include "join/saved_join.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// A kind of items with a measure, a method and bounds.
struct JoinCase {
  const char* name;
  std::string kind;
  std::size_t size;
  std::string alphabet;
  OptionTexts given;
  OptionTexts bounds;
  bool hashes;
};

// "measure=dot within=3": options by name.
OptionTexts options_of(const std::string& text) {
  OptionTexts options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

JoinCase join_case(const char* name, const std::string& kind, std::size_t size,
                   const std::string& alphabet, const std::string& given,
                   const std::string& bounds) {
  const bool hashes = given.find("method=lsh") != std::string::npos;
  return {name, kind, size, alphabet, options_of(given), options_of(bounds), hashes};
}

constexpr const char* kBytes = "0 1 2 3 9 200";
constexpr const char* kPositive = "1 2 3 9 200";
constexpr const char* kSigned = "-9 -1 0 1 2 100";
constexpr const char* kFloats = "-2.5 0.125 0.1 1 3 7.75";

// clang-format off
const std::vector<JoinCase> kCases = {
    join_case("Euclidean", "vectors", 5, kBytes, "measure=euclidean", "within=0 within=2 within=9.5 within=1000"),
    join_case("EuclideanFloats", "vectors", 7, kFloats, "measure=euclidean", "within=0 within=1.25 within=4"),
    join_case("EuclideanBrute", "vectors", 3, kSigned, "measure=euclidean method=brute", "within=3"),
    join_case("EuclideanLsh", "vectors", 6, kBytes, "measure=euclidean method=lsh bands=12x2", "within=5"),
    join_case("Manhattan", "vectors", 4, kSigned, "measure=manhattan", "within=1 within=11"),
    join_case("Chebyshev", "vectors", 6, kFloats, "measure=chebyshev", "within=0.125 within=4"),
    join_case("Cosine", "vectors", 5, kPositive, "measure=cosine", "threshold=0.9 threshold=0.999 threshold=1"),
    join_case("CosineFloats", "vectors", 9, "-2.5 0.125 0.1 1", "measure=cosine", "threshold=0.7"),
    join_case("CosineLsh", "vectors", 8, kPositive, "measure=cosine method=lsh bands=10x6", "threshold=0.95"),
    join_case("Dot", "vectors", 4, kSigned, "measure=dot", "threshold=1"),
    join_case("HammingOfVectors", "vectors", 6, kBytes, "measure=hamming", "within=2"),
    join_case("Canberra", "vectors", 5, kBytes, "measure=canberra", "within=1.5"),
    join_case("Hamming", "bits", 16, "", "measure=hamming", "within=0 within=3 within=17 within=64"),
    join_case("HammingLong", "bits", 70, "", "measure=hamming", "within=8"),
    join_case("HammingBrute", "bits", 5, "", "measure=hamming method=brute", "within=4"),
    join_case("HammingLsh", "bits", 32, "", "measure=hamming method=lsh bands=8x8", "within=6"),
    join_case("JaccardOfBits", "bits", 8, "", "measure=jaccard", "threshold=0.6 threshold=1"),
    join_case("Levenshtein", "strings", 9, "abc", "measure=levenshtein", "within=0 within=2"),
    join_case("IndelSimilarity", "strings", 7, "ab", "measure=indel", "threshold=0.75")};
// clang-format on

OptionTexts with(OptionTexts given, const std::pair<std::string, std::string>& more) {
  given.push_back(more);
  return given;
}

// All pairs between the sides that the measure accepts, by (left, right).
ValuedPairs expected_pairs(const InMemoryJoiner& joiner, const JoinSides& sides) {
  ValuedPairs pairs;
  for (RowId left = sides.left.begin; left < sides.left.end; ++left) {
    const RowRange rights = sides.right.value_or(RowRange{left + 1, sides.left.end});
    for (RowId right = rights.begin; right < rights.end; ++right) {
      if (const auto value = joiner.measure(left, right)) pairs.emplace_back(left, right, *value);
    }
  }
  return pairs;
}

class EveryJoiner : public testing::TestWithParam<JoinCase> {
 protected:
  // `others`: of a second collection.
  std::unique_ptr<JoinedItems> items(std::size_t rows, std::size_t others, std::uint64_t seed,
                                     VerbBit verb,
                                     const std::pair<std::string, std::string>& bound) const {
    const JoinCase& c = GetParam();
    const auto all = random_items(c.kind, seed, rows + others, c.size, c.alphabet);
    const auto split = all.begin() + static_cast<std::ptrdiff_t>(others);
    auto made = std::make_unique<JoinedItems>(
        c.kind, verb, std::vector<std::string>(split, all.end()),
        std::vector<std::string>(all.begin(), split), with(c.given, bound));
    made->prepare();
    return made;
  }

  // Pairs of listed rows, given as positions, sorted.
  ValuedPairs found(const InMemoryJoiner& joiner, std::span<const RowId> rows,
                    std::size_t split) const {
    ValuedPairs pairs;
    std::mutex mutex;
    (void)joiner.find(rows, split, [&](auto some) {
      const std::lock_guard lock(mutex);
      add_to(pairs)(some);
    });
    if (joiner.hashes()) std::sort(pairs.begin(), pairs.end());
    return pairs;
  }
};

TEST_P(EveryJoiner, FindsThePairsThatTheMeasureTakes) {
  for (const auto& bound : GetParam().bounds) {
    for (const std::size_t others : {0U, 25U}) {
      const auto made = items(70, others, others + 1, kPairs, bound);
      InMemoryJoiner& joiner = *made->joiner;
      ASSERT_EQ(joiner.hashes(), GetParam().hashes);
      const ValuedPairs expected = expected_pairs(joiner, joiner.sides());
      EXPECT_GT(expected.size(), 0U);
      ValuedPairs truth;
      std::vector<RowId> rows(joiner.sides().left.size());
      std::iota(rows.begin(), rows.end(), joiner.sides().left.begin);
      if (others == 0) {
        (void)joiner.find_truth(rows, 0, add_to(truth));
        EXPECT_EQ(truth, expected);
      }
      if (joiner.hashes()) continue;
      ValuedPairs pairs;
      (void)joiner.find_all({}, add_to(pairs));
      EXPECT_EQ(pairs, expected) << bound.second << ", others: " << others;
    }
  }
}

// Rows in any order, within one list or between two. Whether a hashed join misses a pair depends
// only on its two items.
TEST_P(EveryJoiner, FindsThePairsOfListedRowsByTheirPositions) {
  const auto made = items(60, 0, 5, kPairs, GetParam().bounds.back());
  const InMemoryJoiner& joiner = *made->joiner;
  std::vector<RowId> all(60);
  std::iota(all.begin(), all.end(), RowId{0});
  std::map<std::pair<RowId, RowId>, double> known;
  for (const auto& [left, right, value] : found(joiner, all, 0)) {
    known[{left, right}] = value;
    ASSERT_EQ(joiner.measure(left, right), value);
    ASSERT_EQ(joiner.value(left, right), value);
  }
  for (std::uint64_t draw = 0; draw < 6; ++draw) {
    std::vector<RowId> rows = all;
    for (std::size_t i = rows.size(); i-- > 1;)
      std::swap(rows[i], rows[random64(draw, i) % (i + 1)]);
    rows.resize(10 * draw);
    for (const std::size_t split : {std::size_t{0}, std::size_t{1}, rows.size() / 2}) {
      if (split >= rows.size() && split > 0) continue;
      ValuedPairs expected;
      for (RowId i = 0; i < (split == 0 ? rows.size() : split); ++i) {
        for (RowId j = split == 0 ? i + 1 : static_cast<RowId>(split); j < rows.size(); ++j) {
          const auto pair = known.find(std::minmax(rows[i], rows[j]));
          if (pair != known.end()) expected.emplace_back(i, j, pair->second);
        }
      }
      ASSERT_EQ(found(joiner, rows, split), expected) << draw << " " << split;
    }
  }
}

// The pairs depend neither on memory nor on the number of threads.
TEST_P(EveryJoiner, FindsTheSamePairsInAnyMemory) {
  const JoinCase& c = GetParam();
  const auto values = random_items(c.kind, 9, 300, c.size, c.alphabet);
  ValuedPairs pairs[3];
  const OptionTexts ways[] = {{{"threads", "1"}}, {{"memory", "64M"}}, {}};
  for (int way = 0; way < 3; ++way) {
    OptionTexts given = with(c.given, c.bounds.front());
    given.insert(given.end(), ways[way].begin(), ways[way].end());
    JoinedItems made(c.kind, kPairs, values, {}, given);
    made.prepare();
    std::vector<RowId> rows(300);
    std::iota(rows.begin(), rows.end(), RowId{0});
    pairs[way] = found(*made.joiner, rows, 0);
  }
  EXPECT_EQ(pairs[0], pairs[1]);
  EXPECT_EQ(pairs[0], pairs[2]);
}

// The `most` nearest right rows of each left row, sorted by rows; ties are broken by input order.
ValuedPairs nearest_pairs(const InMemoryJoiner& joiner, std::size_t most) {
  const bool is_similarity = joiner.bound().facts.is_similarity;
  const JoinSides sides = joiner.sides();
  ValuedPairs nearest;
  ValuedPairs of_left;
  for (RowId left = sides.left.begin; left < sides.left.end; ++left) {
    of_left.clear();
    for (RowId right = sides.right->begin; right < sides.right->end; ++right) {
      of_left.emplace_back(left, right, joiner.value(left, right));
    }
    std::stable_sort(of_left.begin(), of_left.end(), [&](const auto& a, const auto& b) {
      return is_similarity ? std::get<2>(a) > std::get<2>(b) : std::get<2>(a) < std::get<2>(b);
    });
    of_left.resize(std::min(of_left.size(), most));
    std::sort(of_left.begin(), of_left.end());
    nearest.insert(nearest.end(), of_left.begin(), of_left.end());
  }
  return nearest;
}

// --top alone: the nearest rows in OTHER for each of the run's own rows.
TEST_P(EveryJoiner, FindsTheNearestOfEachRow) {
  if (GetParam().hashes) return;
  for (const std::uint64_t most : {1U, 3U, 100U}) {
    const auto made = items(20, 40, most, kQuery, {"top", std::to_string(most)});
    InMemoryJoiner& joiner = *made->joiner;
    ASSERT_TRUE(joiner.is_nearest());
    ValuedPairs pairs;
    RowId last = 0;
    (void)joiner.find_nearest(most, [&](auto some) {
      for (const auto& pair : some) {
        ASSERT_GE(pair.left, last) << "one row after another";
        last = pair.left;
      }
      add_to(pairs)(some);
    });
    std::sort(pairs.begin(), pairs.end());
    ASSERT_EQ(pairs, nearest_pairs(joiner, most));
  }
}

// There are enough rows, and wide enough items, for many panels, blocks and tasks.
TEST_P(EveryJoiner, FindsThePairsAndTheNearestOfManyRows) {
  const JoinCase& c = GetParam();
  if (c.hashes || c.kind == "strings") return;
  const auto own = random_items(c.kind, 33, 400, 4 * c.size, c.alphabet);
  const auto others = random_items(c.kind, 34, 700, 4 * c.size, c.alphabet);
  for (const auto& bound : with(c.bounds, {"top", "5"})) {
    JoinedItems made(c.kind, kQuery, own, others, with(c.given, bound));
    InMemoryJoiner& joiner = *made.prepare().joiner;
    ValuedPairs pairs;
    ValuedPairs expected;
    if (bound.first != "top") {
      (void)joiner.find_all({}, add_to(pairs));
      expected = expected_pairs(joiner, joiner.sides());
    } else {
      (void)joiner.find_nearest(5, add_to(pairs));
      std::sort(pairs.begin(), pairs.end());
      expected = nearest_pairs(joiner, 5);
    }
    ASSERT_EQ(pairs.size(), expected.size()) << bound.second;
    ASSERT_TRUE(pairs == expected) << bound.second;
  }
}

// Rows that arrive one after another get the same hits as in the join of all rows, nearest first.
TEST_P(EveryJoiner, LooksUpRowsAsTheyCome) {
  const JoinCase& c = GetParam();
  if (c.hashes) return;
  const auto own = random_items(c.kind, 21, 30, c.size, c.alphabet);
  const auto others = random_items(c.kind, 21, 50, c.size, c.alphabet);  // own rows, and more
  for (const auto& bound : with(c.bounds, {"top", "4"})) {
    JoinedItems asked(c.kind, kQuery, own, others, with(c.given, bound));
    const auto lookup = asked.joiner->lookup(asked.pool, asked.hooks);
    const ItemRowSteps steps = lookup->steps();
    asked.prepare();
    const InMemoryJoiner& joiner = *asked.joiner;
    const IsNearer is_nearer{joiner.bound().facts.is_similarity};
    RowId begin = 0;
    for (const std::size_t batch : {1U, 7U, 22U}) {
      for (std::size_t i = begin; i < begin + batch; ++i) {
        const bool quoted = own[i][0] == '"';
        steps.add(quoted ? std::string_view(own[i]).substr(1, own[i].size() - 2) : own[i], "v");
        steps.end_row();
      }
      auto answers = std::vector<std::vector<ValuedPair>>{};
      (void)lookup->find(answers);
      ASSERT_EQ(answers.size(), batch);
      for (RowId i = 0; i < batch; ++i) {
        auto expected = std::vector<ValuedPair>{};
        for (RowId right = 0; right < others.size(); ++right) {
          const RowId left = joiner.sides().left.begin + begin + i;
          const bool nearest = bound.first == "top";
          const auto value =
              nearest ? std::optional(joiner.value(left, right)) : joiner.measure(left, right);
          if (value) expected.push_back({i, right, *value});
        }
        std::sort(expected.begin(), expected.end(), is_nearer);
        if (bound.first == "top") expected.resize(4);
        ASSERT_EQ(answers[i].size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
          ASSERT_EQ(answers[i][k].right, expected[k].right);
          ASSERT_EQ(answers[i][k].value, expected[k].value);
        }
      }
      begin += static_cast<RowId>(batch);
    }
  }
}

class EverySavedJoin : public EveryJoiner {
 protected:
  // Pairs of 50 rows, taken from the file or found anew; `joins` receives the number of joins.
  ValuedPairs find(JoinedItems& made, std::size_t split, std::size_t* joins = nullptr) const {
    std::vector<RowId> rows(50);
    std::iota(rows.rbegin(), rows.rend(), RowId{0});
    SavedPairs saved(file_.path, 1);
    if (joins != nullptr) *joins = saved.joins();
    SavedJoin join(*made.joiner, saved, made.pool, *made.places.scratch, std::uint64_t{1} << 20);
    ValuedPairs pairs;
    (void)join.find(rows, split, add_to(pairs));
    if (joins == nullptr) return pairs;
    EXPECT_EQ(pairs, found(*made.joiner, rows, split));
    return pairs;
  }

  OwnPath file_{"saved-join"};
};

TEST_P(EverySavedJoin, GiveTheSamePairsAgain) {
  const auto made = items(50, 0, 7, kPairs, GetParam().bounds.back());
  for (const std::size_t known : {0U, 1U}) {
    const std::size_t split = 20 * known;
    std::size_t joins = 0;
    const ValuedPairs pairs = find(*made, split, &joins);
    EXPECT_EQ(joins, known);
    EXPECT_EQ(find(*made, split, &joins), pairs);
    EXPECT_EQ(joins, known + 1);
  }
}

TEST_P(EverySavedJoin, AreRefusedForOtherItems) {
  const auto& bound = GetParam().bounds.back();
  const auto made = items(50, 0, 7, kPairs, bound);
  ASSERT_FALSE(find(*made, 0).empty());
  const auto other = items(50, 0, 8, kPairs, bound);
  EXPECT_THROW((void)find(*other, 0), Error);
}

// Only joining some rows again can show that pairs are missing.
TEST_P(EverySavedJoin, AreRefusedWherePairsAreMissing) {
  const auto& bounds = GetParam().bounds;
  if (bounds.size() == 1 || bounds.front().first == "threshold") return;
  const auto narrow = items(50, 0, 7, kPairs, bounds.front());
  const auto wide = items(50, 0, 7, kPairs, bounds.back());
  ASSERT_LT(find(*narrow, 25).size(),
            expected_pairs(*wide->joiner, {{0, 25}, RowRange{25, 50}}).size());
  EXPECT_THROW((void)find(*wide, 25), Error);
}

void PrintTo(const JoinCase& each, std::ostream* out) { *out << each.name; }

INSTANTIATE_TEST_SUITE_P(Cases, EverySavedJoin, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

INSTANTIATE_TEST_SUITE_P(Cases, EveryJoiner, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace sosie
