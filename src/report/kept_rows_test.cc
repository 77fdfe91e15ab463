// Tests that copied kept rows equal the lines of their inputs.
#include "report/kept_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "join/sets/set_run_test.h"
#include "report/test_folder_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Files of lines, some of them blank, and which rows are kept.
struct Lines {
  std::string extension;
  std::string header;                             // header of every file; empty: none
  std::vector<std::vector<std::string>> of_file;  // with their line ends
  std::vector<bool> keep;                         // by row
};

bool is_blank(const std::string& line) { return line.find_first_not_of("\r\n") == line.npos; }

Lines random_lines() {
  Lines lines;
  lines.extension = *rc::gen::element<std::string>(".jsonl", ".csv", ".txt");
  if (lines.extension == ".csv") lines.header = "id,text\r\n";
  int row = 0;
  for (int files = *rc::gen::inRange(1, 4); files > 0; --files) {
    auto& of_file = lines.of_file.emplace_back();
    for (int count = *rc::gen::inRange(0, 9); count > 0; --count) {
      const std::string words(*rc::gen::inRange<std::size_t>(1, 30), 'w');
      const std::string id = std::to_string(row);
      std::string line = lines.extension == ".csv" ? id + "," + words
                         : lines.extension == ".txt"
                             ? words
                             : R"({"id": )" + id + R"(, "text": ")" + words + "\"}";
      if (lines.extension != ".txt" && *rc::gen::inRange(0, 6) == 0) line.clear();
      if (!line.empty()) ++row;
      of_file.push_back(line + *rc::gen::element<std::string>("\n", "\r\n"));
    }
    // The last line may have no line end.
    if (!of_file.empty() && !is_blank(of_file.back()) && *rc::gen::arbitrary<bool>()) {
      of_file.back().resize(of_file.back().find_first_of("\r\n"));
    }
  }
  lines.keep = *rc::gen::container<std::vector<bool>>(static_cast<std::size_t>(row),
                                                      rc::gen::arbitrary<bool>());
  return lines;
}

TestFiles files_of(const Lines& lines) {
  TestFiles files;
  for (std::size_t i = 0; i < lines.of_file.size(); ++i) {
    std::string content = lines.header;
    for (const std::string& line : lines.of_file[i]) content += line;
    files.emplace_back("in" + std::to_string(i) + lines.extension, content);
  }
  return files;
}

// Kept lines of each file, with its header if there is one.
std::vector<std::string> expected(const Lines& lines) {
  std::vector<std::string> of_file;
  std::size_t row = 0;
  for (const auto& some : lines.of_file) {
    std::string& kept = of_file.emplace_back(lines.header);
    for (const std::string& line : some) {
      if (!is_blank(line) && lines.keep[row++]) kept += line;
    }
  }
  return of_file;
}

RC_GTEST_PROP(KeptRows, AreTheBytesOfTheirLines, ()) {
  const Lines lines = random_lines();
  const std::string threads = *rc::gen::element<std::string>("1", "2");
  TestSetRun test(kDedup, files_of(lines), {}, {{"threads", threads}, {"method", "brute"}});
  SetRun& run = *test.run;
  run.prepare();
  RC_ASSERT(run.corpus.rows == lines.keep.size());
  const KeptSource source{run.inputs, run.corpus, run.pool, run.hooks};
  const KeepRow keep = [&](RowNumber row) { return bool{lines.keep[row]}; };

  std::string joined = lines.header;
  for (const std::string& kept : expected(lines)) {
    const std::string rows = kept.substr(lines.header.size());
    if (!rows.empty() && !joined.empty() && joined.back() != '\n') joined += '\n';
    joined += rows;
  }
  RC_ASSERT(written_by([&](OutputFile& out) { write_kept_rows(source, keep, {}, out); }) == joined);

  // Edits see each row once, with its number, and do not treat headers as rows.
  std::vector<RowNumber> seen;
  RowEdits edits;
  edits.bytes = [&](const RowLocator& place, RowNumber row, std::string& bytes) {
    RC_ASSERT(bytes.size() == place.length);
    if (row != kNoRowNumber) seen.push_back(row);
    RC_ASSERT((row == kNoRowNumber) == (bytes == lines.header && !lines.header.empty()));
  };
  RC_ASSERT(written_by([&](OutputFile& out) { write_kept_rows(source, keep, edits, out); }) ==
            joined);
  std::vector<RowNumber> kept_rows;
  for (RowNumber row = 0; row < lines.keep.size(); ++row) {
    if (lines.keep[row]) kept_rows.push_back(row);
  }
  RC_ASSERT(seen == kept_rows);

  const TestFolder folder;
  RowsOutput tree;
  tree.tree = std::make_unique<OutputTree>(folder / "tree/", false);
  for (std::size_t i = 0; i < lines.of_file.size(); ++i) {
    tree.paths.push_back("sub/out" + std::to_string(i) + lines.extension);
  }
  write_rows(source, keep, {}, tree);
  tree.finish();
  tree.commit();
  for (std::size_t i = 0; i < lines.of_file.size(); ++i) {
    RC_ASSERT(content_of(folder / "tree/" + tree.paths[i]) == expected(lines)[i]);
  }
}

