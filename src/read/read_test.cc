#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "data/padded_bytes.h"
#include "read/block_reader.h"
#include "read/repair_json.h"
#include "read/row_parsers.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

// The record's text; or, if the parser rejects the row, its message.
std::string text_of(std::string_view row, FieldRequest request = {"text", "", {}}) {
  PaddedBytes bytes;
  bytes.assign(row);
  const auto parser = make_jsonl_row_parser(request);
  Record record;
  try {
    parser->parse(bytes.view(), record);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    return std::string("! ") + error.what();
  }
  return std::string(record.text);
}

TEST(Jsonl, ReadsTheText) {
  EXPECT_EQ(text_of(R"({"id": 1, "text": "abc"})"), "abc");
  EXPECT_EQ(text_of(R"( {"text":"a\"b\\c\/d\n\u00e9\ud83d\ude00"} )"),
            "a\"b\\c/d\n\u00e9\U0001F600");
  EXPECT_EQ(text_of(R"({"text":"first","text":"last"})"), "last");
  EXPECT_EQ(text_of(R"({"t\u0065xt":"escaped key"})"), "escaped key");
  EXPECT_EQ(text_of(R"({"o":{"text":"inner"},"a":[{"text":1}],"text":""})"), "");
  const FieldRequest nested{"a.b", "", {}};
  EXPECT_EQ(text_of(R"({"a":{"b":"inner"}})", nested), "inner");
  EXPECT_EQ(text_of(R"({"a":{"b":"inner"},"a":3})", nested), "! field 'a.b' is missing");
}

TEST(Jsonl, ReadsWhatCrawlsHold) {
  EXPECT_EQ(text_of("{\"text\":\"a\xFF\x62\"}"), "a\xFF\x62");        // ill-formed UTF-8
  EXPECT_EQ(text_of(R"({"text":"a\ud800b"})"), "a\xED\xA0\x80\x62");  // lone surrogates
  EXPECT_EQ(text_of(R"({"text":"a\udc00\ud83d\ude00"})"), "a\xED\xB0\x80\U0001F600");
  EXPECT_EQ(text_of(R"({"text":"\\ud800"})"), "\\ud800");  // not an escape
  EXPECT_EQ(text_of(R"({"n":123456789012345678901234567890,"text":"big"})"), "big");
  EXPECT_EQ(text_of("\xEF\xBB\xBF{\"text\":7}"), "7");  // a file after another
}

TEST(Jsonl, RefusesBrokenRowsWithTheReason) {
  for (const char* row :
       {"{", "{\"text\": \"abc", "{\"text\": \"abc\"} x", "not json", "{\"text\":}",
        "{\"text\":\"a\",}", "{\"text\":\"a\" \"b\"}", "{\"text\":\"\\x\"}",
        "{\"text\":\"a\", \"n\": tru}", "{\"text\":\"a\",\"n\":01}", "\x01"}) {
    EXPECT_TRUE(text_of(row).starts_with("! broken JSON")) << row << " gave " << text_of(row);
  }
  EXPECT_TRUE(text_of({"{\"text\":\"a\"}\0", 13}).starts_with("! broken JSON"));
  EXPECT_EQ(text_of("[1]"), "! the row is not a JSON object");
  EXPECT_EQ(text_of("\"text\""), "! the row is not a JSON object");
  EXPECT_EQ(text_of(R"({"body":"x"})"), "! field 'text' is missing");
  EXPECT_EQ(text_of(R"({"text":null})"), "");  // nothing to compare, and no fault
  EXPECT_EQ(text_of(R"({"a\"":1,"n":[1, NaN]})"),
            "! broken JSON: field 'n' is NaN, which is not a JSON number");
  EXPECT_EQ(text_of(R"({"text":"NaN: Infinity","n":-Infinity})"),
            "! broken JSON: field 'n' is -Infinity, which is not a JSON number");
  EXPECT_EQ(text_of(R"({"text":["a"]})"), "! field 'text' is a list, not a string");
}

TEST(Jsonl, ANumberOrBooleanIsItsText) {
  EXPECT_EQ(text_of(R"({"text":7})"), "7");
  EXPECT_EQ(text_of(R"({"text":7.50})"), "7.50");
  EXPECT_EQ(text_of(R"({"text":-1.5E+3 })"), "-1.5E+3");
  EXPECT_EQ(text_of(R"({"text":true})"), "true");
  EXPECT_EQ(text_of(R"({"text":{"a":1}})"), "! field 'text' is an object, not a string");
  EXPECT_EQ(text_of(R"({"text":-12345678901234567})"), "-12345678901234567");
}

