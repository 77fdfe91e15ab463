#include "read/table_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "options/formats.h"
#include "sosie/error.h"
#include "write/table.h"

namespace sosie {
namespace {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& extension)
      : path_((std::filesystem::temp_directory_path() /
               ("sosie-table-" + std::to_string(::getpid()) + extension))
                  .string()) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void fill(std::string_view content) const { std::ofstream(path_, std::ios::binary) << content; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

std::vector<TableCells> read_all(const std::string& path) {
  const File file(path);
  TableReader reader(file, path, table_format_of(path));
  std::vector<TableCells> rows;
  while (reader.next()) rows.push_back(reader.cells());
  return rows;
}

// The end of the error message; empty if reading succeeds.
std::string failure(std::string_view content, const std::string& extension) {
  const TemporaryFile file(extension);
  file.fill(content);
  try {
    read_all(file.path());
  } catch (const Error& error) {
    return std::string(error.what()).substr(file.path().size());
  }
  return {};
}

TEST(TableReader, LargeIdsOfJsonKeepTheirDigits) {
  const TemporaryFile file(".jsonl");
  file.fill("{\"left\": 99999999999999999999, \"right\": -18446744073709551616, \"n\": 1e400}\n");
  const std::vector<TableCells> rows = read_all(file.path());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][0], "99999999999999999999");
  EXPECT_EQ(rows[0][1], "-18446744073709551616");
}

RC_GTEST_PROP(TableReader, ReadsWhatTableWriterWrites, ()) {
  const auto text =
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\t\n\r\\\",;{}\0 ", 14)));
  const auto rows = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(text, text));
  for (const std::string extension : {".tsv", ".csv", ".jsonl"}) {
    const TemporaryFile file(extension);
    TableWriter writer(file.path(), table_format_of(file.path()), {"one", "two", "three"});
    std::vector<TableCells> expected;
    for (const auto& [one, two] : rows) {
      writer.row({std::string_view(one), std::string_view(two), std::uint64_t{7}});
      expected.push_back({one, two, "7"});
    }
    writer.commit();
    RC_ASSERT(read_all(file.path()) == expected);
  }
}

TEST(TableReader, NamesColumnsAndPlaces) {
  const TemporaryFile file(".csv");
  file.fill("\xEF\xBB\xBFid,note\r\n\r\na,\"two\r\nlines\"\r\nb,x");
  const File opened(file.path());
  TableReader reader(opened, file.path(), table_format_of(file.path()));
  EXPECT_EQ(reader.columns(), (TableCells{"id", "note"}));
  EXPECT_EQ(reader.column("note"), 1U);
  EXPECT_TRUE(reader.has_column("id"));
  EXPECT_THROW((void)reader.column("kept"), Error);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.cells(), (TableCells{"a", "two\r\nlines"}));
  EXPECT_EQ(reader.place(), file.path() + ":3");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.cells(), (TableCells{"b", "x"}));
  EXPECT_EQ(reader.place(), file.path() + ":5");
  EXPECT_FALSE(reader.next());
}

TEST(TableReader, LooksUpNamedCellsWhateverTheirOrder) {
  const TemporaryFile file(".jsonl");
  file.fill("{\"a\": 1, \"b\": true}\n\n{\"b\": null, \"c\": 0, \"a\": \"x\"}\n");
  EXPECT_EQ(read_all(file.path()), (std::vector<TableCells>{{"1", "true"}, {"x", "null"}}));
}

TEST(TableReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(failure("a\tb\n1\n", ".tsv"), ":2: expected 2 fields, found 1");
  EXPECT_EQ(failure("a\n\n\"1\n2\n", ".tsv"),
            ":3: unclosed quote: the field that begins here spans 2 lines");
  EXPECT_EQ(failure("a\n\n\"1\n2\n", ".csv"),
            ":3: unclosed quote: the field that begins here spans 2 lines");
  EXPECT_EQ(failure("a,b\n1,x\"y\"\n", ".csv"),
            ":2: a quote inside a field that does not begin with one");
  EXPECT_EQ(failure("{\"a\": 1}\n[1]\n", ".jsonl"), ":2: not a JSON object");
  EXPECT_EQ(failure("{\"a\": 1}\n{\"b\": 1}\n", ".jsonl"), ":2: field 'a' is missing");
  EXPECT_EQ(failure("", ".jsonl"), "");
}

TEST(TableReader, ReadsLinesLongerThanItsBuffer) {
  const TemporaryFile file(".tsv");
  const std::string longest(3'000'000, 'x');
  file.fill("a\tb\n" + longest + "\t1\n2\t" + longest);
  EXPECT_EQ(read_all(file.path()), (std::vector<TableCells>{{longest, "1"}, {"2", longest}}));
}

TEST(TableReader, RefusesRecordsThatAreTooLargeForTheMemory) {
  constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;  // records of 256 KiB
  const std::string fits(200'000, 'x');
  const std::string large(3'000'000, 'x');
  const auto said = [&](const std::string& extension, const std::string& content) -> std::string {
    const TemporaryFile file(extension);
    file.fill(content);
    const File opened(file.path());
    try {
      TableReader reader(opened, file.path(), table_format_of(file.path()), kMemory);
      while (reader.next()) continue;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
      return std::string(error.what()).substr(file.path().size()) + "\n" + error.hint();
    }
    return {};
  };
  EXPECT_EQ(said(".tsv", "a\tb\n1\t" + fits + "\n"), "");
  const std::string enough = " is too large for --memory 64M\n--memory 740M is enough for it";
  EXPECT_EQ(said(".tsv", "a\tb\n1\t" + fits + "\n" + large + "\t1\n2\t3\n"),
            ":3: row of 3000003 bytes" + enough);
  EXPECT_EQ(said(".csv", "a,b\n1,\"" + large + "\n\n\"\n2,3\n"),
            ":2: row of 3000007 bytes" + enough);
  // Line by line, none of them is too large.
  std::string lines = "a,b\n1,\"";
  for (int i = 0; i < 30; ++i) lines += std::string(99'999, 'y') + '\n';
  EXPECT_EQ(said(".csv", lines + "\"\n2,3\n"), ":2: row of 3000005 bytes" + enough);
  EXPECT_EQ(said(".jsonl", "{\"a\": \"" + large + "\"}\n"), ":1: row of 3000010 bytes" + enough);
  EXPECT_EQ(said(".tsv", large), ":1: row of 3000000 bytes" + enough);
}

}  // namespace
}  // namespace sosie
