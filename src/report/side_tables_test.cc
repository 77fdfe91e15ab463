// Tests of the tables of removed rows and groups, and of the decisions passed to a caller.
#include "report/side_tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "decide/decide.h"
#include "join/sets/set_run_test.h"
#include "options/formats.h"
#include "report/annotations.h"
#include "report/test_folder_test.h"

namespace sosie {
namespace {

// A run of dedup with its decisions.
struct DecidedRows {
  DecidedRows(const TestTexts& given_texts, const OptionTexts& given)
      : texts(given_texts), test(kDedup, given_texts, given) {
    test.run->prepare();
    decisions.emplace(decide(*test.run, nullptr));
    names.emplace(run().inputs, run().corpus, std::vector<std::string>(), run().pool);
  }

  [[nodiscard]] SetRun& run() const { return *test.run; }
  [[nodiscard]] SideTableSource source() const {
    return {run().inputs,
            run().corpus,
            *run().scratch,
            run().settings.memory_bytes,
            [](RowNumber row, const Decision& decision) {
              return decision.is_same(row) ? 1 : decision.score.overlap().jaccard();
            },
            {"jaccard", "0.6"}};
  }
  template <class Write>
  [[nodiscard]] std::string table(const std::vector<std::string>& columns, const Write& write) {
    const TestFolder folder;
    const std::string path = folder / "t.tsv";
    TableWriter out(path, table_format_of(path), columns);
    write(source(), *decisions, *names, out);
    out.commit();
    return content_of(path);
  }
  [[nodiscard]] RowNumber others() const { return run().corpus.first_own_row; }
  [[nodiscard]] std::string id(RowNumber row) const {
    return row < others() ? fmt::format("o{}", row) : fmt::format("r{}", row - others());
  }

