// Tests that candidates are counted and scored in the same way for any number of threads and any
// memory for kept pairs.
#include "join/records/score_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <tuple>

#include "core/mix64.h"
#include "corpus/items/value_numbers.h"

namespace sosie {
namespace {

constexpr std::uint32_t kLefts = 600;
constexpr std::uint32_t kRights = 500;

LinkRules three_fields() {
  LinkRules rules;
  const auto add = [&](const std::string& name, FieldMeasure measure, std::vector<double> bounds) {
    LinkField& field = rules.fields.emplace_back();
    field.name = name;
    field.comparison = {measure, std::move(bounds)};
    field.is_compared = true;
  };
  add("name", FieldMeasure::jaro_winkler, {0.92, 0.8});
  add("born", FieldMeasure::damerau, {1, 2});
  add("city", FieldMeasure::cosine, {0.5});
  return rules;
}

// Records with few distinct values, so many agree; some values are missing.
RecordTable table_of_records() {
  const std::vector<std::string> syllables = {"ka", "ri", "lo", "men", "ta"};
  RecordTable table;
  table.left = kLefts;
  table.right = kRights;
  table.across = true;
  table.columns.resize(3);
  for (std::size_t f = 0; f < table.columns.size(); ++f) {
    ValueNumbers numbers(table.columns[f]);
    for (std::uint32_t record = 0; record < table.size(); ++record) {
      const std::uint64_t random = mix64(record * 3 + f);
      std::string text;
      for (std::uint64_t i = 0; i < random % 4; ++i) {
        text += f == 1 ? std::to_string(mix64(random + i) % 100)
                       : syllables[mix64(random + i) % syllables.size()];
      }
      numbers.add(text);
    }
  }
  return table;
}

// Two rules, each of which finds some pairs.
CandidateUnion some_candidates() {
  const auto each = [](std::uint64_t step) {
    return [step](std::uint32_t record, std::vector<std::uint32_t>& partners) {
      for (std::uint64_t i = mix64(record + step) % step; i < kRights; i += step) {
        partners.push_back(kLefts + static_cast<std::uint32_t>(i));
      }
    };
  };
  return CandidateUnion({each(7), each(31)});
}

MatchModel model_of(const std::vector<std::uint32_t>& levels) {
  std::vector<PairClass> classes = {{true, 0.02, {}}, {false, 0.98, {}}};
  for (const std::uint32_t count : levels) {
    classes[0].levels.emplace_back(count, 0.1).back() = 0.7;
    classes[1].levels.emplace_back(count, 0.2).back() = 0.05;
  }
  return MatchModel(classes);
}

using ScoredRow = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, double, double>;

std::vector<ScoredRow> rows_of(const std::vector<CandidateLink>& links) {
  std::vector<ScoredRow> rows;
  for (const CandidateLink& link : links) {
    rows.emplace_back(link.link.left, link.link.right, link.rules, link.link.score,
                      link.link.probability);
  }
  return rows;
}

std::uint64_t pairs_in(const CandidateCounts& counts) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) pairs += counts.patterns.count(i);
  return pairs;
}

class RecordScoring : public testing::Test {
 protected:
  RecordTable table_ = table_of_records();
  LinkRules rules_ = three_fields();
  ThreadPool pool_{2, nullptr};
  RecordComparer comparer_{table_, rules_, pool_};
  CandidateUnion candidates_ = some_candidates();
  RecordPairs pairs_{table_, candidates_, comparer_};
};

TEST_F(RecordScoring, PatternsOfManyAreThoseOfPairs) {
  CandidateUnion::Buffers buffers;
  std::vector<std::uint8_t> levels;
  for (std::uint32_t left = 0; left < kLefts; ++left) {
    const auto partners = candidates_.of(left, buffers);
    comparer_.compare(left, partners, levels);
    const std::size_t fields = comparer_.fields();
    ASSERT_EQ(levels.size(), fields * partners.size());
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const auto of_pair = std::span(levels).subspan(i * fields, fields);
      const auto alone = comparer_.levels(left, partners[i].partner);
      ASSERT_TRUE(std::equal(of_pair.begin(), of_pair.end(), alone.begin()));
    }
  }
}

TEST_F(RecordScoring, CountsAndLinksDoNotDependOnThreadsOrMemory) {
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;
  const MatchModel model = model_of(comparer_.level_counts());
  // Limits above and below the probability of pairs that differ in nearly all fields, which are not
  // kept.
  for (const double least : {0.5, 1e-9}) {
    std::vector<ScoredRow> expected;
    for (const unsigned threads : {1U, 2U, 7U}) {
      for (const PairKeeping keeping : {PairKeeping{false, 0}, PairKeeping{true, 5000},
                                        PairKeeping{false, kPlenty}, PairKeeping{true, kPlenty}}) {
        ThreadPool pool(threads, nullptr);
        const CandidateCounts counts = count_candidates(pairs_, keeping, pool);
        EXPECT_EQ(counts.kept.is_complete, keeping.bytes == kPlenty);
        EXPECT_EQ(counts.kept.are_all, keeping.all && keeping.bytes == kPlenty);
        EXPECT_EQ(counts.pairs, pairs_in(counts));
        std::uint64_t most = 0;
        const auto rows = rows_of(score_candidates(pairs_, counts, model, least, pool,
                                                   [&](std::uint64_t pairs) { most = pairs; }));
        ASSERT_LE(rows.size(), most);
        ASSERT_FALSE(rows.empty());
        EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
        if (expected.empty()) expected = rows;
        EXPECT_EQ(rows, expected);
      }
    }
  }
}

