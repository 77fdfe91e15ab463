#include "write/added_fields.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

const std::vector<AddedField> kFields = {{"duplicate_of", IdText{"a,\t\"b\"", false}},
                                         {"cluster_size", std::uint64_t{3}}};
const std::vector<AddedField> kNull = {{"duplicate_of", {}, true},
                                       {"cluster_size", std::uint64_t{1}}};

std::string added(std::string_view format, std::string row, const std::vector<AddedField>& fields,
                  char separator = '\0') {
  if (separator == '\0') separator = format == "tsv" ? '\t' : ',';
  field_adder_for(format)->add(row, fields, separator);
  return row;
}

TEST(AddedFields, StandBeforeTheClosingBraceOfJson) {
  EXPECT_EQ(added("jsonl", R"({"id": 1, "o": {"x": "}"} } )", kFields),
            R"({"id": 1, "o": {"x": "}"} , "duplicate_of": "a,\u0009\"b\"", "cluster_size": 3} )");
  EXPECT_EQ(added("jsonl", R"({"id":1})", kNull),
            R"({"id":1, "duplicate_of": null, "cluster_size": 1})");
  EXPECT_EQ(added("jsonl", "{ }", kNull), R"({ "duplicate_of": null, "cluster_size": 1})");
}

TEST(AddedFields, IntegersStayIntegersInJson) {
  const std::vector<AddedField> fields = {{"duplicate_of", IdText{"17", true}}};
  EXPECT_EQ(added("jsonl", R"({"id": 1})", fields), R"({"id": 1, "duplicate_of": 17})");
}

TEST(AddedFields, FollowTheOthersOfSeparatedValues) {
  EXPECT_EQ(added("csv", "1,x", kFields), "1,x,\"a,\t\"\"b\"\"\",3");
  EXPECT_EQ(added("tsv", "1\tx", kNull), "1\tx\t\t1");
  const std::vector<AddedField> tab = {{"duplicate_of", IdText{"a\tb", false}}};
  EXPECT_EQ(added("tsv", "1", tab), "1\ta\\tb");
  const std::vector<AddedField> many = {{"duplicate_of", IdText{"a;\"b", false}}};
  EXPECT_EQ(added("tsv", "1", many, ';'), "1;\"a;\"\"b\"");
  EXPECT_EQ(added("csv", "1;x", many, ';'), "1;x;\"a;\"\"b\"");
  EXPECT_EQ(added("csv", "1|x", kNull, '|'), "1|x||1");
  std::string header = "id,text";
  field_adder_for("csv")->add_names(header, kFields, ',');
  EXPECT_EQ(header, "id,text,duplicate_of,cluster_size");
}

TEST(AddedFields, NeedFieldsToStandBeside) {
  EXPECT_EQ(field_adder_for("txt"), nullptr);
  EXPECT_EQ(field_adder_for("jsonl")->add_names, nullptr);
}

}  // namespace
}  // namespace sosie
