// Whole pages of --report and of explain, of items of each kind, made by the verbs.
#include <gtest/gtest.h>

#include "join/items_test.h"
#include "report/test_folder_test.h"
#include "sosie/error.h"
#include "sosie/join.h"

namespace sosie {
namespace {

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
    EXPECT_NE(page.find("T&amp;amp;"), page.npos) << "fields stand for what has no text";
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
