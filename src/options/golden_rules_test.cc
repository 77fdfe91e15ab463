// Tests parsing and formatting the rules of --golden.
#include "options/golden_rules.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

using By = GoldenRule::By;

TEST(GoldenRules, NameAFieldAndARule) {
  const auto rule = parse_golden("name=longest");
  ASSERT_TRUE(rule.has_value());
  EXPECT_EQ(rule->field, "name");
  EXPECT_EQ(rule->by, By::longest);
  EXPECT_EQ(parse_golden("a=most-frequent")->by, By::most_frequent);
  EXPECT_TRUE(parse_golden("a=newest")->other.empty());
}

TEST(GoldenRules, TakeAnotherFieldOrSources) {
  EXPECT_EQ(parse_golden("phone=newest:seen at")->other, "seen at");
  const auto files = parse_golden("phone=source:crm.csv|web.csv");
  ASSERT_TRUE(files.has_value());
  EXPECT_TRUE(files->other.empty());
  EXPECT_EQ(files->sources, (std::vector<std::string>{"crm.csv", "web.csv"}));
  const auto values = parse_golden("phone=source:system=crm|web");
  ASSERT_TRUE(values.has_value());
  EXPECT_EQ(values->other, "system");
  EXPECT_EQ(values->sources, (std::vector<std::string>{"crm", "web"}));
}

TEST(GoldenRules, ABackslashMakesAnEqualsSignAPartOfTheName) {
  const auto rule = parse_golden("a\\=b=first");
  ASSERT_TRUE(rule.has_value());
  EXPECT_EQ(rule->field, "a=b");
}

TEST(GoldenRules, RefuseWhatIsNoRule) {
  for (const char* text :
       {"", "name", "=first", "name=", "name=best", "name=first:x", "name=newest:", "name=source",
        "name=source:", "name=source:a||b", "name=source:a=", "name=longest:"}) {
    EXPECT_FALSE(parse_golden(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace sosie
