#include "options/formats.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "data/kinds.h"
#include "options/format_table.h"
#include "options/output_names.h"
#include "sosie/error.h"

namespace sosie {
namespace {

TEST(Formats, NamesAndExtensionsAreUnique) {
  std::multiset<std::string_view> taken;
  for (const Format& format : formats()) {
    taken.insert(format.name);
    taken.insert(format.extensions.begin(), format.extensions.end());
  }
  taken.erase("");
  EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), taken.size());
}

bool is_found(const Format& format) {
  if (format_by_name(format.name) != &format) return false;
  const std::string path = "a/b" + std::string(format.extensions.front());
  return format.extensions.front().empty() ||
         (format_by_extension(path) == &format && format_by_extension(path + ".gz") == &format &&
          format_by_extension(path + ".zst") == &format);
}

TEST(Formats, AreFoundByNameAndThroughPackers) {
  for (const Format& format : formats()) EXPECT_TRUE(is_found(format)) << format.name;
  EXPECT_EQ(format_by_extension("a.xml"), nullptr);
  EXPECT_EQ(format_by_extension("jsonl"), nullptr);
}

// True if a table row is complete: a format's rows are read by a parser or as vectors; its tables
// are read by column name; and if it has fields, fields can be added.
bool is_whole(const Format& format) {
  const bool has_parser = format.make_parser != nullptr && format.field_names != nullptr;
  const bool has_vectors = format.read_vectors != nullptr && format.vector_rows != nullptr;
  return has_parser != has_vectors && has_vectors == (format.kind == kVectorItems) &&
         (format.columnar || format.writer != nullptr) == format.has_tables() &&
         (format.writer == nullptr || !format.columnar) && !format.row_words.empty() &&
         !format.item_words.empty();
}

TEST(Formats, NameReadersAndWritersThatGoTogether) {
  for (const Format& format : formats()) EXPECT_TRUE(is_whole(format)) << format.name;
}

// The kind of error that a call throws; empty if it throws none.
template <class Call>
std::optional<ErrorKind> error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}

TEST(Formats, TablesAreNamedByTheirExtensions) {
  for (const Format& format : formats()) {
    const std::string_view extension = format.extensions.front();
    if (extension.empty()) continue;
    const std::string path = "x" + std::string(extension);
    const auto refused = error_of([&] { (void)table_format_of(path); });
    EXPECT_EQ(refused.has_value(), !format.has_tables()) << path;
    EXPECT_EQ(kTableExtensions.text().find(extension) != std::string::npos, format.has_tables());
  }
  EXPECT_EQ(error_of([] { (void)table_format_of("x.xml"); }), ErrorKind::invalid_option);
}

TEST(OutputNames, AreThoseOfWhatIsWritten) {
  for (const Format& format : formats()) {
    const std::string_view extension = format.extensions.front();
    if (extension.empty()) continue;
    const std::string path = "x" + std::string(extension);
    EXPECT_EQ(error_of([&] { check_output_name("-o", path, "rows"); }), std::nullopt);
    EXPECT_EQ(error_of([&] { check_output_name("--svg", path, "the picture", {".svg"}); }),
              ErrorKind::invalid_option);
  }
}

TEST(OutputNames, PromiseNoFormatThatIsNotWritten) {
  EXPECT_THROW(check_output_name("-o", "kept.jsonl.bz2", "rows"), Error);
  EXPECT_THROW(check_output_name("--report", "r.PDF", "the report", {".html"}), Error);
  EXPECT_THROW(check_json_name("--stats", "s.csv.gz", "the summary"), Error);
  for (const char* name : {"s.json", "s.json.gz", "s", "s.mine", ".json/s", "a.csv/s", ".csv"}) {
    EXPECT_EQ(error_of([&] { check_json_name("--stats", name, "the summary"); }), std::nullopt);
  }
}

}  // namespace
}  // namespace sosie