  const TestTexts& texts;
  TextRun test;
  std::optional<Decisions> decisions;
  std::optional<RowNames> names;
};

TestTexts random_collections() {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  TestTexts texts{random_texts(seed, 40)};
  if (*rc::gen::arbitrary<bool>()) texts.against = random_texts(seed, 9);
  return texts;
}

RC_GTEST_PROP(SideTables, ListWhatWasDecided, ()) {
  const TestTexts texts = random_collections();
  DecidedRows run(texts, {{"threshold", "0.6"}});
  const Decisions& decisions = *run.decisions;
  std::string removed =
      "id\tkept_id\tsimilarity\texact\tcluster_id\tfile\trow\tkept_file\tkept_row\n";
  std::map<RowNumber, std::vector<RowNumber>> groups;  // own members by survivor
  std::map<RowNumber, std::uint64_t> sizes;
  for (RowNumber row = 0; row < run.run().corpus.rows; ++row) {
    const Decision decision = decisions.of(row);
    const RowNumber survivor = decision.survivor;
    ++sizes[survivor];
    if (row < run.others()) continue;
    groups[survivor].push_back(row);
    if (survivor == row) continue;
    const bool of_other = survivor < run.others();
    removed += fmt::format(
        "{}\t{}\t{:.6f}\t{}\t{}\town.jsonl\t{}\t{}\t{}\n", run.id(row), run.id(survivor),
        decision.identical ? 1 : decision.score.overlap().jaccard(), decision.identical,
        run.id(survivor), row - run.others(), of_other ? "other.jsonl" : "own.jsonl",
        of_other ? survivor : survivor - run.others());
  }
  RC_ASSERT(run.table(removed_columns("similarity"), write_removed) == removed);

  std::string clusters = "id\tcluster_id\tkept\tsize\n";
  for (const auto& [survivor, members] : groups) {
    for (const RowNumber row : members) {
      if (sizes[survivor] < 2) continue;
      clusters += fmt::format("{}\t{}\t{}\t{}\n", run.id(row), run.id(survivor), row == survivor,
                              sizes[survivor]);
    }
  }
  RC_ASSERT(run.table(cluster_columns(), write_clusters) == clusters);
}

RC_GTEST_PROP(SideTables, ExportDecisionsByTheRowsOfTheRun, ()) {
  const TestTexts texts = random_collections();
  const DecidedRows run(texts, {{"threshold", "0.6"}});
  RowDecisions out;
  export_decisions(run.source(), *run.decisions, out);
  RC_ASSERT(out.survivor.size() == texts.own.size());
  RC_ASSERT(out.similarity.size() == texts.own.size());
  RC_ASSERT(out.identical.size() == texts.own.size());
  for (std::size_t i = 0; i < texts.own.size(); ++i) {
    const std::uint64_t survivor = out.survivor[i];
    const bool of_other = (survivor & RowDecisions::kAgainst) != 0;
    const std::uint64_t number = survivor & ~RowDecisions::kAgainst;
    const std::string& kept = of_other ? texts.against.at(number) : texts.own.at(number);
    RC_ASSERT(out.identical[i] == (texts.own[i] == kept && (of_other || number != i)));
    if (texts.own[i].empty()) continue;
    RC_ASSERT(out.similarity[i] == overlap_of(kept, texts.own[i]).jaccard());
  }
}

// Covers decisions by a person, and rows that were left out.
TEST(SideTables, SayWhereNobodyIsKept) {
  const TestTexts texts{{"aa", "bb", "cc"}};
  DecidedRows run(texts, {});
  std::vector<RowDecision> of_row(3);
  for (RowId row = 0; row < 3; ++row) of_row[row].survivor = row == 1 ? kNoRow : row;
  run.run().corpus.blocks[0].states[2] = RowState::skipped;
  run.decisions.emplace(run.run().inputs, run.run().corpus, of_row);
  EXPECT_EQ(run.table(removed_columns("similarity"), write_removed),
            "id\tkept_id\tsimilarity\texact\tcluster_id\tfile\trow\tkept_file\tkept_row\n"
            "r1\t\t0.000000\tfalse\t\town.jsonl\t1\t\t\n");
  RowDecisions out;
  export_decisions(run.source(), *run.decisions, out);
  EXPECT_EQ(out.survivor,
            (std::vector<std::uint64_t>{0, RowDecisions::kNobody, RowDecisions::kLeftOut}));
  EXPECT_EQ(run.table(cluster_columns(), write_clusters), "id\tcluster_id\tkept\tsize\n");
  const SetRun& set_run = run.run();
  Annotations annotations(set_run.inputs, set_run.corpus,
                          decision_fields(set_run.inputs, set_run.corpus, *run.decisions));
  std::string row = "{}\n";
  annotations.add_to(run.run().corpus.locator(1), 1, row);
  EXPECT_EQ(row, "{\"duplicate_of\": null, \"cluster_size\": 1}\n");
}

// Rows with the fields of --annotate, in each format that has fields.
class Annotated : public testing::Test {
 protected:
  static std::string rows(const std::string& path, const std::string& content) {
    TestSetRun test(kDedup, {{path, content}}, {},
                    {{"threshold", "0.6"}, {"on-bad-row", "keep"}, {"quiet", "true"}});
    auto& run = *test.run;
    run.prepare();
    const Decisions decisions = decide(run, nullptr);
    Annotations annotations(run.inputs, run.corpus,
                            decision_fields(run.inputs, run.corpus, decisions));
    return written_by([&](OutputFile& out) {
      write_kept_rows(
          {run.inputs, run.corpus, run.pool, run.hooks}, [](RowNumber) { return true; },
          annotations.edits(), out);
    });
  }
  static std::string refusal(const std::string& path, const std::string& content) {
    try {
      (void)rows(path, content);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(Annotated, HaveTwoMoreFieldsBeforeTheirLineEnds) {
  EXPECT_EQ(rows("in.jsonl",
                 "{\"id\": \"x\", \"text\": \"aa bb\"}\r\n{\"id\": 7, \"text\": \"aa bb\"}\n"
                 "{\"id\": 9, \"text\": \"cc\"}"),
            "{\"id\": \"x\", \"text\": \"aa bb\", \"duplicate_of\": null, \"cluster_size\": 2}\r\n"
            "{\"id\": 7, \"text\": \"aa bb\", \"duplicate_of\": \"x\", \"cluster_size\": 2}\n"
            "{\"id\": 9, \"text\": \"cc\", \"duplicate_of\": null, \"cluster_size\": 1}");
  EXPECT_EQ(rows("in.csv", "id,text\n\"a,\"\"b\",aa\n2,aa\n3,bb\n"),
            "id,text,duplicate_of,cluster_size\n\"a,\"\"b\",aa,,2\n2,aa,\"a,\"\"b\",2\n3,bb,,1\n");
  EXPECT_EQ(rows("in.tsv", "id\ttext\n1\taa\n2\taa\n"),
            "id\ttext\tduplicate_of\tcluster_size\n1\taa\t\t2\n2\taa\t1\t2\n");
}

TEST_F(Annotated, LeaveBadRowsAsTheyAre) {
  EXPECT_EQ(rows("in.jsonl", "{\"id\": 1, \"text\": \"aa\"}\n{\"id\": 2, \"text\": oops\n"),
            "{\"id\": 1, \"text\": \"aa\", \"duplicate_of\": null, \"cluster_size\": 1}\n"
            "{\"id\": 2, \"text\": oops\n");
}

TEST_F(Annotated, AreRefusedWhereAFieldOfThatNameIsThere) {
  EXPECT_EQ(refusal("in.jsonl",
                    "{\"id\": 1, \"text\": \"aa\"}\n{\"id\": 2, \"text\": \"b\", "
                    "\"cluster_size\": 1}\n"),
            "in.jsonl:2: --annotate: field 'cluster_size' exists already");
  EXPECT_NE(refusal("in.csv", "id,text,duplicate_of\n1,aa,\n"), "");
}

TEST_F(Annotated, AreRefusedForRowsWithoutFields) {
  TestSetRun lines(kDedup, {{"in.txt", "aa\n"}}, {}, {});
  EXPECT_THROW(check_annotate(lines.run->inputs, decision_field_names()), std::exception);
  TestSetRun objects(kDedup, {{"in.jsonl", "{\"text\": \"aa\"}\n"}}, {}, {});
  EXPECT_NO_THROW(check_annotate(objects.run->inputs, decision_field_names()));
}

}  // namespace
}  // namespace sosie
