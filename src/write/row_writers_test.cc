#include "write/row_writers.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

std::string written(const RowWriter& writer, std::span<const Cell> cells) {
  const std::vector<std::string> columns = {"id", "n", "similarity", "kept"};
  std::string out;
  writer.header(out, columns);
  writer.row(out, columns, cells);
  return out;
}

const std::vector<Cell> kCells = {std::string_view("a\tb\n\"c\",\\d\r"), std::uint64_t{42},
                                  Decimal{2.0 / 3}, true};

TEST(RowWriters, EscapesInTsv) {
  EXPECT_EQ(written(kTsvRowWriter, kCells),
            "id\tn\tsimilarity\tkept\na\\tb\\n\"c\",\\\\d\\r\t42\t0.666667\ttrue\n");
}

TEST(RowWriters, QuotesInTsvWhatBeginsWithAQuote) {
  std::string out;
  const std::vector<Cell> cells = {std::string_view("\"a\"\tb\\"), std::string_view("b\"")};
  kTsvRowWriter.row(out, {}, cells);
  EXPECT_EQ(out, "\"\"\"a\"\"\\tb\\\\\"\tb\"\n");
}

TEST(RowWriters, QuotesInCsv) {
  EXPECT_EQ(written(kCsvRowWriter, kCells),
            "id,n,similarity,kept\n\"a\tb\n\"\"c\"\",\\d\r\",42,0.666667,true\n");
}

TEST(RowWriters, WritesObjectsInJsonl) {
  EXPECT_EQ(written(kJsonlRowWriter, kCells),
            "{\"id\": \"a\\u0009b\\u000a\\\"c\\\",\\\\d\\u000d\", \"n\": 42, "
            "\"similarity\": 0.666667, \"kept\": true}\n");
}

const std::vector<AddedField> kFields = {{"duplicate_of", IdText{"a,\t\"b\"", false}},
                                         {"cluster_size", std::uint64_t{3}}};
const std::vector<AddedField> kNull = {{"duplicate_of", {}, true},
                                       {"cluster_size", std::uint64_t{1}}};

std::string added(const RowWriter& writer, std::string row, const std::vector<AddedField>& fields,
                  Dialect dialect = {}) {
  if (dialect.separator == '\0') dialect.separator = &writer == &kTsvRowWriter ? '\t' : ',';
  writer.add(row, fields, dialect);
  return row;
}

TEST(AddedFields, QuoteAnEscapeThatTheDialectHas) {
  const std::vector<AddedField> fields = {{"duplicate_of", IdText{R"(C:\new)", false}}};
  EXPECT_EQ(added(kCsvRowWriter, "x", fields), R"(x,C:\new)");
  EXPECT_EQ(added(kCsvRowWriter, "x", fields, {',', '"', '\\'}), R"(x,"C:\\new")");
  EXPECT_EQ(added(kCsvRowWriter, "x", fields, {',', '\0', '\\'}), R"(x,C:\\new)");
}

TEST(AddedFields, StandBeforeTheClosingBraceOfJson) {
  EXPECT_EQ(added(kJsonlRowWriter, R"({"id": 1, "o": {"x": "}"} } )", kFields),
            R"({"id": 1, "o": {"x": "}"} , "duplicate_of": "a,\u0009\"b\"", "cluster_size": 3} )");
  EXPECT_EQ(added(kJsonlRowWriter, R"({"id":1})", kNull),
            R"({"id":1, "duplicate_of": null, "cluster_size": 1})");
  EXPECT_EQ(added(kJsonlRowWriter, "{ }", kNull), R"({ "duplicate_of": null, "cluster_size": 1})");
}

TEST(AddedFields, IntegersStayIntegersInJson) {
  const std::vector<AddedField> fields = {{"duplicate_of", IdText{"17", true}}};
  EXPECT_EQ(added(kJsonlRowWriter, R"({"id": 1})", fields), R"({"id": 1, "duplicate_of": 17})");
}

TEST(AddedFields, FollowTheOthersOfSeparatedValues) {
  EXPECT_EQ(added(kCsvRowWriter, "1,x", kFields), "1,x,\"a,\t\"\"b\"\"\",3");
  EXPECT_EQ(added(kTsvRowWriter, "1\tx", kNull), "1\tx\t\t1");
  const std::vector<AddedField> tab = {{"duplicate_of", IdText{"a\tb", false}}};
  EXPECT_EQ(added(kTsvRowWriter, "1", tab), "1\ta\\tb");
  const std::vector<AddedField> many = {{"duplicate_of", IdText{"a;\"b", false}}};
  EXPECT_EQ(added(kTsvRowWriter, "1", many, {';'}), "1;\"a;\"\"b\"");
  EXPECT_EQ(added(kCsvRowWriter, "1;x", many, {';'}), "1;x;\"a;\"\"b\"");
  EXPECT_EQ(added(kCsvRowWriter, "1|x", kNull, {'|'}), "1|x||1");
  const std::vector<AddedField> quotes = {{"duplicate_of", IdText{"a;'\"\\b", false}}};
  EXPECT_EQ(added(kCsvRowWriter, "1", quotes, {';', '\''}), "1;'a;''\"\\b'");
  EXPECT_EQ(added(kCsvRowWriter, "1", quotes, {',', '"', '\\'}), "1,\"a;'\\\"\\\\b\"");
  EXPECT_EQ(added(kCsvRowWriter, "1", quotes, {',', '\0'}), "1,a;'\"\\b");
  EXPECT_THROW(added(kCsvRowWriter, "1", quotes, {';', '\0'}), Error);
  std::string header = "id,text";
  kCsvRowWriter.add_names(header, kFields, {','});
  EXPECT_EQ(header, "id,text,duplicate_of,cluster_size");
}

}  // namespace
}  // namespace sosie
