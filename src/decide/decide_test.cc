// Tests of the decisions of whole runs on texts, compared with the definitions of clustering.
#include "decide/decide.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "join/sets/set_run_test.h"
#include "reference/components.h"
#include "reference/star.h"

namespace sosie {
namespace {

using Linked = std::set<std::pair<RowId, RowId>>;  // rows of the corpus, in both orders

// The pairs listed by a run of `pairs`.
Linked listed_pairs(const TestTexts& texts, const OptionTexts& given) {
  TextRun pairs(kPairs, texts, given);
  pairs.run->prepare();
  Linked linked;
  pairs.run->similar_rows("comparing")->for_each([&](std::span<const RowPair> some) {
    for (const RowPair& pair : some)
      linked.insert({{pair.left, pair.right}, {pair.right, pair.left}});
    return true;
  });
  return linked;
}

// Rows in the order in which clustering processes them.
std::vector<RowId> ranked_rows(const TestTexts& texts, const std::string& keep) {
  const std::size_t others = texts.against.size();
  std::vector<RowId> rows(others + texts.own.size());
  std::iota(rows.begin(), rows.end(), RowId{0});
  const auto own = rows.begin() + static_cast<std::ptrdiff_t>(others);
  if (keep == "last") std::reverse(own, rows.end());
  const auto size = [&](RowId row) { return texts.own[row - others].size(); };
  if (keep == "longest") {
    std::stable_sort(own, rows.end(), [&](RowId a, RowId b) { return size(a) > size(b); });
  }
  return rows;
}

// Survivor of each row by definition; the rows in `linked` are similar.
std::vector<RowId> expected_survivors(const std::vector<RowId>& ranked, std::size_t others,
                                      const Linked& linked, bool chain) {
  const auto similar = [&](std::size_t a, std::size_t b) {
    return (a >= others || b >= others) && linked.contains({ranked[a], ranked[b]});
  };
  const auto all = [](std::size_t, std::size_t) { return true; };
  std::vector<std::size_t> of_rank = chain ? reference::components(ranked.size(), similar)
                                           : reference::star(ranked.size(), all, similar, others);
  std::iota(of_rank.begin(), of_rank.begin() + static_cast<std::ptrdiff_t>(others), std::size_t{0});
  std::vector<RowId> survivors(ranked.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) survivors[ranked[i]] = ranked[of_rank[i]];
  return survivors;
}

std::string text_of(const TestTexts& texts, RowNumber row) {
  const std::size_t others = texts.against.size();
  return row < others ? texts.against[row] : texts.own[row - others];
}

// Checks each row's survivor, its similarity to the survivor, and whether their texts are the same.
void expect_decisions(const TestTexts& texts, const Decisions& decisions,
                      const std::vector<RowId>& survivors) {
  for (RowId row = 0; row < survivors.size(); ++row) {
    const Decision decision = decisions.of(row);
    RC_ASSERT(decision.survivor == survivors[row]);
    if (decision.survivor == row) continue;
    const std::string text = text_of(texts, row);
    const std::string kept = text_of(texts, decision.survivor);
    RC_ASSERT(decision.identical == (text == kept));
    if (decision.identical) continue;
    const Overlap overlap = decision.score.overlap();
    const Overlap expected = overlap_of(kept, text);
    RC_ASSERT(overlap.shared == expected.shared);
    RC_ASSERT(overlap.united == expected.united);
  }
}

RC_GTEST_PROP(Grouping, GroupsThePairsOfTheRunAsTheDefinitionDoes, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto size = *rc::gen::inRange<std::size_t>(0, 60);
  TestTexts texts{random_texts(seed, size)};
  if (*rc::gen::inRange(0, 3) == 0) texts.against = random_texts(seed, 12);
  const std::string method = *rc::gen::element<std::string>("brute", "exact", "lsh");
  const std::string clustering = *rc::gen::element<std::string>("star", "components");
  const std::string keep = *rc::gen::element<std::string>("first", "last", "longest");
  const std::string threshold = *rc::gen::element<std::string>("0.5", "2/3", "0.75", "1");
  OptionTexts given = {
      {"method", method}, {"threshold", threshold}, {"clustering", clustering}, {"keep", keep}};
  if (method == "lsh") given.emplace_back("bands", "3x2");

  const Linked linked = listed_pairs(texts, given);
  const std::vector<RowId> ranked = ranked_rows(texts, keep);
  const auto others = static_cast<RowId>(texts.against.size());
  for (RowId a = 0; a < ranked.size(); ++a) {
    for (RowId b = a + 1; b < ranked.size(); ++b) {
      if (others > 0 && (a >= others || b < others)) continue;
      const bool similar =
          are_similar(text_of(texts, a), text_of(texts, b), *parse_rational(threshold));
      RC_ASSERT((linked.contains({a, b}) ? similar : !similar || method == "lsh"));
    }
  }

  // With --against, another run is needed to list the pairs among the run's own rows.
  Linked own = linked;
  if (others > 0) {
    for (const auto& [a, b] : listed_pairs({texts.own}, given)) {
      own.emplace(a + others, b + others);
    }
  }
  TextRun dedup(kDedup, texts, given);
  dedup.run->prepare();
  const Decisions decisions = decide(*dedup.run, nullptr);
  expect_decisions(texts, decisions,
                   expected_survivors(ranked, others, own, clustering == "components"));
}

TEST(Grouping, TellsWhatItDecidedOnce) {
  TextRun dedup(kDedup, {{"aa bb cc", "aa bb cc dd", "xx"}}, {{"threshold", "0.6"}});
  dedup.run->prepare();
  int told = 0;
  DecisionObserver look;
  look.at_batch = [&](const Decisions& decisions, std::span<const RowNumber> rows) {
    ++told;
    EXPECT_TRUE(rows.empty());
    EXPECT_EQ(decisions.of(1).survivor, 0U);
  };
  (void)decide(*dedup.run, nullptr, look);
  EXPECT_EQ(told, 1);
}

TEST(Grouping, SaysWhatContainsRowsOfAgainst) {
  const TestTexts texts{{"aa bb cc dd", "aa bb cc dd", "aa", "xx yy"}, {"aa bb"}};
  const OptionTexts given = {{"measure", "containment"}, {"threshold", "1"}};
  TextRun dedup(kDedup, texts, given);
  dedup.run->prepare();
  const Decisions decisions = decide(*dedup.run, nullptr);
  // The short row is contained in OTHER's row; the long rows contain OTHER's row, and stay.
  EXPECT_EQ(decisions.of(3).survivor, 0U);
  EXPECT_EQ(decisions.of(1).survivor, 1U);
  ASSERT_EQ(dedup.messages.size(), 1U);
  EXPECT_TRUE(dedup.messages[0].starts_with("kept 2 rows that contain a row of --against"));

  OptionTexts quiet = given;
  quiet.emplace_back("quiet", "true");
  TextRun silent(kDedup, texts, quiet);
  silent.run->prepare();
  (void)decide(*silent.run, nullptr);
  EXPECT_TRUE(silent.messages.empty());
}

// Rows that do not fit in memory are decided batch by batch; a batch that is too large is decided
// in parts.
class SpilledRowsOf : public testing::TestWithParam<const char*> {};

TEST_P(SpilledRowsOf, AreDecidedAsInMemory) {
  TestTexts texts{random_texts(5, 1500, 12), random_texts(5, 40, 12)};
  for (std::size_t i = 0; i < 1200; ++i) {  // rows that share buckets
    std::string text = "aa bb cc dd ee ab ac ad";
    for (std::size_t bits = random64(3, i) % 64; bits > 0; bits /= 2) {
      text += std::string(" ") + static_cast<char>('a' + bits % 5) + "e";
    }
    texts.own.push_back(text);
  }
  OptionTexts given = {
      {"method", "lsh"}, {"bands", "16x2"}, {"threshold", "0.8"}, {"keep", GetParam()}};
  TextRun whole(kDedup, texts, given);
  whole.run->prepare();
  const Decisions expected = decide(*whole.run, nullptr);

  TextRun parts(kDedup, texts, given);
  parts.run->settings.memory_bytes = std::uint64_t{3} << 18;
  parts.run->may_spill = true;
  parts.run->prepare();
  ASSERT_TRUE(parts.run->is_spilled());
  std::uint64_t large_rows = 0;
  std::uint64_t large_groups = 0;
  DecisionObserver look;
  look.at_large = [&](const LargeComponent& large) {
    large_rows += large.rows;
    large_groups += large.largest.size();
    EXPECT_GE(large.rows, large.own_rows);
    EXPECT_LE(large.survivors, large.rows);
  };
  const Decisions found = decide(*parts.run, nullptr, look);
  EXPECT_GT(large_rows, 0U);
  EXPECT_GT(large_groups, 0U);

  for (RowId row = 0; row < parts.run->corpus.rows; ++row) {
    const Decision a = found.of(row);
    const Decision b = expected.of(row);
    ASSERT_EQ(a.survivor, b.survivor) << row;
    ASSERT_EQ(a.identical, b.identical) << row;
    ASSERT_EQ(a.score.overlap(), b.score.overlap()) << row;
    ASSERT_EQ(found.is_removed(row), expected.is_removed(row)) << row;
    ASSERT_EQ(found.group_rows(row), expected.group_rows(row)) << row;
  }
  RunSummary summaries[2];
  for (RunSummary& summary : summaries) {
    summary.inputs.push_back({.name = parts.run->inputs.list.back().group});
  }
  found.count(summaries[0], parts.run->pool);
  expected.count(summaries[1], parts.run->pool);
  EXPECT_EQ(summaries[0].groups, summaries[1].groups);
  EXPECT_EQ(summaries[0].total.kept, summaries[1].total.kept);
  EXPECT_EQ(summaries[0].total.near, summaries[1].total.near);
  EXPECT_EQ(summaries[0].against.removed, summaries[1].against.removed);
  EXPECT_EQ(found.group_rows(found.largest_group()), expected.group_rows(expected.largest_group()));
}

INSTANTIATE_TEST_SUITE_P(Keep, SpilledRowsOf, testing::Values("first", "last", "longest"));

}  // namespace
}  // namespace sosie
