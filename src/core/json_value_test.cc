// Tests of values read from JSON.
#include "core/json_value.h"

#include <gtest/gtest.h>

#include "core/json_writer.h"

namespace sosie {
namespace {

std::string rewritten(std::string_view text) {
  const auto value = parse_json(text);
  return value ? value->written() : "none";
}

JsonFault fault_of(std::string_view text) {
  JsonFault fault;
  EXPECT_FALSE(parse_json(text, &fault)) << text;
  return fault;
}

TEST(JsonValue, IsWrittenAsItWasRead) {
  for (const char* text :
       {"null", "true", "-1", "18446744073709551615", "-9223372036854775808", "0.5", R"("a\n\"é")",
        "[]", "{}", R"([1,[2,{"b":null}],"c"])", R"({"z":{"y":[]},"a":false})"}) {
    EXPECT_EQ(rewritten(text), text);
  }
  EXPECT_EQ(rewritten(" { \"a\" : 1.50 } "), R"({"a":1.5})");
  JsonWriter json(1);
  parse_json(R"({"a":[1]})")->write_to(json);
  EXPECT_EQ(json.text(), "{\n \"a\": [\n  1\n ]\n}");
}

TEST(JsonValue, TellsWhatItIs) {
  const auto value =
      parse_json(R"({"n":7,"i":-7,"r":7.5,"t":"x","b":true,"l":[1],"o":{},"z":null})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->find("n")->natural(), 7U);
  EXPECT_FALSE(value->find("i")->is_natural());
  EXPECT_EQ(value->find("i")->number(), -7);
  EXPECT_EQ(value->find("n")->number(), 7);
  EXPECT_EQ(value->find("r")->number(), 7.5);
  EXPECT_FALSE(value->find("t")->is_number());
  EXPECT_TRUE(value->find("t")->is("x"));
  EXPECT_FALSE(value->find("n")->is("7"));
  EXPECT_TRUE(value->find("b")->is_true());
  EXPECT_FALSE(value->find("z")->is_true());
  EXPECT_TRUE(value->find("z")->is_null());
  EXPECT_EQ(value->find("l")->list().size(), 1U);
  EXPECT_TRUE(value->find("o")->members().empty());
  EXPECT_EQ(value->find("none"), nullptr);
  EXPECT_EQ(value->find("t")->find("x"), nullptr);
}

TEST(JsonValue, LastOfEqualNamesCounts) {
  JsonFault fault;
  EXPECT_EQ(parse_json(R"({"b":1,"a":2,"b":3,"c":4,"b":5})", &fault)->written(),
            R"({"b":5,"a":2,"c":4})");
  EXPECT_EQ(fault.repeated, "b");
  EXPECT_TRUE(parse_json(R"([{"a":1},{"a":1}])", &fault));
  EXPECT_EQ(fault.repeated, "");
}

TEST(JsonValue, FaultsAreTold) {
  EXPECT_EQ(fault_of("{\"a\":\n x}").byte, 8U);
  EXPECT_EQ(fault_of("").kind, JsonFault::Kind::broken);
  EXPECT_EQ(fault_of(std::string_view("1\0", 2)).byte, 2U);
  EXPECT_EQ(fault_of("[1e400]").kind, JsonFault::Kind::large_number);
  for (const char* text :
       {"{", "[1,]", "{\"a\"}", "'a'", "01", "\"\xFF\"", R"("\ud800")", "nul", "1 2"}) {
    EXPECT_EQ(fault_of(text).kind, JsonFault::Kind::broken) << text;
    EXPECT_FALSE(is_json(text)) << text;
  }
  EXPECT_FALSE(is_json(std::string_view("1\0", 2)));
}

TEST(JsonValue, DepthHasABound) {
  const auto nested = [](int depth) {
    const auto levels = static_cast<std::size_t>(depth);
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(rewritten(nested(kMostNested)), nested(kMostNested));
  EXPECT_EQ(fault_of(nested(kMostNested + 1)).kind, JsonFault::Kind::deep);
  EXPECT_TRUE(is_json(nested(1'000'000)));
  EXPECT_EQ(fault_of(std::string(1'000'000, '[')).kind, JsonFault::Kind::deep);
}

}  // namespace
}  // namespace sosie
