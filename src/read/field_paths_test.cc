// Tests of field names in options, and of paths into JSON rows.
#include "read/field_paths.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/padded_bytes.h"
#include "read/row_parsers.h"

namespace sosie {
namespace {

using Names = std::vector<std::string>;

TEST(FieldPaths, AreCutAtCommasAndBarsWithoutABackslash) {
  EXPECT_EQ(joined_names("title|name,text|content"), (Names{"title|name", "text|content"}));
  EXPECT_EQ(field_paths("title|name"), (Names{"title", "name"}));
  EXPECT_EQ(joined_names(R"(a\,b,c\|d)"), (Names{R"(a\,b)", R"(c\|d)"}));
  EXPECT_EQ(field_paths(R"(a\,b|c\|d|e\\)"), (Names{"a,b", "c|d", "e\\"}));
  EXPECT_EQ(joined_names(R"(a\\,b)"), (Names{R"(a\\)", "b"}));
  EXPECT_EQ(field_paths(R"(a\b\)"), (Names{R"(a\b\)"}));
  EXPECT_EQ(joined_names(""), (Names{""}));
  EXPECT_EQ(joined_names(",a,"), (Names{"", "a", ""}));
  EXPECT_EQ(all_field_paths(""), Names{});
  EXPECT_EQ(all_field_paths("a|b"), (Names{"a|b", "a", "b", "a|b"}));
}

TEST(FieldPaths, PathsLieInTheColumnsThatTheyBeginWith) {
  EXPECT_TRUE(lies_in("a.b[].c", "a"));
  EXPECT_TRUE(lies_in("a[0]", "a"));
  EXPECT_TRUE(lies_in("a.b[].c", "a.b"));
  EXPECT_TRUE(lies_in("a", "a"));
  EXPECT_FALSE(lies_in("ab", "a"));
  EXPECT_FALSE(lies_in("a", "a.b"));
  EXPECT_TRUE(is_plain_name("a b-c"));
  for (const char* name : {"a,b", "a|b", "a.b", "a[]", R"(a\b)"}) EXPECT_FALSE(is_plain_name(name));
}

TEST(FieldPaths, AllThatAreMissingAreNamed) {
  EXPECT_EQ(told_missing("a"), "field 'a' is missing");
  EXPECT_EQ(told_missing("a|b"), "field 'a' is missing, and so is 'b'");
  EXPECT_EQ(told_missing("a|b|c"), "field 'a' is missing, and so are 'b' and 'c'");
  EXPECT_EQ(told_missing(R"(a\,b)"), "field 'a,b' is missing");
}

// The text; or, if the parser rejects the row, its message.
std::string column_of(std::string_view row, const std::string& column,
                      TextForm form = TextForm::exact) {
  PaddedBytes bytes;
  bytes.assign(row);
  Record record;
  const auto parser = make_jsonl_row_parser({column, "", {}, form});
  try {
    parser->parse(bytes.view(), record);
  } catch (const RowError& error) {
    return "! " + std::string(error.what());
  }
  return std::string(record.text);
}

TEST(JsonColumns, TheFirstFieldThatARowHasCounts) {
  EXPECT_EQ(column_of(R"({"text": "x", "content": "y"})", "text|content"), "x");
  EXPECT_EQ(column_of(R"({"content": "y"})", "text|content"), "y");
  EXPECT_EQ(column_of(R"({"text": null, "content": "y"})", "text|content"), "y");
  EXPECT_EQ(column_of(R"({"text": "", "content": "y"})", "text|content"), "y");
  EXPECT_EQ(column_of(R"({"content": 7})", "text|content"), "7");
  EXPECT_EQ(column_of(R"({"text": null})", "text|content"), "");
  EXPECT_EQ(column_of(R"({"body": 1})", "text|content"),
            "! field 'text' is missing, and so is 'content'");
  EXPECT_EQ(column_of(R"({"content": [1]})", "text|content"),
            "! field 'content' is a list, not a string");
  EXPECT_EQ(column_of(R"({"a": {"b": null}, "c": {"d": "z"}})", "a.b|c.d"), "z");
}

TEST(JsonColumns, AlternativesAreJoined) {
  constexpr const char* kColumn = "title|name,text|content";
  EXPECT_EQ(column_of(R"({"name": "n", "content": "c"})", kColumn), "n\nc");
  EXPECT_EQ(column_of(R"({"title": 1.50, "name": "n"})", kColumn), "1.50\n");
  EXPECT_EQ(column_of(R"({"content": true})", kColumn), "\ntrue");
  EXPECT_EQ(column_of(R"({"x": 1})", kColumn), "! field 'title' is missing, and so is 'name'");
}

TEST(JsonColumns, AFieldLiterallyCalledSoWins) {
  EXPECT_EQ(column_of(R"({"a|b": "both", "a": "x"})", "a|b"), "both");
  EXPECT_EQ(column_of(R"({"a,b": "both", "a": "x", "b": "y"})", "a,b"), "both");
  EXPECT_EQ(column_of(R"({"t[]": "both", "t": ["x"]})", "t[]"), "both");
  EXPECT_EQ(column_of(R"({"t[]": {"c": "both"}, "t": ["x"]})", "t[].c"), "both");
  EXPECT_EQ(column_of(R"({"a,b": "one", "c|d": "two"})", R"(a\,b,c\|d)"), "one\ntwo");
  EXPECT_EQ(column_of(R"({"a,b": "one"})", R"(a\,b)"), "one");
}

TEST(JsonColumns, MembersOfListsStandBelowEachOther) {
  constexpr const char* kChat =
      R"({"messages": [{"role": "user", "content": "Hi"}, {"role": "tool", "content": null},)"
      R"({"role": "tool"}, {"role": "bot", "content": "Hello"}], "tags": ["a", "b"]})";
  EXPECT_EQ(column_of(kChat, "messages[].content"), "Hi\nHello");
  EXPECT_EQ(column_of(kChat, "messages[0].content"), "Hi");
  EXPECT_EQ(column_of(kChat, "messages[1].content"), "");
  EXPECT_EQ(column_of(kChat, "messages[3].content"), "Hello");
  EXPECT_EQ(column_of(kChat, "tags[]"), "a\nb");
  EXPECT_EQ(column_of(kChat, "tags[1],messages[0].role"), "b\nuser");
  EXPECT_EQ(column_of(kChat, "messages[4].content|tags[0]"), "a");
  EXPECT_EQ(column_of(kChat, "messages[4].content"), "");
  EXPECT_EQ(column_of(kChat, "messages[].text"), "! field 'messages[].text' is missing");
  EXPECT_EQ(column_of(kChat, "messages[x].content"), "! field 'messages[x].content' is missing");
  EXPECT_EQ(column_of(kChat, "messages[]content"), "! field 'messages[]content' is missing");
  EXPECT_EQ(column_of(kChat, "messages"), "! field 'messages' is a list, not a string");
  EXPECT_EQ(column_of(kChat, "messages[]"),
            "! field 'messages[]' is an object in one member, not a string");
  EXPECT_EQ(column_of(R"({"a": {"b": [{"c": ["x"]}, {"c": ["y", "z"]}]}})", "a.b[].c[]"),
            "x\ny\nz");
  EXPECT_EQ(column_of(R"({"a": [[{"b": "x"}], [{"b": "y"}]]})", "a[][0].b"), "x\ny");
}

TEST(JsonColumns, ListsWithoutAnythingAreEmpty) {
  EXPECT_EQ(column_of(R"({"m": []})", "m[].c"), "");
  EXPECT_EQ(column_of(R"({"m": null})", "m[].c"), "");
  EXPECT_EQ(column_of(R"({"m": [null]})", "m[].c"), "");
  EXPECT_EQ(column_of(R"({"m": [{"c": null}]})", "m[].c"), "");
  EXPECT_EQ(column_of(R"({"m": [], "text": "x"})", "m[].c|text"), "x");
  EXPECT_EQ(column_of(R"({"o": null})", "o.c"), "");
  EXPECT_EQ(column_of(R"({})", "m[].c"), "! field 'm[].c' is missing");
}

TEST(JsonColumns, WhatHoldsNothingIsPassedOverForTheNext) {
  for (const char* empty : {"null", "\"\"", "[]", R"([""])", "[null]", "[[]]"}) {
    const std::string row = fmt::format(R"({{"m": {}, "text": "x"}})", empty);
    EXPECT_EQ(column_of(row, "m[]|text"), "x") << row;
    const bool is_list_of_some = empty[0] == '[' && empty[1] != ']';
    EXPECT_EQ(column_of(row, "m|text"),
              is_list_of_some ? "! field 'm' is a list, not a string" : "x")
        << row;
  }
  EXPECT_EQ(column_of(R"({"m": [{"c": ""}, {"c": null}], "text": "x"})", "m[].c|text"), "x");
  EXPECT_EQ(column_of(R"({"m": [], "text": ""})", "m|text"), "");
  EXPECT_EQ(column_of(R"({"m": []})", "m|text"), "");
  EXPECT_EQ(column_of(R"({"m": [], "text": "a b"})", "m|text", TextForm::elements), "a\nb\n");
  EXPECT_EQ(column_of(R"({"m": []})", "m"), "! field 'm' is a list, not a string");
}

TEST(JsonColumns, MembersOfOtherTypesAreTheirTexts) {
  EXPECT_EQ(column_of(R"({"m": ["x", 5, 1.50, true, 12345678901234567890123]})", "m[]"),
            "x\n5\n1.50\ntrue\n12345678901234567890123");
  EXPECT_EQ(column_of("{\"m\": [\"\xff\", 5, 1.0, \"\\ud800\"]}", "m[]"),
            "\xff\n5\n1.0\n\xed\xa0\x80");
  EXPECT_EQ(column_of(R"({"m": ["x", ["y"]]})", "m[]"),
            "! field 'm[]' is a list in one member, not a string");
  EXPECT_EQ(column_of(R"({"m": "x"})", "m[]"), "! field 'm' is a string, not a list");
  EXPECT_EQ(column_of(R"({"m": "x"})", "m[]|m"), "x");
  EXPECT_EQ(column_of(R"({"m": {"c": 1}})", "m[].c"), "! field 'm' is an object, not a list");
}

TEST(JsonColumns, ElementsAreThoseOfAllMembers) {
  constexpr const char* kCart =
      R"({"items": [{"sku": 7}, {"sku": "b c"}, {}], "more": ["d"], "old": "e f"})";
  EXPECT_EQ(column_of(kCart, "items[].sku", TextForm::elements), "7\nb c\n");
  EXPECT_EQ(column_of(kCart, "none|old", TextForm::elements), "e\nf\n");
  EXPECT_EQ(column_of(kCart, "items[].sku,more,old", TextForm::elements), "7\nb c\nd\ne\nf\n");
}

TEST(JsonColumns, OtherFieldsAndIdsHavePathsToo) {
  PaddedBytes bytes;
  bytes.assign(R"({"text": "x", "m": [{"id": 3, "v": 1.50}, {"v": 2}], "k": null, "key": "K"})");
  Record record;
  const auto parser = make_jsonl_row_parser({"text", "none|m[0].id", {"m[].v", "k|key", "m[].w"}});
  parser->parse(bytes.view(), record);
  EXPECT_EQ(record.id, "3");
  EXPECT_TRUE(record.id_is_integer);
  EXPECT_EQ(record.others[0].text, "[1.50, 2]");
  EXPECT_EQ(record.others[1].text, "K");
  EXPECT_EQ(record.others[2].kind, FieldValue::Kind::missing);
}

TEST(WayIntoValue, NamesTheMembersThatHoldText) {
  constexpr const char* kRow =
      R"({"messages": [{"role": "user", "content": "Good morning"}], "tags": ["a"], "none": [],)"
      R"("meta": {"lang": "en", "title": "Two cats"}, "text": "x"})";
  EXPECT_EQ(way_into_value(kRow, "messages"),
            "'messages[].content' reads content of all its members, 'messages[0].content' of the "
            "first; a member has: role, content");
  EXPECT_EQ(way_into_value(kRow, "messages[].text"), "a member of 'messages' has: role, content");
  EXPECT_EQ(way_into_value(kRow, "tags"), "'tags[]' reads all its members, 'tags[0]' the first");
  EXPECT_EQ(way_into_value(kRow, "none"), "'none[]' reads the members of a list");
  EXPECT_EQ(way_into_value(kRow, "meta"), "'meta.title' reaches into it; it has: lang, title");
  EXPECT_EQ(way_into_value(kRow, "meta.name"), "field 'meta' has: lang, title");
  EXPECT_EQ(way_into_value(kRow, "nothing"), "");
  EXPECT_EQ(way_into_value(kRow, "text"), "");
  EXPECT_EQ(way_into_value("no json", "text"), "");
}

}  // namespace
}  // namespace sosie
