// Tests of the outputs of dedup: which may be opened together, and that they appear together.
#include "report/dedup_outputs.h"

#include <gtest/gtest.h>

#include "join/items_test.h"
#include "join/sets/set_run_test.h"
#include "report/test_folder_test.h"
#include "sosie/error.h"
#include "sosie/join.h"

namespace sosie {
namespace {

class OutputsOfDedup : public testing::Test {
 protected:
  DedupOutputs open(const TestFiles& own, const OptionTexts& given) {
    test_ = std::make_unique<TestSetRun>(kDedup, own, TestFiles{}, given);
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
            "out.csv: kept rows keep their format, and the input is jsonl");
  EXPECT_EQ(refusal(kLines, {{"dry-run", "true"}, {"removed-rows", folder_ / "gone.csv"}}),
            "gone.csv: removed rows keep their format, and the input is jsonl");
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
  sosie::SetRun run(kDedup, options, hooks);
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

struct PageCase {
  const char* name;
  std::string kind;
  std::vector<std::string> values;  // JSON; the second is near the first, the third far
  OptionTexts given;
  std::vector<std::string> shown;      // on the page of --report
  std::vector<std::string> explained;  // lines of explain
};

const std::vector<PageCase> kCases = {
    {"Vectors",
     "vectors",
     {"[1, 2, 3, 4]", "[1, 2, 3, 9]", "[100, 100, 100, 100]"},
     {{"measure", "euclidean"}, {"within", "5"}},
     {"vectors", "distance"},
     {"Near-duplicates: distance 5.000000, within 5. Right is removed, left is kept.",
      "\ndistance     5.000000 euclidean\n"}},
    {"Bits",
     "bits",
     {"\"ff00\"", "\"ff01\"", "\"00ff\""},
     {{"measure", "hamming"}, {"within", "1"}},
     {"bit strings", "distance"},
     {"Near-duplicates: distance 1.000000, within 1. Right is removed, left is kept.",
      "\ndistance     1.000000 hamming\n"}},
    {"Strings",
     "strings",
     {"\"Katharina\"", "\"Katarina\"", "\"Bob\""},
     {{"measure", "levenshtein"}, {"within", "1"}},
     {"strings", "distance", "Katharina"},
     {"Near-duplicates: distance 1, within 1. Right is removed, left is kept.",
      "\nleft text    Katharina\n"}},
    {"Texts",
     "text",
     {"\"aa bb cc dd\"", "\"aa bb cc dd ee\"", "\"zz\""},
     {{"shingle", "words:1"}, {"threshold", "0.8"}},
     {"similarity", "words:1"},
     {"Near-duplicates: similarity 0.800000, threshold 0.8. Right is removed, left is kept.",
      "\nword by word 4 the same, {+1 only in right+}\n"}},
    {"Sets",
     "sets",
     {R"(["a", "b", "<i>"])", R"(["a", "b", "<i>", "d"])", R"(["z"])"},
     {{"threshold", "0.75"}},
     {"similarity"},
     {"Near-duplicates: similarity 0.750000, threshold 0.75. Right is removed, left is kept.",
      "\nonly right   + \"d\"\n"}}};

class EveryPage : public testing::TestWithParam<PageCase> {
 protected:
  Options options() {
    const PageCase& c = GetParam();
    Options made;
    for (const auto& [name, value] :
         OptionTexts{{"kind", c.kind}, {"column", "v"}, {"threads", "1"}}) {
      set_option(made, name, value);
    }
    for (const auto& [name, value] : c.given) set_option(made, name, value);
    const auto lines = std::make_shared<std::string>();
    for (std::size_t i = 0; i < c.values.size(); ++i) {
      *lines += "{\"id\": \"<b>" + std::to_string(i) + "\", \"title\": \"T&amp; \\\"" +
                std::to_string(i) + "\\\"\", \"v\": " + c.values[i] + "}\n";
    }
    made.memory_files["in&<.jsonl"] = memory_file_of({{lines->data(), lines->size()}}, lines);
    made.inputs = {"in&<.jsonl"};
    return made;
  }
  TestFolder folder_;
};

TEST_P(EveryPage, OfAReportTellsWhatWasRemovedAndEscapesTheData) {
  Options made = options();
  set_option(made, "dry-run", "true");
  set_option(made, "report", folder_ / "page.html");
  const RunReport report = dedup(made);
  EXPECT_EQ(report.removed, 1U);
  const std::string page = content_of(folder_ / "page.html");
  for (const std::string& text : GetParam().shown) EXPECT_NE(page.find(text), page.npos) << text;
  EXPECT_NE(page.find("&lt;b&gt;0"), page.npos);
  EXPECT_NE(page.find("&lt;b&gt;1"), page.npos);
  EXPECT_EQ(page.find("<b>0"), page.npos) << "an id is no markup";
  EXPECT_NE(page.find("in&amp;&lt;.jsonl"), page.npos);
  EXPECT_EQ(page.find("in&<.jsonl"), page.npos);
  EXPECT_EQ(page.find("<i>"), page.npos);
  EXPECT_NE(page.find("sosie dedup"), page.npos);
  if (GetParam().kind == "vectors" || GetParam().kind == "bits") {
    EXPECT_NE(page.find(R"("value":"T&amp; \"0)"), page.npos)
        << "fields stand for what has no text";
  }
}

TEST_P(EveryPage, OfExplainTellsWhatTheTwoAre) {
  const std::string page = explain(options(), "<b>0", "<b>1").summary;
  for (const std::string& text : GetParam().explained) {
    EXPECT_NE(page.find(text), page.npos) << text << "\n" << page;
  }
  const std::string apart = explain(options(), "<b>0", "<b>2").summary;
  EXPECT_TRUE(apart.starts_with("Not near-duplicates: ")) << apart;
  EXPECT_NE(apart.find("Both are kept."), apart.npos);
  EXPECT_THROW((void)explain(options(), "<b>0", "nobody"), Error);
}

TEST_P(EveryPage, OfExplainShowsItemsInFull) {
  Options made = options();
  set_option(made, "all", "true");
  const std::string page = explain(made, "<b>0", "<b>1").summary;
  EXPECT_NE(page.find("\nleft in full "), page.npos);
  EXPECT_NE(page.find("\nright in full "), page.npos);
  EXPECT_NE(page.find("none: this run does not hash such an item"), page.npos);
}

void PrintTo(const PageCase& each, std::ostream* out) { *out << each.name; }

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPage, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace sosie
