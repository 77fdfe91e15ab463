// The outputs of dedup: which may be opened together, and that they appear together.
#include "report/dedup_outputs.h"

#include <gtest/gtest.h>

#include "join/sets/set_run_test.h"
#include "report/test_folder_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

class OutputsOfDedup : public testing::Test {
 protected:
  DedupOutputs open(const TestFiles& own, const OptionTexts& given) {
    test_ = std::make_unique<TestSetRun>("dedup", own, TestFiles{}, given);
    return open_outputs(
        {test_->options, test_->hooks, test_->run->inputs, test_->run->pool, "note"});
  }
  std::string refusal(const TestFiles& own, const OptionTexts& given) {
    try {
      (void)open(own, given);
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string folder = folder_ / "";
      for (std::size_t at; (at = text.find(folder)) != std::string::npos;)
        text.erase(at, folder.size());
      return text;
    }
    return {};
  }

  TestFolder folder_;
  std::unique_ptr<TestSetRun> test_;
};

const TestFiles kLines = {{"a.jsonl", "{\"text\": \"aa\"}\n"}};

TEST_F(OutputsOfDedup, AppearTogetherWhenTheyAreComplete) {
  OptionTexts given;
  for (const char* name : {"removed", "clusters", "pairs", "rejects"}) {
    given.emplace_back(name, folder_ / (std::string(name) + ".tsv"));
  }
  given.emplace_back("output", folder_ / "kept.jsonl");
  given.emplace_back("removed-rows", folder_ / "gone.jsonl");
  given.emplace_back("stats", folder_ / "stats.json");
  given.emplace_back("report", folder_ / "page.html");
  const DedupOutputs outputs = open(kLines, given);
  outputs.stats->write("{}");
  outputs.report->write("<p>");
  outputs.kept.file->write("row\n");
  for (const auto& [name, path] : given) EXPECT_FALSE(std::filesystem::exists(path)) << name;
  outputs.commit();
  EXPECT_EQ(content_of(folder_ / "kept.jsonl"), "row\n");
  EXPECT_EQ(content_of(folder_ / "gone.jsonl"), "");
  EXPECT_EQ(content_of(folder_ / "stats.json"), "{}");
  EXPECT_EQ(content_of(folder_ / "page.html"), "<p>");
  EXPECT_EQ(content_of(folder_ / "clusters.tsv"), "id\tcluster_id\tkept\tsize\n");
  EXPECT_EQ(content_of(folder_ / "pairs.tsv"), "#sosie note\nleft\tright\tsimilarity\n");
  EXPECT_TRUE(content_of(folder_ / "removed.tsv").starts_with("id\tkept_id\tsimilarity\t"));
  EXPECT_NE(content_of(folder_ / "rejects.tsv"), "");
}

TEST_F(OutputsOfDedup, AreOpenedWhereTheyWereAskedFor) {
  const DedupOutputs outputs = open(kLines, {{"dry-run", "true"}});
  EXPECT_EQ(outputs.kept.file, nullptr);
  EXPECT_EQ(outputs.kept.tree, nullptr);
  EXPECT_EQ(outputs.removed, nullptr);
  EXPECT_EQ(outputs.stats, nullptr);
  outputs.commit();
}

TEST_F(OutputsOfDedup, HoldRowsOfOneFormat) {
  const TestFiles mixed = {kLines[0], {"b.csv", "id,text\n1,aa\n"}};
  EXPECT_EQ(refusal(mixed, {{"output", folder_ / "out.jsonl"}}),
            "cannot write jsonl and csv rows into one output");
  EXPECT_EQ(refusal(mixed, {{"output", folder_ / "out/"}}), "");
  EXPECT_EQ(refusal(kLines, {{"output", folder_ / "out.csv"}}),
            "out.csv: kept rows are written as they came, and the input is jsonl");
  EXPECT_EQ(refusal(kLines, {{"dry-run", "true"}, {"removed-rows", folder_ / "gone.csv"}}),
            "gone.csv: removed rows are written as they came, and the input is jsonl");
  EXPECT_EQ(refusal(kLines, {{"output", folder_ / "out.ndjson"}}), "");
}

TEST_F(OutputsOfDedup, AreOneFileEach) {
  const std::string path = folder_ / "out.jsonl";
  EXPECT_EQ(refusal(kLines, {{"output", path}, {"removed-rows", path}}),
            "out.jsonl: named for two outputs");
  std::ofstream(path) << "{\"text\": \"aa\"}\n";
  Options options;
  set_option(options, "kind", "text");
  set_option(options, "output", path);
  options.inputs = {path};
  const RunHooks hooks;
  sosie::SetRun run("dedup", options, hooks);
  EXPECT_THROW((void)open_outputs({options, hooks, run.inputs, run.pool, ""}), Error);
}

TEST_F(OutputsOfDedup, KeepEncodingsApart) {
  const TestFiles files = {{"a.txt", "aa\n"}, {"b.txt", "bb\n"}};
  EXPECT_EQ(refusal(files, {{"output", folder_ / "out.txt"}}), "");
  const TestFiles marked = {{"a.txt", "aa\n"},
                            {"b.txt", std::string("\xFF\xFE"
                                                  "b\0\n\0",
                                                  6)},
                            {"c.txt", ""}};
  EXPECT_TRUE(refusal(marked, {{"output", folder_ / "out.txt"}}).starts_with("b.txt: is in "));
  EXPECT_EQ(refusal(marked, {{"output", folder_ / "out/"}}), "");
}

}  // namespace
}  // namespace sosie