// Numbers of any size are valid JSON, even if no double can hold them.
TEST(Jsonl, ReadsRowsWithNumbersThatNoDoubleHolds) {
  const std::string digits(400, '9');
  for (const std::string& number : {std::string("1e400"), std::string("-1.5E+9999"), digits}) {
    EXPECT_EQ(text_of("{\"n\":" + number + ",\"text\":\"a\"}"), "a");
    EXPECT_EQ(text_of("{\"text\":\"a\",\"m\":{\"n\":[1," + number + "]}}"), "a");
    EXPECT_TRUE(text_of("{\"n\":0" + number + ",\"text\":\"a\"}").starts_with("! broken JSON"));
  }
  EXPECT_EQ(text_of("{\"text\":" + digits + "}"), digits);
  EXPECT_EQ(text_of(R"({"text":1e400})"), "1e400");
  const auto parser = make_jsonl_row_parser({"text", "", {"n", "far", "list"}});
  PaddedBytes bytes;
  bytes.assign(R"({"text":"t","n":1e400,"far":-1e99999,"list":[1, 1e400]})");
  Record record;
  parser->parse(bytes.view(), record);
  ASSERT_EQ(record.others.size(), 3U);
  EXPECT_EQ(record.others[0].kind, FieldValue::Kind::number);
  EXPECT_EQ(record.others[0].text, "1e400");
  EXPECT_EQ(record.others[1].kind, FieldValue::Kind::text);  // CSV gives a text, too
  EXPECT_EQ(record.others[1].text, "-1e99999");
  EXPECT_EQ(record.others[2].text, "[1, 1e400]");
}

TEST(Jsonl, ReadsIdsAndOtherFields) {
  const auto parser = make_jsonl_row_parser({"text", "id", {"n", "s", "none", "null", "list"}});
  PaddedBytes bytes;
  bytes.assign(R"({"id":17,"text":"t","n":-2.5,"s":"x\ty","null":null,"list":[1, 2]})");
  Record record;
  parser->parse(bytes.view(), record);
  EXPECT_EQ(record.id, "17");
  ASSERT_EQ(record.others.size(), 5U);
  EXPECT_EQ(record.others[0].kind, FieldValue::Kind::number);
  EXPECT_EQ(record.others[0].number, -2.5L);
  EXPECT_EQ(record.others[1].text, "x\ty");
  EXPECT_EQ(record.others[2].kind, FieldValue::Kind::missing);
  EXPECT_EQ(record.others[3].kind, FieldValue::Kind::missing);
  EXPECT_EQ(record.others[4].text, "[1,2]");
  EXPECT_TRUE(text_of(R"({"id":1.5,"text":"t"})", {"text", "id", {}}).starts_with("! field 'id'"));
  EXPECT_TRUE(
      text_of(R"({"text":"t"})", {"text", "id", {}}).starts_with("! field 'id' is missing"));
}

TEST(Jsonl, NamesTheFieldsOfARow) {
  EXPECT_EQ(jsonl_field_names("\xEF\xBB\xBF{\"a\":1}"), std::vector<std::string>{"a"});
  EXPECT_EQ(jsonl_field_names(R"({"a":1,"b":{"c":2},"d":""})"),
            (std::vector<std::string>{"a", "b", "d"}));
  EXPECT_TRUE(jsonl_field_names("broken").empty());
}

// The row with its stand-ins, then with the bytes that they represent.
std::string repaired(std::string_view row) {
  PaddedBytes out;
  const char32_t stand_ins = repair_json(row, out);
  std::string bytes;
  restore_bytes(out.view(), stand_ins, bytes);
  return bytes;
}

TEST(RepairJson, LeavesGoodTextAlone) {
  PaddedBytes out;
  const std::string_view text = "a\u00e9\u4e2d\U0001F600 \\ud83d\\ude00 \\\\ud800";
  EXPECT_NE(repair_json(text, out), 0U);
  EXPECT_EQ(out.view(), text);
}

TEST(RepairJson, BytesComeBackFromStandInsThatNothingElseIs) {
  PaddedBytes out;
  EXPECT_EQ(repair_json("\xFF", out), 0xF0000U);
  EXPECT_EQ(out.view(), "\U000F00FF");
  EXPECT_EQ(repair_json("\U000F0001 \\udb80\\udd00 \xFF", out), 0xF0200U);
  EXPECT_EQ(out.view(), "\U000F0001 \\udb80\\udd00 \U000F02FF");
  EXPECT_EQ(repaired("\xC0\xAF\xE2\x82|\xED\xA0\x80\xF5"), "\xC0\xAF\xE2\x82|\xED\xA0\x80\xF5");
  EXPECT_EQ(repaired("\\ud800\\udfff\\uDC00|\\ud801"), "\\ud800\\udfff\xED\xB0\x80|\xED\xA0\x81");
}

