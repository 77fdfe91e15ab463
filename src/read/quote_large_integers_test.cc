// Tests of JSON numbers, compared by their digits.
#include "read/quote_large_integers.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(JsonNumbers, AreTheTextOfTheMember) {
  constexpr std::string_view kRow =
      R"( {"a" : 1.50 , "b": {"c": [1, "]}", {"d": 2}], "c.d": 7e0}, "a\u0062": -0,)"
      R"("x\"y": "a \" , b", "a": 12345678901234567890123,"n":null})";
  using Texts = std::vector<std::string_view>;
  const auto value = [&](std::string_view path) { return json_values(kRow, path).at(0); };
  EXPECT_EQ(value("a"), "12345678901234567890123");  // the last one
  EXPECT_EQ(value("b.c"), R"([1, "]}", {"d": 2}])");
  EXPECT_EQ(value("b.c.d"), "7e0");
  EXPECT_EQ(value("ab"), "-0");
  EXPECT_EQ(value("x\"y"), R"("a \" , b")");
  EXPECT_EQ(value("b.c[0]"), "1");
  EXPECT_EQ(value("b.c[2].d"), "2");
  for (const char* path : {"n", "n.x", "c", "b.c[3]", "b.c[-1]", "b.c[x]", "b.c[", "a[]"}) {
    EXPECT_TRUE(json_values(kRow, path).empty()) << path;
  }
  EXPECT_EQ(json_values(kRow, "b.c[]"), (Texts{"1", R"("]}")", R"({"d": 2})"}));
  EXPECT_EQ(json_values(R"({"l": [ {"t": 1.0} ,{"t":null}, {}, null,{"t":"]"}]})", "l[].t"),
            (Texts{"1.0", R"("]")"}));
  EXPECT_TRUE(json_values("{}", "a").empty());
}

TEST(JsonNumbers, LargeIntegersBecomeStrings) {
  EXPECT_EQ(
      quote_large_integers(R"([18446744073709551615, 18446744073709551616,-9223372036854775808,)"
                           R"(-9223372036854775809, 1.5, 1e30, "99999999999999999999"])"),
      R"([18446744073709551615, "18446744073709551616",-9223372036854775808,)"
      R"("-9223372036854775809", 1.5, 1e30, "99999999999999999999"])");
}

TEST(JsonNumbers, ThoseBeyond64BitsAreReplaced) {
  EXPECT_EQ(with_numbers_in_64_bits(R"([18446744073709551615,18446744073709551616,1e400,"1e400",)"
                                    R"(-9223372036854775808, -9223372036854775809,1e30])"),
            R"([18446744073709551615,0.5,0.5,"1e400",-9223372036854775808, 0.5,1e30])");
  for (const char* broken : {"018446744073709551616", "-018446744073709551616", "01e400"}) {
    EXPECT_EQ(with_numbers_in_64_bits(broken), broken);
  }
}

TEST(JsonNumbers, WhatNoDoubleHoldsIsReplaced) {
  const std::string digits(400, '9');
  EXPECT_EQ(with_numbers_in_range(R"({"a": [1e400,-1E+999, 1e-400, 1.8e308], "1e400": "-1e400"})"),
            R"({"a": [0.5,0.5, 1e-400, 0.5], "1e400": "-1e400"})");
  EXPECT_EQ(with_numbers_in_range(digits + "," + digits + ".5 1.7e308"), "0.5,0.5 1.7e308");
  for (const char* broken : {"1e", "-", "1e400x", "\"1e400", "1e400e1", "--1e400", "01", "01e400",
                             "1.e400", "-.5e400", "-inf"}) {
    EXPECT_EQ(with_numbers_in_range(broken), broken);
  }
}

}  // namespace
}  // namespace sosie