TEST_F(RecordScoring, KeptPairsAreFoundWithTheirLevelsAndSimilarities) {
  ThreadPool pool(2, nullptr);
  CandidateCounts counts = count_candidates(pairs_, {true, std::uint64_t{1} << 30}, pool);
  keep_similarities(pairs_, counts, pool);
  ASSERT_FALSE(counts.kept.pairs.empty());
  std::size_t found = 0;
  std::vector<float> expected(comparer_.graded().size());
  for (std::uint32_t left = 0; left < kLefts; ++left) {
    for (std::uint32_t right = kLefts; right < kLefts + kRights; ++right) {
      const PatternPair* const kept = counts.find({left, right});
      if (kept == nullptr) continue;
      ++found;
      ASSERT_EQ(RecordPair({kept->left, kept->right}), RecordPair({left, right}));
      const auto levels = comparer_.levels(left, right);
      const auto pattern = counts.patterns[kept->pattern];
      ASSERT_TRUE(std::equal(pattern.begin(), pattern.end(), levels.begin()));
      comparer_.similarities(levels, {left, right}, expected);
      const auto similarities = counts.similarities_of(*kept);
      ASSERT_TRUE(std::equal(similarities.begin(), similarities.end(), expected.begin()));
    }
  }
  EXPECT_EQ(found, counts.kept.pairs.size());
  EXPECT_EQ(counts.find({kLefts + kRights, 0}), nullptr);
}

// A record's only partner is the one in its likelier pair.
TEST(LetCompete, OddsAreDividedByThoseOfRivals) {
  const MatchModel model = model_of({3});
  std::vector<CandidateLink> links;
  for (const auto& [left, right, bits] : {std::tuple{0U, 2U, 9.0}, {0U, 3U, 7.0}, {1U, 3U, 5.0}}) {
    links.push_back({{left, right, bits, 0}, 1});
  }
  const auto odds = [&](double bits) { return model.odds_at(bits); };
  let_compete(links, model, {true, false}, 4);
  EXPECT_NEAR(links[0].link.probability, odds(9) / (1 + odds(9) + odds(7)), 1e-12);
  EXPECT_NEAR(links[2].link.probability, odds(5) / (1 + odds(5)), 1e-12);
  let_compete(links, model, {true, true}, 4);
  EXPECT_NEAR(links[1].link.probability, odds(7) / (1 + odds(9) + odds(7)), 1e-12);
  EXPECT_NEAR(links[2].link.probability, odds(5) / (1 + odds(7) + odds(5)), 1e-12);
}

// Given names and surnames of records, and the levels of the two fields when each is compared with
// the other.
struct Named {
  std::string given;
  std::string surname;
};

std::vector<std::uint8_t> crosswise_levels(const Named& left, const Named& right) {
  LinkRules rules;
  for (const std::string name : {"given", "surname"}) {
    LinkField& field = rules.fields.emplace_back();
    field.name = name;
    field.comparison = {FieldMeasure::jaro_winkler, {0.92, 0.82, 0.7}};
  }
  rules.fields[0].crosswise = "surname";
  RecordTable table;
  table.left = 2;
  table.columns.resize(2);
  for (std::size_t f = 0; f < 2; ++f) {
    ValueNumbers numbers(table.columns[f]);
    for (const Named& record : {left, right}) numbers.add(f == 0 ? record.given : record.surname);
  }
  ThreadPool pool(2, nullptr);
  const RecordComparer comparer(table, rules, pool);
  const CandidatePartner partner{1, 1};
  std::vector<std::uint8_t> levels;
  comparer.compare(0, std::span(&partner, 1), levels);
  EXPECT_EQ(levels, comparer.levels(0, 1));
  return levels;
}

TEST(Crosswise, ValuesInTheOtherFieldAgreeBelowEqual) {
  using Levels = std::vector<std::uint8_t>;
  EXPECT_EQ(crosswise_levels({"anna", "schmidt"}, {"anna", "schmidt"}), (Levels{5, 5}));
  EXPECT_EQ(crosswise_levels({"anna", "schmidt"}, {"schmidt", "anna"}), (Levels{4, 4}));
  EXPECT_EQ(crosswise_levels({"anna", "schmidt"}, {"schmitt", "anna"}), (Levels{4, 4}));
  EXPECT_EQ(crosswise_levels({"anna", "schmidt"}, {"schmidt", ""}), (Levels{1, 0}));
  EXPECT_EQ(crosswise_levels({"anna", "schmidt"}, {"schmidt", "bert"}), (Levels{1, 1}));
  // Two nearly equal names do not match better when swapped.
  EXPECT_EQ(crosswise_levels({"marta", "martan"}, {"marta", "marten"}), (Levels{5, 4}));
}

TEST_F(RecordScoring, RulesAreCountedTogetherAndAlone) {
  ThreadPool pool(2, nullptr);
  const CandidateCounts counts = count_candidates(pairs_, {}, pool);
  ASSERT_EQ(counts.of_rule.size(), 2U);
  const std::uint64_t both = counts.of_rule[0] - counts.only_rule[0];
  EXPECT_EQ(counts.of_rule[1] - counts.only_rule[1], both);
  EXPECT_GT(both, 0U);
  EXPECT_EQ(counts.pairs, counts.only_rule[0] + counts.only_rule[1] + both);
}

}  // namespace
}  // namespace sosie
