#include "write/columnar_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/owned_arrow.h"
#include "read/arrow_json.h"
#include "sosie/error.h"

namespace sosie {
namespace {

struct Exported {
  std::string formats;
  std::vector<std::string> rows;
};

Exported exported(CellColumns& columns) {
  OwnedArrow<ArrowSchema> schema;
  columns.schema(&schema.value);
  OwnedArrow<ArrowArray> array;
  columns.take(&array.value);
  Exported out;
  for (std::int64_t i = 0; i < schema.value.n_children; ++i) {
    out.formats += schema.value.children[i]->format;
  }
  const ArrowJson rows(schema.value, array.value, 0);
  for (std::int64_t i = 0; i < array.value.length; ++i) rows.append(i, out.rows.emplace_back());
  return out;
}

TEST(CellColumnsTest, HasTheTypesOfItsCells) {
  CellColumns columns({"id", "similarity", "exact", "row", "file"});
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::string id = std::to_string(i);
    columns.add(0, IdText{id, true});
    columns.add(1, Decimal{static_cast<double>(i) / 4});
    columns.add(2, i % 3 == 0);
    columns.add(3, i * 1000);
    columns.add(4, std::string_view("f"));
  }
  const Exported out = exported(columns);
  EXPECT_EQ(out.formats, "lgblU");
  ASSERT_EQ(out.rows.size(), 10);
  EXPECT_EQ(out.rows[9],
            R"({"id": 9, "similarity": 2.25, "exact": true, "row": 9000, "file": "f"})");
  EXPECT_EQ(columns.rows(), 0);
}

TEST(CellColumnsTest, TakesAnEmptyTextForANullWhereThereAreNoTexts) {
  CellColumns columns({"kept_row", "kept_id", "none"});
  columns.add(0, std::string_view());
  columns.add(0, std::uint64_t{4});
  columns.add(1, IdText{"a", false});
  columns.add(1, std::string_view());
  columns.add_null(2);
  columns.add_null(2);
  const Exported out = exported(columns);
  EXPECT_EQ(out.formats, "lUU");
  EXPECT_EQ(out.rows[0], R"({"kept_row": null, "kept_id": "a", "none": null})");
  EXPECT_EQ(out.rows[1], R"({"kept_row": 4, "kept_id": "", "none": null})");
}

TEST(CellColumnsTest, MakesTextsOfIntegersWhileItMay) {
  CellColumns columns({"id"});
  columns.add(0, IdText{"17", true});
  columns.add_null(0);
  columns.add(0, IdText{"b", false});
  columns.add(0, IdText{"18", true});
  const Exported out = exported(columns);
  EXPECT_EQ(out.formats, "U");
  EXPECT_EQ(out.rows, (std::vector<std::string>{R"({"id": "17"})", R"({"id": null})",
                                                R"({"id": "b"})", R"({"id": "18"})"}));
}

TEST(CellColumnsTest, KeepsTheTypesItHasTold) {
  CellColumns columns({"id"});
  columns.add(0, IdText{"17", true});
  exported(columns);
  columns.add(0, IdText{"18", true});
  EXPECT_EQ(exported(columns).rows, std::vector<std::string>{R"({"id": 18})"});
  EXPECT_THROW(columns.add(0, IdText{"b", false}), Error);
}

}  // namespace
}  // namespace sosie
