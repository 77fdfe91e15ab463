// Tests of the JSON writer: it writes the same bytes as the library that reads JSON.
#include "core/json_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace sosie {
namespace {

using Json = nlohmann::ordered_json;

// Some values of each type, as the writer writes them; expected() has the same values in the
// library's form.
std::string written(int indent) {
  JsonWriter json(indent);
  json.begin_object();
  json.members({{"count", 3U}, {"below", -3}, {"part", 0.1}, {"is_true", true}, {"none", nullptr}});
  json.member("text", std::string("a \"b\"\n\x01 \xC3\xA9"));
  json.list("empty", std::vector<double>{});
  json.list("numbers", std::vector<double>{1, 1e-7, 1e20});
  json.object("object", {{"c", "d"}});
  json.begin_object("empty object");
  json.end_object();
  json.begin_array("list");
  json.object({{"e", 1}, {"f", 2}});
  json.begin_array();
  json.value("g");
  json.end_array();
  json.end_array();
  json.end_object();
  return json.text();
}

Json expected() {
  return {{"count", 3U},
          {"below", -3},
          {"part", 0.1},
          {"is_true", true},
          {"none", nullptr},
          {"text", "a \"b\"\n\x01 \xC3\xA9"},
          {"empty", Json::array()},
          {"numbers", {1.0, 1e-7, 1e20}},
          {"object", {{"c", "d"}}},
          {"empty object", Json::object()},
          {"list", Json::array({{{"e", 1}, {"f", 2}}, Json::array({"g"})})}};
}

TEST(JsonWriter, WritesTheBytesThatTheLibraryWrites) {
  EXPECT_EQ(written(-1), expected().dump());
  EXPECT_EQ(written(1), expected().dump(1));
  EXPECT_EQ(written(2), expected().dump(2));
}

TEST(JsonWriter, WritesNullForNumbersThatAreNone) {
  JsonWriter json;
  json.begin_array();
  json.value(std::numeric_limits<double>::quiet_NaN());
  json.value(-std::numeric_limits<double>::infinity());
  json.end_array();
  EXPECT_EQ(json.text(), "[null,null]");
}

TEST(JsonWriter, TakesOverWhatIsWritten) {
  JsonWriter json;
  json.begin_object();
  json.written("a", R"({"b":[]})");
  json.begin_array("c");
  json.written("1e2");
  json.written("null");
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.text(), R"({"a":{"b":[]},"c":[1e2,null]})");
}

TEST(JsonWriter, WritesTheLargestAndTheSmallestIntegers) {
  JsonWriter json;
  json.object({{"most", std::numeric_limits<std::uint64_t>::max()},
               {"least", std::numeric_limits<std::int64_t>::min()}});
  EXPECT_EQ(json.text(), R"({"most":18446744073709551615,"least":-9223372036854775808})");
}

TEST(JsonWriter, ReplacesWhatIsNoUtf8) {
  JsonWriter json;
  json.object({{"a\xFF", "b\xC3"}});
  EXPECT_EQ(json.text(), "{\"a\xEF\xBF\xBD\":\"b\xEF\xBF\xBD\"}");
}

RC_GTEST_PROP(JsonWriter, WritesAnyTextAndNumberAsTheLibraryDoes,
              (std::string text, double number)) {
  JsonWriter json;
  json.object({{"text", text}, {"number", number}});
  const Json same = {{"text", text}, {"number", number}};
  RC_ASSERT(json.text() == same.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace
}  // namespace sosie