// More than one run of rows is copied at a time: one is written while the next is read.
TEST(KeptRows, AreCopiedInRunsOfAnyLength) {
  std::string content;
  std::vector<std::string> lines;
  for (std::size_t i = 0; content.size() < (std::size_t{5} << 20); ++i) {
    const std::size_t longest = i % 100 == 0 ? 700'000 : 3000;
    lines.push_back(std::string(1 + random64(1, i) % longest, static_cast<char>('a' + i % 26)) +
                    "\n");
    content += lines.back();
  }
  for (const char* threads : {"1", "2"}) {
    TestSetRun test(kDedup, {{"in.txt", content}}, {}, {{"threads", threads}, {"method", "brute"}});
    auto& run = *test.run;
    run.prepare();
    const KeptSource source{run.inputs, run.corpus, run.pool, run.hooks};
    const auto keep = [](RowNumber row) { return row % 50 > 2; };
    std::string kept;
    for (std::size_t i = 0; i < lines.size(); ++i)
      kept += keep(static_cast<RowNumber>(i)) ? lines[i] : "";
    EXPECT_EQ(written_by([&](OutputFile& out) { write_kept_rows(source, keep, {}, out); }), kept);
  }
}

TEST(KeptRows, OfDocumentsAreTheirFiles) {
  const TestFolder folder;
  for (const char* name : {"a.txt", "b.txt", "c.txt"})
    std::ofstream(folder / name) << name << "\n\n";
  Options options;
  for (const auto& [name, value] :
       OptionTexts{{"kind", "text"}, {"format", "files"}, {"method", "brute"}}) {
    set_option(options, name, value);
  }
  options.inputs = {folder / "a.txt", folder / "b.txt", folder / "c.txt"};
  const RunHooks hooks;
  sosie::SetRun run(kDedup, options, hooks);
  run.prepare();
  RowsOutput out;
  out.tree = std::make_unique<OutputTree>(folder / "out/", false);
  out.paths = {"a", "b", "c"};
  write_rows(
      {run.inputs, run.corpus, run.pool, hooks}, [](RowNumber row) { return row != 1; }, {}, out);
  out.commit();
  EXPECT_EQ(content_of(folder / "out/a"), "a.txt\n\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/b"));
  EXPECT_EQ(content_of(folder / "out/c"), "c.txt\n\n");
}

// A matrix of bytes as written by numpy, row- or column-major.
std::string npy(const std::vector<std::string>& rows, bool by_columns) {
  std::string header = "{'descr': '|u1', 'fortran_order': ";
  header += by_columns ? "True" : "False";
  header += ", 'shape': (" + std::to_string(rows.size()) + ", 3), }";
  header.resize(117, ' ');
  std::string file = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n";
  for (std::size_t i = 0; i < rows.size() * 3; ++i) {
    file += by_columns ? rows[i % rows.size()][i / rows.size()] : rows[i / 3][i % 3];
  }
  return file;
}

RC_GTEST_PROP(KeptRows, OfMatricesAreMatrices, ()) {
  const bool by_columns = *rc::gen::arbitrary<bool>();
  TestFiles files;
  std::vector<std::string> kept;
  std::vector<std::string> kept_of_file[2];
  for (int file = 0; file < 2; ++file) {
    std::vector<std::string> rows;
    for (int count = *rc::gen::inRange(1, 9); count > 0; --count) {
      rows.push_back({static_cast<char>(*rc::gen::inRange(1, 4)), 2, 1});
      if (std::find(kept.begin(), kept.end(), rows.back()) != kept.end()) continue;
      kept.push_back(rows.back());
      kept_of_file[file].push_back(rows.back());
    }
    files.emplace_back("in" + std::to_string(file) + ".npy", npy(rows, by_columns));
  }
  const TestFolder folder;
  const auto write = [&](const std::string& output) {
    Options options;
    for (const auto& [name, value] : OptionTexts{
             {"kind", "vectors"}, {"measure", "euclidean"}, {"within", "0"}, {"output", output}}) {
      set_option(options, name, value);
    }
    for (const auto& [path, content] : files) {
      const auto bytes = std::make_shared<std::string>(content);
      options.memory_files[path] = memory_file_of({{bytes->data(), bytes->size()}}, bytes);
      options.inputs.push_back(path);
    }
    (void)dedup(options);
  };
  write(folder / "all.npy");
  RC_ASSERT(content_of(folder / "all.npy") == npy(kept, by_columns));
  write(folder / "tree/");
  for (int file = 0; file < 2; ++file) {
    const std::string expected = npy(kept_of_file[file], by_columns);
    RC_ASSERT(content_of(folder / "tree/" + files[static_cast<std::size_t>(file)].first) ==
              expected);
  }
}

// For sets that were combined from rows, the rows of a kept set stay at their places.
TEST(KeptRows, OfGroupsAreTheRowsOfKeptSets) {
  const TestFolder folder;
  Options options;
  for (const auto& [name, value] : OptionTexts{{"group-by", "who"},
                                               {"element", "what"},
                                               {"threshold", "1"},
                                               {"output", folder / "out.csv"}}) {
    set_option(options, name, value);
  }
  const std::string rows[] = {"ann,x\n", "bob,y\n", "cec,x\n", "ann,z\n", "cec,z\n", "bob,x"};
  const auto bytes = std::make_shared<std::string>("who,what\n");
  for (const std::string& row : rows) *bytes += row;
  options.memory_files["in.csv"] = memory_file_of({{bytes->data(), bytes->size()}}, bytes);
  options.inputs = {"in.csv"};
  const RunReport report = dedup(options);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(content_of(folder / "out.csv"), "who,what\n" + rows[0] + rows[1] + rows[3] + rows[5]);
  set_option(options, "output", folder / "tree/");
  (void)dedup(options);
  EXPECT_EQ(content_of(folder / "tree/in.csv"), content_of(folder / "out.csv"));
}

}  // namespace
}  // namespace sosie
