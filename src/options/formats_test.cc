#include "options/formats.h"

#include <gtest/gtest.h>

#include <set>

#include "options/format_table.h"
#include "options/output_names.h"
#include "sosie/error.h"

namespace sosie {
namespace {

TEST(Formats, NamesAndExtensionsAreUniqueAndFoundThroughPackers) {
  std::set<std::string_view> taken;
  for (const Format& format : formats()) {
    EXPECT_TRUE(taken.insert(format.name).second) << format.name;
    EXPECT_EQ(format_by_name(format.name), &format);
    for (const std::string_view extension : format.extensions) {
      if (extension.empty()) continue;
      EXPECT_TRUE(taken.insert(extension).second) << extension;
      for (const std::string packed : {"", ".gz", ".zst"}) {
        EXPECT_EQ(format_by_extension("a/b" + std::string(extension) + packed), &format);
      }
    }
  }
  EXPECT_EQ(format_by_extension("a.xml"), nullptr);
  EXPECT_EQ(format_by_extension("jsonl"), nullptr);
}

TEST(Formats, RowsAreReadByAParserOrAsVectors) {
  for (const Format& format : formats()) {
    const bool has_parser = format.make_parser != nullptr && format.field_names != nullptr;
    const bool has_vectors = format.read_vectors != nullptr && format.vector_rows != nullptr;
    EXPECT_NE(has_parser, has_vectors) << format.name;
    EXPECT_EQ(format.kind == "vectors", has_vectors) << format.name;
    // A table is read by the names of its columns.
    EXPECT_EQ(format.has_tables(), format.has_fields) << format.name;
    // Kept rows can take fields where rows have some.
    EXPECT_EQ(format.writer != nullptr && !format.columnar, format.has_fields && !format.columnar);
    EXPECT_FALSE(format.row_words.empty() || format.item_words.empty()) << format.name;
  }
}

TEST(Formats, TablesAreNamedByTheirExtensions) {
  for (const Format& format : formats()) {
    if (format.extensions.front().empty()) continue;
    const std::string path = "x" + std::string(format.extensions.front());
    const bool listed =
        kTableExtensions.text().find(format.extensions.front()) != std::string::npos;
    EXPECT_EQ(listed, format.has_tables()) << path;
    if (format.has_tables()) {
      EXPECT_EQ(&table_format_of(path), &format);
      EXPECT_NO_THROW(check_output_name("-o", path, "rows"));
    } else {
      EXPECT_THROW((void)table_format_of(path), Error);
    }
    // What is written as another format cannot bear this name.
    EXPECT_THROW(check_output_name("--svg", path, "the picture", {".svg"}), Error);
  }
  EXPECT_THROW((void)table_format_of("x.xml"), Error);
}

TEST(OutputNames, PromiseNoFormatThatIsNotWritten) {
  EXPECT_THROW(check_output_name("-o", "kept.jsonl.bz2", "rows"), Error);
  EXPECT_THROW(check_output_name("--report", "r.PDF", "the report", {".html"}), Error);
  EXPECT_THROW(check_json_name("--stats", "s.csv.gz", "the summary"), Error);
  for (const char* name : {"s.json", "s.json.gz", "s", "s.mine", ".json/s", "a.csv/s", ".csv"}) {
    EXPECT_NO_THROW(check_json_name("--stats", name, "the summary")) << name;
  }
}

}  // namespace
}  // namespace sosie
