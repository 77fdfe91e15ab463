#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "sosie/help.h"

namespace sosie {
namespace {

TEST(VerbHint, KnowsSlipsOtherToolsAndFiles) {
  EXPECT_EQ(verb_hint("dedpu"), "did you mean dedup?");
  EXPECT_EQ(verb_hint("search"), "use query");
  EXPECT_EQ(verb_hint("corpus.jsonl"), "the verb comes first: sosie dedup corpus.jsonl");
  EXPECT_NE(verb_hint("sing").find("the verbs are: dedup"), std::string::npos);
}

TEST(VerbHelp, ItsMostUsedOptionsAreOptionsOfTheVerb) {
  for (const Verb& verb : verb_table()) {
    std::string_view rest = help_of(verb).most_used;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(','));
      const OptionRow* row = find_option(name);
      ASSERT_NE(row, nullptr) << name;
      EXPECT_TRUE(has_any(row->verbs, verb.bit)) << verb.name << " " << name;
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    }
  }
}

TEST(VerbHelp, EveryVerbHasExamplesThatFitTheScreen) {
  constexpr std::size_t kWidth = 78;
  for (const Verb& verb : verb_table()) {
    std::string_view rest = help_of(verb).examples;
    EXPECT_FALSE(rest.empty()) << verb.name;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      EXPECT_LE(line.size(), kWidth) << line;
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
  }
}

std::string text_for(std::string_view verb, std::string_view option) {
  const auto verbs = verb_table();
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const Verb& each) { return each.name == verb; });
  return help_text(*find_option(option), *found);
}

TEST(HelpText, TellsAVerbNothingOfOthers) {
  EXPECT_EQ(text_for("dedup", "dry-run"), "do everything except write the kept rows");
  EXPECT_EQ(text_for("link", "dry-run"), "only count the candidates, with their cost");
  EXPECT_EQ(text_for("pairs", "against"),
            "also compare with this file, folder, pattern, sketches or indexes A,B");
  EXPECT_EQ(text_for("dedup", "against"),
            "also compare with this file, folder, pattern, sketches or indexes A,B; its rows win "
            "and are never written");
  EXPECT_EQ(text_for("index", "plan"),
            "use a plan saved by `sosie plan -o`; info: write the plan of the index");
  EXPECT_EQ(text_for("query", "other-encoding"), "encoding of INPUT");
  for (const Verb& verb : verb_table()) {
    for (const OptionRow& row : option_table()) {
      if (!has_any(row.verbs, verb.bit)) continue;
      const std::string text = help_text(row, verb);
      EXPECT_FALSE(text.empty()) << row.name;
      for (const Verb& other : verb_table()) {
        EXPECT_EQ(text.find(std::string(other.name) + ": "), std::string::npos) << text;
      }
    }
  }
}

TEST(HelpText, KeepsOtherColonsAndBrackets) {
  EXPECT_EQ(text_for("dedup", "within"), find_option("within")->help);
  EXPECT_EQ(text_for("dedup", "overwrite"), find_option("overwrite")->help);
}

}  // namespace
}  // namespace sosie
