#include "write/table.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

std::string written(const char* path, std::span<const Cell> cells) {
  const std::vector<std::string> columns = {"id", "n", "similarity", "kept"};
  const TableFormat* format = table_format_for(path);
  std::string out;
  format->header(out, columns);
  format->row(out, columns, cells);
  return out;
}

const std::vector<Cell> kCells = {std::string_view("a\tb\n\"c\",\\d\r"), std::uint64_t{42},
                                  Decimal{2.0 / 3}, true};

TEST(Table, EscapesInTsv) {
  EXPECT_EQ(written("x.tsv", kCells),
            "id\tn\tsimilarity\tkept\na\\tb\\n\"c\",\\\\d\\r\t42\t0.666667\ttrue\n");
}

TEST(Table, QuotesInTsvWhatBeginsWithAQuote) {
  std::string out;
  const std::vector<Cell> cells = {std::string_view("\"a\"\tb\\"), std::string_view("b\"")};
  table_format_for("x.tsv")->row(out, {}, cells);
  EXPECT_EQ(out, "\"\"\"a\"\"\\tb\\\\\"\tb\"\n");
}

TEST(Table, QuotesInCsv) {
  EXPECT_EQ(written("x.csv", kCells),
            "id,n,similarity,kept\n\"a\tb\n\"\"c\"\",\\d\r\",42,0.666667,true\n");
}

TEST(Table, WritesObjectsInJsonl) {
  EXPECT_EQ(written("x.jsonl", kCells),
            "{\"id\": \"a\\u0009b\\u000a\\\"c\\\",\\\\d\\u000d\", \"n\": 42, "
            "\"similarity\": 0.666667, \"kept\": true}\n");
}

TEST(Table, RefusesUnknownExtensions) {
  EXPECT_EQ(table_format_for("x.xml"), nullptr);
  EXPECT_THROW(TableWriter("x.xml", std::vector<std::string>{"id"}), Error);
}

}  // namespace
}  // namespace sosie
