// Tests of the table of pairs: names, shown fields, and the effects of --exclude-self and --limit.
#include "report/pair_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "join/items_test.h"
#include "join/sets/set_run_test.h"
#include "options/formats.h"
#include "report/test_folder_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// A run whose rows are pairs of any kind; a name occurs twice if a row of OTHER is also a row of
// the run.
struct Named {
  explicit Named(const std::vector<std::string>& names, const std::vector<std::string>& others)
      : test(kPairs, {{"own.jsonl", rows(names)}}, {{"other.jsonl", rows(others)}},
             {{"method", "brute"}}) {
    test.run->prepare();
  }
  static std::string rows(const std::vector<std::string>& names) {
    std::string lines;
    for (const std::string& name : names) {
      lines += fmt::format("{{\"id\": \"{}\", \"text\": \"t {}\", \"n\": {}}}\n", name, name,
                           name.size());
    }
    return lines;
  }

  // Columns and rows that a writer of `fields` produces from these pairs, some at a time.
  template <class Pairs>
  std::string table(const Pairs& pairs, const PairFields& fields, const OwnPairs* own = nullptr) {
    const TestFolder folder;
    const std::string path = folder / "t.tsv";
    std::vector<std::string> shown = fields.show;
    if (fields.compared) shown.emplace_back("compared");
    SetRun& run = *test.run;
    TableWriter out(path, table_format_of(path), pair_columns(shown, fields.facts.value_name()));
    PairWriter writer(run.inputs, run.corpus, fields, run.pool, &out, &found);
    if (own != nullptr) writer.leave_out_own(*own);
    for (const auto& pair : pairs) writer.add({&pair, 1});
    counts = writer.finish();
    out.commit();
    return content_of(path);
  }

  TestSetRun test;
  RowPairs found;
  PairCounts counts;
};

using Pair = ValuedPair;

TEST(PairTable, NamesBothRowsAndShowsTheirFields) {
  Named named({"a", "bb"}, {"xyz"});
  const std::vector<Pair> pairs = {{1, 0, 0.5}, {2, 0, 1}};
  PairFields fields{{"jaccard", "0.5"}, {"n", "text"}};
  fields.compared = [](RowNumber row) { return "c" + std::to_string(row); };
  EXPECT_EQ(named.table(pairs, fields),
            "left\tright\tsimilarity\tleft_n\tright_n\tleft_text\tright_text\tleft_compared\t"
            "right_compared\n"
            "a\txyz\t0.500000\t1\t3\tt a\tt xyz\tc1\tc0\n"
            "bb\txyz\t1.000000\t2\t3\tt bb\tt xyz\tc2\tc0\n");
  EXPECT_EQ(named.found.left, (std::vector<std::uint64_t>{0, 1})) << "numbers of the collection";
  EXPECT_EQ(named.found.right, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(named.found.similarity, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(named.counts.pairs, 2U);
  EXPECT_EQ(named.counts.lefts, 2U);
  EXPECT_EQ(named.table(pairs, {{"hamming", "1", false, true}}),
            "left\tright\tdistance\na\txyz\t0\nbb\txyz\t1\n");
}

// To leave out pairs of a row with itself, a run lists one more pair for each left row.
RC_GTEST_PROP(PairTable, LeavesOutPairsOfEqualNamesAndNoOthers, ()) {
  std::vector<std::string> names;
  std::vector<std::string> others;
  for (int i = 0; i < 12; ++i) names.push_back("n" + std::to_string(i));
  for (int i = 0; i < 12; ++i) others.push_back("n" + std::to_string(i + 6));
  Named named(names, others);
  const auto top = *rc::gen::inRange<std::uint64_t>(0, 4);
  std::vector<Pair> pairs;
  std::string expected = "left\tright\tsimilarity\n";
  std::uint64_t count = 0;
  std::uint64_t lefts = 0;
  for (RowId left = 0; left < 12; ++left) {
    std::uint64_t of_left = 0;
    std::uint64_t listed = 0;
    for (RowId right = 0; right < 12; ++right) {
      if (*rc::gen::inRange(0, 3) == 0) continue;
      if (top > 0 && listed++ == top + 1) break;
      pairs.push_back({left + 12, right, 0.25});
      if (names[left] == others[right] || (top > 0 && of_left == top)) continue;
      ++of_left;
      ++count;
      expected += fmt::format("{}\t{}\t0.250000\n", names[left], others[right]);
    }
    lefts += of_left > 0 ? 1 : 0;
  }
  const BoundFacts facts{"jaccard", "0.1"};
  Scratch scratch("/tmp");
  const auto limit = *rc::gen::element<std::uint64_t>(0, 1000);
  const OwnPairs own{{.top = top, .limit = limit}, facts, scratch};
  RC_ASSERT(named.table(pairs, {facts}, &own) == expected);
  RC_ASSERT(named.counts.pairs == count);
  RC_ASSERT(named.counts.lefts == lefts);
}

// Each thread formats some hundred lines.
TEST(PairTable, HasThePairsInTheirOrder) {
  std::vector<std::string> names;
  std::vector<std::string> others;
  for (int i = 0; i < 2000; ++i) {
    names.push_back("n" + std::to_string(i));
    others.push_back("m" + std::to_string(i * 7));
  }
  Named named(names, others);
  const BoundFacts facts{"jaccard", "0.1"};
  std::vector<Pair> pairs;
  std::string expected = "left\tright\tsimilarity\n";
  for (RowId row = 0; row < 2000; ++row) {
    pairs.push_back({row + 2000, row, 0.5});
    expected += fmt::format("{}\t{}\t0.500000\n", names[row], others[row]);
  }
  EXPECT_EQ(named.table(pairs, {facts}), expected);
}

// Names are looked up for many pairs at a time; the pairs of a row may extend over such a boundary.
TEST(PairTable, TakesMorePairsThanAreNamedTogether) {
  Named named({"a", "b"}, {"b", "x", "y"});
  const BoundFacts facts{"jaccard", "0.1"};
  Scratch scratch("/tmp");
  std::vector<Pair> pairs(40'000, Pair{3, 1, 0.5});  // (a, x)
  pairs.back() = {4, 0, 1};                          // (b, b)
  for (const std::uint64_t limit : {0U, 39'999U}) {
    const OwnPairs own{{.limit = limit}, facts, scratch};
    const std::string table = named.table(pairs, {facts}, &own);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 40'000);
    EXPECT_EQ(named.counts.lefts, 1U);
  }
  const OwnPairs top{{.top = 20'000}, facts, scratch};
  (void)named.table(pairs, {facts}, &top);
  EXPECT_EQ(named.counts.pairs, 20'000U);
  const OwnPairs few{{.limit = 39'998}, facts, scratch};
  EXPECT_THROW((void)named.table(pairs, {facts}, &few), Error);
}

}  // namespace
}  // namespace sosie
