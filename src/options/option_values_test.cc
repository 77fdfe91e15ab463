// Tests of options that are given more than once in a command.
#include "sosie/option_values.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

using Values = std::vector<std::string>;

std::string refusal_of(std::string_view name, const Values& values) {
  Options options;
  try {
    set_option_values(options, name, values);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(OptionValues, ListsAddUp) {
  Options options;
  set_option_values(options, "ignore", Values{"a", "b,c", "a"});
  set_option_values(options, "show", Values{"name", "city"});
  set_option_values(options, "keep", Values{"longest", "first"});
  set_option_values(options, "filters", Values{"length", "prefix"});
  set_option_values(options, "construct", Values{"and:4", "or:4"});
  set_option_values(options, "against", Values{"x", "y"});
  EXPECT_EQ(options.ignore, "a,b,c");
  EXPECT_EQ(options.show, "name,city");
  EXPECT_EQ(options.keep, "longest,first");
  EXPECT_EQ(options.filters, "length,prefix");
  EXPECT_EQ(options.construct, "and:4,or:4");
  EXPECT_EQ(options.against, (Values{"x", "y"}));
  EXPECT_EQ(options.given.front(), std::pair(std::string("ignore"), std::string("a,b,c")));
}

TEST(OptionValues, AnyOtherOptionTakesOneValueAndNamesTwo) {
  for (const OptionRow& row : option_table()) {
    if (row.type != OptionType::integer) continue;
    EXPECT_EQ(refusal_of(row.name, {"1", "2"}),
              "--" + std::string(row.name) + ": accepts one value, not both 1 and 2");
  }
  EXPECT_EQ(refusal_of("where", {"a=1", "b=2"}),
            "--where: accepts one value, not both a=1 and b=2");
  EXPECT_EQ(refusal_of("id", {"1", "1.0"}), "--id: accepts one value, not both 1 and 1.0");
}

TEST(OptionValues, TheSameValueMayBeRepeated) {
  EXPECT_EQ(refusal_of("threshold", {"0.8", ".80", "4/5"}), "none");
  EXPECT_EQ(refusal_of("within", {"2", "2"}), "none");
  EXPECT_EQ(refusal_of("column", {"text", "text"}), "none");
}

TEST(OptionValues, EachValueIsChecked) {
  EXPECT_EQ(refusal_of("threshold", {"x", "0.8"}).substr(0, 21), "--threshold: 'x' is n");
  EXPECT_EQ(refusal_of("keep", {"first", "longest"}).substr(0, 30),
            "--keep: 'first,longest' is not");
}

}  // namespace
}  // namespace sosie
