#include "corpus/rows/grouped_rows.h"

#include <gtest/gtest.h>

#include "read/element_list.h"

namespace sosie {
namespace {

FieldRequest request() {
  FieldRequest fields;
  fields.column = "elements";
  fields.id = "id";
  return fields;
}

TEST(SetRows, KeepIdsAndElementsOfAnyBytes) {
  const std::string odd = "a\tb\\c\nd\\t\r\"\xff e";
  ElementList elements({});
  std::string row = begin_set_row(odd, false);
  const std::string first(elements.from_pair(odd, 2, "count"));
  add_to_set_row(first, row);
  const std::string second(elements.from_pair("x", std::nullopt, ""));
  add_to_set_row(second, row);
  EXPECT_EQ(row.find_first_of("\n\r"), std::string::npos);  // readers treat "\r\n" as the end
  const auto parser = set_row_format().make_parser(request(), {});
  Record record;
  parser->parse(row, record);
  EXPECT_EQ(record.id, odd);
  EXPECT_FALSE(record.id_is_integer);
  EXPECT_EQ(record.text, first + second);
}

TEST(SetRows, MayHoldNoElementsAndIntegersForIds) {
  const auto parser = set_row_format().make_parser(request(), {});
  Record record;
  parser->parse(begin_set_row("-17", true), record);
  EXPECT_EQ(record.id, "-17");
  EXPECT_TRUE(record.id_is_integer);
  EXPECT_EQ(record.text, "");
}

}  // namespace
}  // namespace sosie
