// Tests of the single-file page: what the data may contain, and its policy.
#include "write/offline_page.h"

#include <gtest/gtest.h>

#include "core/json_value.h"
#include "sosie/page_files.h"

namespace sosie {
namespace {

TEST(ScriptJson, CannotEndItsScript) {
  EXPECT_EQ(script_json(R"("</script><!--")"), R"("\u003c/script>\u003c!--")");
  EXPECT_EQ(script_json("\"a\u2028b\u2029c\x7f\u0085\""), R"("a\u2028b\u2029c\u007f\u0085")");
}

TEST(ScriptJson, ShowsWhatIsHidden) {
  EXPECT_EQ(script_json("\"\u202e\ufeff\U000e0041\""), R"("\u202e\ufeff\udb40\udc41")");
}

TEST(ScriptJson, IsTheSameValue) {
  const std::string json = "{\"<\":\"\u00e9\u202e \U0001f600 \U000e0041</script>\"}";
  const auto value = parse_json(json);
  const auto escaped = parse_json(script_json(json));
  ASSERT_TRUE(value && escaped);
  EXPECT_EQ(value->written(), escaped->written());
}

TEST(OfflinePage, AllowsItsOwnScriptAlone) {
  OfflinePage of;
  of.data = "{}";
  const std::string page = offline_page(of);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(page.find("unsafe"), std::string::npos);
  EXPECT_NE(page.find(page_files().script.bytes), std::string::npos);
  EXPECT_NE(page.find("<script type=\"application/json\" id=\"data\">{}</script>"),
            std::string::npos);
}

TEST(OfflinePage, EscapesAndCutsItsSummary) {
  OfflinePage of;
  of.title = of.heading = "<h>";
  of.inputs = {"<b>.csv", "2", "3"};
  of.command = "sosie '<x>'";
  of.counts = {{"<n>", "<v>"}};
  of.pairs = {{"<p>", {"<script>" + std::string(1000, 'i')}, {"right", "<f>.csv", 17}}};
  const std::string page = offline_page(of);
  const auto begin = page.find("<title>");
  std::string shown = page.substr(begin, page.find("<style>") - begin);
  const auto summary = page.find("<main>");
  shown += page.substr(summary, page.find("<script") - summary);
  for (const char* odd : {"<h>", "<b>", "<x>", "<n>", "<v>", "<script>", "<f>", "iiii</bdi>"}) {
    EXPECT_EQ(shown.find(odd), std::string::npos) << odd;
  }
  EXPECT_NE(shown.find("<title>Sosie: &lt;h&gt;: &lt;b&gt;.csv, 2 and 1 more</title>"),
            std::string::npos);
  EXPECT_NE(shown.find("<small><bdi>&lt;f&gt;.csv</bdi>, row 17</small>"), std::string::npos);
}

TEST(PageFiles, HaveHashesAsPoliciesNameThem) {
  for (const PageFile* file : {&page_files().start, &page_files().script, &page_files().style}) {
    EXPECT_TRUE(file->hash.starts_with("sha256-")) << file->hash;
    EXPECT_EQ(file->hash.size(), 7U + 44U) << file->hash;
    EXPECT_EQ(file->hash.back(), '=');
  }
}

}  // namespace
}  // namespace sosie