TEST(Jsonl, TextsIdsAndFieldsKeepIllFormedBytes) {
  const auto parser = make_jsonl_row_parser({"text", "id", {"s", "list"}});
  PaddedBytes bytes;
  bytes.assign(
      "{\"id\":\"\xFE\",\"text\":\"M\xFCller \\ud800\",\"s\":\"\xE9\",\"list\":[\"\xE9\"]}");
  Record record;
  parser->parse(bytes.view(), record);
  EXPECT_EQ(record.text, "M\xFCller \xED\xA0\x80");
  EXPECT_EQ(record.id, "\xFE");
  EXPECT_EQ(record.others[0].text, "\xE9");
  EXPECT_EQ(record.others[1].text, "[\"\uFFFD\"]");  // JSON itself
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-read-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, std::string_view text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // All rows, read in blocks of that size, as "offset:length:bytes".
  static std::vector<std::string> rows(const std::string& path, std::uint64_t block_bytes,
                                       RowEnds row_ends = RowEnds::line) {
    const File file(path);
    const RowSource source{&file, row_ends, {','}, 0};
    ThreadPool pool(2, nullptr);
    std::vector<std::string> out;
    BlockReader reader;
    for (const BlockRange& range : cut_into_blocks({&source, 1}, block_bytes, pool)) {
      reader.open(source, range);
      for (RowView row; reader.next(row);) {
        out.push_back(std::to_string(row.offset) + ":" + std::to_string(row.length) + ":" +
                      std::string(row.bytes));
      }
    }
    return out;
  }

  fs::path folder_;
};

TEST_F(Files, RowsAreTheSameInBlocksOfAnySize) {
  const std::string path = put("a.txt", "one\ntwo\r\n\n\nlonger line\nx\nlast");
  const std::vector<std::string> expected = {
      "0:4:one", "4:5:two", "9:1:", "10:1:", "11:12:longer line", "23:2:x", "25:4:last"};
  for (std::uint64_t block = 1; block < 40; ++block)
    EXPECT_EQ(rows(path, block), expected) << block;
}

TEST_F(Files, ByteOrderMarkBelongsToNoRow) {
  const std::string path = put("a.txt", "\xEF\xBB\xBFone\ntwo\n");
  for (const std::uint64_t block : {3U, 4U, 5U, 100U}) {
    EXPECT_EQ(rows(path, block), (std::vector<std::string>{"3:4:one", "7:4:two"})) << block;
  }
}

TEST_F(Files, RowsLongerThanTheReadAheadAreWhole) {
  const std::string longest(300'000, 'y');
  const std::string path = put("a.txt", "x\n" + longest + "\nz\n");
  const auto found = rows(path, 100);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1], "2:300001:" + longest);
  EXPECT_EQ(found[2], "300003:2:z");
}

TEST_F(Files, EmptyFileHasNoRows) { EXPECT_TRUE(rows(put("a.txt", ""), 10).empty()); }

TEST_F(Files, DeepJsonThatNobodyAsksForIsNoFault) {
  const auto parser = make_jsonl_row_parser({"text", "id", {}});
  const std::string deep = std::string(3000, '[') + "{}" + std::string(3000, ']');
  const auto parse = [&](const std::string& row) {
    PaddedBytes bytes;
    bytes.assign(row);
    Record record;
    parser->parse(bytes.view(), record);
    return std::string(record.text);
  };
  EXPECT_EQ(parse(R"({"id": 1, "x": )" + deep + R"(, "text": "a", "y": {"z": )" + deep + "}}"),
            "a");
  EXPECT_THROW(parse(R"({"id": 1, "text": )" + deep + "}"), RowError);
  EXPECT_THROW(parse(R"({"id": 1, "text": "a", "x": )" + deep + "]}"), RowError);
  EXPECT_THROW(parse(R"({"id": 1, "text": "a", "x": )" + deep.substr(1) + "}"), RowError);
  EXPECT_EQ(jsonl_field_names(R"({"x": )" + deep + R"(, "b": 2})"),
            (std::vector<std::string>{"x", "b"}));
}

TEST(Jsonl, JoinedFieldsMayBeNumbersNullsAndMissing) {
  const auto parser = make_jsonl_row_parser({"a,b,c", "", {}});
  const auto parse = [&](const char* row) {
    PaddedBytes bytes;
    bytes.assign(row);
    Record record;
    parser->parse(bytes.view(), record);
    return std::string(record.text);
  };
  EXPECT_EQ(parse(R"({"a": "x", "b": null, "c": 17})"), "x\n\n17");
  EXPECT_EQ(parse(R"({"b": 1.5, "c": true})"), "\n1.5\ntrue");
  EXPECT_THROW(parse(R"({"a": "x", "b": [1]})"), RowError);
  EXPECT_THROW(parse(R"({"d": "x"})"), RowError);
}

}  // namespace
}  // namespace sosie
