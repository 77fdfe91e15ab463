#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "data/padded_bytes.h"
#include "read/block_reader.h"
#include "read/row_parsers.h"

namespace sosie {
namespace {

const std::vector<std::string> kHeader = {"id", "text", "n"};

// The record as "id|text|n"; or, if the parser rejects the row, its message and the position.
std::string read_with(RowParser& parser, std::string_view row) {
  PaddedBytes bytes;
  bytes.assign(row);
  Record record;
  try {
    parser.parse(bytes.view(), record);
  } catch (const RowError& error) {
    return "! " + std::string(error.what()) + " at " + std::to_string(error.offset());
  }
  return std::string(record.id) + "|" + std::string(record.text) + "|" +
         std::string(record.others[0].text);
}

std::string read(std::string_view row, const std::vector<std::string>& header = kHeader,
                 const std::string& column = "text") {
  return read_with(*make_csv_row_parser({column, "id", {"n"}}, header), row);
}

std::string read_tsv(std::string_view row, Dialect dialect = {}) {
  FieldRequest request{"text", "id", {"n"}};
  request.dialect = dialect;
  return read_with(*make_tsv_row_parser(request, kHeader), row);
}

TEST(Csv, TheFirstColumnThatIsNotEmptyCounts) {
  const std::vector<std::string> header = {"id", "title", "name", "a|b", "x,y", "n"};
  EXPECT_EQ(read("1,t,m,,,2", header, "title|name"), "1|t|2");
  EXPECT_EQ(read("1,,\"m\"\"\",,,2", header, "title|name"), "1|m\"|2");
  EXPECT_EQ(read("1,\"\",m,,,2", header, "none|title|name"), "1|m|2");
  EXPECT_EQ(read("1,,,,,2", header, "title|name"), "1||2");
  EXPECT_EQ(read("1,t,m,l,k,2", header, "name|title,title|name"), "1|m\nt|2");
  EXPECT_EQ(read("1,t,m,l,k,2", header, "a|b"), "1|l|2");
  EXPECT_EQ(read("1,t,m,l,k,2", header, "a\\|b,x\\,y"), "1|l\nk|2");
  EXPECT_EQ(read("1,t,m,l,k,2", header, "u|v"), "! field 'u' is missing, and so is 'v' at 0");
}

TEST(Csv, ElementsOfJoinedColumnsAreThoseOfAll) {
  FieldRequest request{"a,b", "", {}, TextForm::elements};
  const std::vector<std::string> header = {"a", "b"};
  PaddedBytes bytes;
  bytes.assign("x y,z");
  Record record;
  const auto parser = make_csv_row_parser(request, header);
  parser->parse(bytes.view(), record);
  EXPECT_EQ(record.text, "x\ny\nz\n");
}

TEST(Tsv, TakesEscapesBackInsideOfQuotesToo) {
  EXPECT_EQ(read_tsv("1\ta\\tb\\n\\\\n\\r\t2"), "1|a\tb\n\\n\r|2");
  EXPECT_EQ(read_tsv("1\t\"\"\"a\\tb\"\t2"), "1|\"a\tb|2");
  EXPECT_EQ(read_tsv("C:\\x\tend\\\t2"), "C:\\x|end\\|2");
}

TEST(Tsv, QuotesCountAroundAWholeFieldOnly) {
  EXPECT_EQ(read_tsv("1\t\"two\nlines\"\t\"2\""), "1|two\nlines|2");
  EXPECT_EQ(read_tsv("1\tsay \"a\" and\t2"), "1|say \"a\" and|2");
  EXPECT_EQ(read_tsv("1\t\"a\" and\t2\""), "1|\"a\" and|2\"");
  EXPECT_EQ(read_tsv("1\t\"a\t2"), "! unclosed quote at 2");
}

TEST(Tsv, OtherSeparatorsAreTaken) {
  EXPECT_EQ(read_tsv("1;a\tb;\"2;\"", {';'}), "1|a\tb|2;");
  FieldRequest request{"text", "id", {"n"}};
  request.dialect = {';'};
  EXPECT_EQ(read_with(*make_csv_row_parser(request, kHeader), "1;a,b;\"2;\""), "1|a,b|2;");
  EXPECT_EQ(csv_field_names("a;b,c", {';'}), (std::vector<std::string>{"a", "b,c"}));
}

// libstdc++ 12 reads "inf" and "nan" up to the next NUL, and here there is none.
TEST(Csv, NumbersAreReadWithinTheirField) {
  const auto kind_of = [](const std::string& value) {
    const std::string row = "1,x," + value;
    const auto bytes = std::make_unique<char[]>(row.size() + kPadding);
    std::fill_n(bytes.get(), row.size() + kPadding, '9');
    std::copy(row.begin(), row.end(), bytes.get());
    const auto parser = make_csv_row_parser({"text", "id", {"n"}}, kHeader);
    Record record;
    parser->parse({bytes.get(), row.size()}, record);
    return record.others[0].kind;
  };
  for (const char* number : {"1", "-1.5", ".5", "1e5", "inf", "-Infinity", "INF"}) {
    EXPECT_EQ(kind_of(number), FieldValue::Kind::number) << number;
  }
  for (const char* text : {"nan", "NaN(1)", "i", "n", "-", "-n", "infin", "1x", "+1", "--1"}) {
    EXPECT_EQ(kind_of(text), FieldValue::Kind::text) << text;
  }
}

TEST(Csv, TakesQuotesOffAndKeepsTheRest) {
  EXPECT_EQ(read("1,abc,2"), "1|abc|2");
  EXPECT_EQ(read(R"("1","a ""b"", c",)"), R"(1|a "b", c|)");
  EXPECT_EQ(read("1,\"two\nlines\r\n\",x"), "1|two\nlines\r\n|x");
  EXPECT_EQ(read(R"(,"","""")"), R"(||")");
  EXPECT_EQ(read(" 1 , a\tb,2"), " 1 | a\tb|2");
}

TEST(Csv, RefusesRowsWithTheReasonAndThePlace) {
  EXPECT_EQ(read("1,abc"), "! expected 3 fields, found 2 at 0");
  EXPECT_EQ(read("1,a,b,c"), "! expected 3 fields, found 4 at 0");
  EXPECT_EQ(read("1,a,\"b\nc"), "! unclosed quote: the field that begins here spans 2 lines at 4");
  EXPECT_EQ(read("1,a\"b\",c"), "! a quote inside a field that does not begin with one at 3");
  EXPECT_EQ(read("1,\"a\"b,c"), "! text after a closing quote at 2");
  EXPECT_EQ(read("1,\"a\nb\nc\"d,c"),
            "! text after a closing quote: the field that begins here spans 3 lines at 2");
}

TEST(Csv, FindsFieldsByTheHeader) {
  EXPECT_EQ(read("7,x,9", {"n", "text", "id"}), "9|x|7");
  EXPECT_EQ(read("7,x,9", {"id", "title", "body"}, "title,body"), "7|x\n9|");
  EXPECT_EQ(read("7,x,9", {"id", "a,b", "a"}, "a,b"), "7|x|");
  EXPECT_EQ(read("7,x,9", {"id", "body", "n"}), "! field 'text' is missing at 0");
  EXPECT_EQ(csv_field_names("a,\"b, c\",,\"d\"\"\""),
            (std::vector<std::string>{"a", "b, c", "", "d\""}));
  EXPECT_EQ(tsv_field_names("a\tb,c"), (std::vector<std::string>{"a", "b,c"}));
}

// All rows of a file with these bytes, read in blocks of that size; together they make up the file.
std::vector<std::string> rows_of(const std::string& path, std::uint64_t block_bytes) {
  const File file(path);
  const RowSource source{&file, RowEnds::quoted_line, {','}, 0};
  ThreadPool pool(2, nullptr);
  std::vector<std::string> rows;
  BlockReader reader;
  for (const BlockRange& range : cut_into_blocks({&source, 1}, block_bytes, pool)) {
    reader.open(source, range);
    for (RowView row; reader.next(row);) rows.emplace_back(row.bytes.data(), row.length);
  }
  return rows;
}

std::vector<std::string> rows_of_stream(const std::string& path) {
  const File file(path);
  RowStream stream({&file, RowEnds::quoted_line, {','}, 0});
  std::vector<std::string> rows;
  for (RowView row; stream.next(row);) rows.emplace_back(row.bytes.data(), row.length);
  return rows;
}

class CsvFile : public testing::Test {
 protected:
  CsvFile() : path_(testing::TempDir() + "sosie-csv-" + std::to_string(::getpid()) + ".csv") {}
  ~CsvFile() override { std::filesystem::remove(path_); }
  void put(std::string_view text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string path_;
};

TEST_F(CsvFile, RowsAreTheSameInBlocksOfAnySize) {
  put("a,b\n\"1\n,\"\"\n\",2\r\n\n3,\"\"\nx\"y,\"\n4\",5\n6,\"\"\"\n\"");
  const std::vector<std::string> expected = {"a,b\n",    "\"1\n,\"\"\n\",2\r\n", "\n",
                                             "3,\"\"\n", "x\"y,\"\n4\",5\n",     "6,\"\"\"\n\""};
  for (std::uint64_t block = 1; block < 50; ++block) EXPECT_EQ(rows_of(path_, block), expected);
  EXPECT_EQ(rows_of_stream(path_), expected);
}

// A quote opens the first field, although three bytes precede it.
TEST_F(CsvFile, MayBeginWithAByteOrderMarkAndAQuote) {
  put("\xEF\xBB\xBF\"a,\",\"b\nc\"\nd,e\n\"f\"\"\",g\n");
  const std::vector<std::string> expected = {"\"a,\",\"b\nc\"\n", "d,e\n", "\"f\"\"\",g\n"};
  for (std::uint64_t block = 1; block < 30; ++block) {
    EXPECT_EQ(rows_of(path_, block), expected) << block;
  }
  EXPECT_EQ(rows_of_stream(path_), expected);
}

TEST_F(CsvFile, UnclosedQuoteTakesTheRestOfTheFile) {
  put("a\n\"b\nc\n" + std::string(300'000, 'd') + "\n");
  for (const std::uint64_t block : {1000U, 100'000U, 1'000'000U}) {
    EXPECT_EQ(rows_of(path_, block).size(), 2U);
  }
}

RC_GTEST_FIXTURE_PROP(CsvFile, CutsDecideNothing, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r'));
  put(text);
  const auto whole = rows_of(path_, text.size() + 1);
  const auto block = *rc::gen::inRange<std::uint64_t>(1, 20);
  RC_ASSERT(rows_of(path_, block) == whole);
  std::string joined;
  for (const std::string& row : whole) joined += row;
  RC_ASSERT(joined == text);
}

}  // namespace
}  // namespace sosie
