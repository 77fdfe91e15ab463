#include "read/plain_json.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "read/row_parsers.h"
#include "represent/folded_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

FieldRequest request(TextForm form, const std::string& id = "id") {
  return {.column = "text", .id = id, .others = {}, .form = form};
}

PaddedBytes padded(std::string_view text) {
  PaddedBytes bytes;
  bytes.assign(text);
  return bytes;
}

// The part of a text that shingles use: words joined by line feeds, or folded characters.
std::string seen(std::string_view text, TextForm form) {
  const PaddedBytes bytes = padded(text);
  FoldedText folded;
  if (form == TextForm::characters) {
    fold_chars(bytes.view(), TokenMode::unicode, folded);
    return std::string(folded.bytes.view());
  }
  fold_words(bytes.view(), TokenMode::unicode, folded);
  std::string words;
  for (const TokenSpan token : folded.tokens) {
    words.append(folded.bytes.data() + token.begin, token.end - token.begin) += '\n';
  }
  return words;
}

// "text|id" as read by a parser, with the text in the form that shingles use; or, if the parser
// rejects the row, its message.
std::string read(std::string_view row, TextForm parsed, TextForm form) {
  const PaddedBytes bytes = padded(row);
  const auto parser = make_jsonl_row_parser(request(parsed));
  Record record;
  try {
    parser->parse(bytes.view(), record);
  } catch (const RowError& error) {
    return error.what();
  }
  return seen(record.text, form) + '|' + std::string(record.id) + (record.id_is_integer ? "n" : "");
}

bool takes(std::string_view row) {
  const PaddedBytes bytes = padded(row);
  PlainJsonReader reader(request(TextForm::words));
  Record record;
  return reader.read(bytes.view(), record);
}

void expect_same(std::string_view row) {
  for (const TextForm form : {TextForm::words, TextForm::characters}) {
    EXPECT_EQ(read(row, form, form), read(row, TextForm::exact, form)) << row;
  }
}

TEST(PlainJson, TakesWhatRowsUsuallyAre) {
  for (const char* row : {
           R"({"id":"a","text":"one two"})",
           R"( { "id" : 7 , "text" : "say \"so\"\n\tnow\/then\\ \f\b\r" } )",
           R"({"meta":{"a":[1,-2.5,true,null,{}],"b":{}},"text":"x","id":"1","score":0.25})",
           R"({"text":"caf\u00e9 \ud83d\ude00 \u0000","id":-3})",
           "{\"text\":\"caf\xC3\xA9 \xE6\x97\xA5\",\"id\":\"\"}",
       }) {
    EXPECT_TRUE(takes(row)) << row;
    expect_same(row);
  }
}

TEST(PlainJson, LeavesEverythingElseToTheRealParser) {
  for (const char* row : {
           R"({"id":"a","text":"one)",
           R"({"id":"a","text":"one"}})",
           R"({"id":"a","text":"one",})",
           R"({"id":01,"text":"one"})",
           R"({"id":1e3,"text":"one"})",
           R"({"id":1.5,"text":"x"})",
           R"({"id":-0,"text":"one"})",
           R"({"id":"a","text":3})",
           R"({"id":"a"})",
           R"({"text":"x"})",
           R"({"id":"a","text":"\ud800 x"})",
           R"({"id":"a","text":"\x"})",
           R"({"id":"a","t\u0065xt":"x"})",
           R"({"id":"a\n","text":"x"})",
           R"([1])",
           R"({"id":"a")",
           R"({"id":99999999999999999999999,"text":"x"})",
           R"({"text":"x","id":"a","y":1e999})",
           "{\"id\":\"a\",\"text\":\"\xFF\"}",
           "{\"id\":\"a\",\"text\":\"a\nb\"}",
           "",
           "{",
       }) {
    EXPECT_FALSE(takes(row)) << row;
    expect_same(row);
  }
}

TEST(PlainJson, LastOfEqualNamesWins) {
  expect_same(R"({"text":"one","id":1,"text":"two","id":2})");
}

// Escapes, quotes and the end of the string occur anywhere in blocks of 64 bytes.
TEST(PlainJson, EscapesAtEveryPlace) {
  for (std::size_t before = 0; before < 140; ++before) {
    for (const char* piece :
         {"\\n", "\\\\", "\\\\\\\"", "\\\"", "\\u00e9", "\\\\\\\\\\n", "\\b", "é"}) {
      const std::string text = std::string(before, 'x') + piece + "y z";
      const std::string row = R"({"id":1,"text":")" + text + R"("})";
      EXPECT_TRUE(takes(row)) << row;
      expect_same(row);
    }
  }
}

RC_GTEST_PROP(PlainJson, SeesTheTextThatTheRealParserSees, ()) {
  const auto piece = rc::gen::element<std::string>(
      "a", "B", " ", "\\n", "\\\"", "\\\\", "\\/", "\\t", "\\u0041", "\\u00E9", "\\ud83d\\ude00",
      "\\ud83d", "\\udc00", "\\b", "\\f", "\\r", "\\v", "\\u12g4", "\"", "\\", "\xC3\xA9",
      "\xCC\x81", "=", "\x01", "\xE2\x80\x83", "word", "{", "}", ",", ":", "\xC3",
      "0123456789abcdef");
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  const std::string row = R"({"text":")" + text + R"(","id":"i"})";
  for (const TextForm form : {TextForm::words, TextForm::characters}) {
    RC_ASSERT(read(row, form, form) == read(row, TextForm::exact, form));
  }
}

RC_GTEST_PROP(PlainJson, AcceptsNoRowThatTheRealParserRefuses, ()) {
  const auto piece = rc::gen::element<std::string>(
      "{", "}", "[", "]", ":", ",", "\"", "\"text\"", "\"id\"", "\"a\"", "1", "-", "0", ".5",
      "true", "null", "fals", " ", "\t", "\\", "x", "12345678901234567890", "e5");
  std::string row = "{\"id\":1,\"text\":\"t\"";
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) row += part;
  row += "}";
  RC_ASSERT(read(row, TextForm::words, TextForm::words) ==
            read(row, TextForm::exact, TextForm::words));
}

}  // namespace
}  // namespace sosie
