#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "sosie/help.h"

namespace sosie {
namespace {

TEST(VerbHint, KnowsSlipsOtherToolsAndFiles) {
  EXPECT_EQ(verb_hint("dedpu"), "did you mean dedup?");
  EXPECT_EQ(verb_hint("search"), "here it is query");
  EXPECT_EQ(verb_hint("corpus.jsonl"), "a verb comes first: sosie dedup corpus.jsonl");
  EXPECT_NE(verb_hint("sing").find("the verbs are: dedup"), std::string::npos);
}

TEST(VerbHelp, ItsMostUsedOptionsAreOptionsOfTheVerb) {
  for (const Verb& verb : verb_table()) {
    std::string_view rest = help_of(verb).most_used;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(','));
      const OptionRow* row = find_option(name);
      ASSERT_NE(row, nullptr) << name;
      EXPECT_NE(row->verbs & verb.bit, 0U) << verb.name << " " << name;
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

}  // namespace
}  // namespace sosie
