#include "options/input_list.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "options/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

class InputLists : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-inputs-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, std::string_view text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_;
};

ErrorKind kind_of(const std::vector<std::string>& inputs, std::string_view format) {
  try {
    (void)list_inputs(inputs, {.format = format});
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::cancelled;
}

TEST_F(InputLists, FoldersAndPatternsAreSortedByPath) {
  put("d/b.jsonl", "");
  put("d/a/z.txt", "");
  put("d/a.jsonl", "");
  put("d/readme.md", "");
  const InputList list = list_inputs({(folder_ / "d").string()}, {});
  std::vector<std::string> names;
  for (const InputFile& file : list.files) names.push_back(fs::relative(file.path, folder_));
  EXPECT_EQ(names, (std::vector<std::string>{"d/a.jsonl", "d/a/z.txt", "d/b.jsonl"}));
  EXPECT_EQ(list.notes.passed_over.size(), 1U);
  EXPECT_EQ(list_inputs({(folder_ / "d/*.jsonl").string()}, {}).files.size(), 2U);
  EXPECT_EQ(list_inputs({"-"}, {}).files.front().format->name, "jsonl");
}

TEST_F(InputLists, LinksInFoldersAreFollowedOnlyWhenAsked) {
  put("d/a.txt", "");
  put("d/sub/c.txt", "");
  put("b.txt", "");
  put("other/e.txt", "");
  fs::create_symlink(folder_ / "b.txt", folder_ / "d/b.txt");
  fs::create_directory_symlink(folder_ / "other", folder_ / "d/other");
  fs::create_directory_symlink(folder_ / "d", folder_ / "d/sub/back");
  fs::create_symlink(folder_ / "nothing", folder_ / "d/nothing");
  const auto found = [&](bool follows) {
    std::vector<std::string> names;
    const InputList list = list_inputs({(folder_ / "d").string()},
                                       {.format = "", .folders = {.follows_links = follows}});
    for (const InputFile& file : list.files) names.push_back(file.relative);
    const auto add = [&](const char* mark, const std::vector<std::string>& links) {
      for (const std::string& link : links) {
        names.push_back(mark + fs::relative(fs::path(link).parent_path(), folder_).string() + "/" +
                        fs::path(link).filename().string());
      }
    };
    add("-", list.notes.links);
    add("!", list.notes.dead_links);
    return names;
  };
  EXPECT_EQ(found(false), (std::vector<std::string>{"a.txt", "sub/c.txt", "-d/b.txt", "-d/nothing",
                                                    "-d/other", "-d/sub/back"}));
  EXPECT_EQ(found(true), (std::vector<std::string>{"a.txt", "b.txt", "other/e.txt", "sub/c.txt",
                                                   "!d/nothing", "!d/sub/back"}));
}

TEST_F(InputLists, DialectsOfCsvAreOneObjectEach) {
  const std::string path = put("a.csv", "");
  const Format* plain = list_inputs({path}, {}).files.front().format;
  const Format* other = list_inputs({path}, {.format = "", .delimiter = ';'}).files.front().format;
  EXPECT_EQ(plain, format_by_name("csv"));
  EXPECT_EQ(other->dialect.separator, ';');
  EXPECT_EQ(other, list_inputs({path}, {.format = "", .delimiter = ';'}).files.front().format);
  EXPECT_EQ(&with_layout(*other, {{','}}), plain);
  EXPECT_EQ(format_by_saved_name(saved_name(*other)), other);
  EXPECT_EQ(format_by_saved_name(saved_name(*plain)), plain);
  EXPECT_TRUE(with_layout(*plain, {{}, false}).numbers_columns);
  for (const char* name : {"", "csv;", "csv;x", "csv\"h", "jsonl;h", "csv\nh"}) {
    EXPECT_EQ(format_by_saved_name(name), nullptr) << name;
  }
}

TEST_F(InputLists, JsonIsLookedInto) {
  EXPECT_EQ(list_inputs({put("d/a.JSON", "{}\n{}\n")}, {}).files.front().format,
            format_by_name("jsonl"));
  EXPECT_EQ(kind_of({put("d/b.json", "[{}]")}, ""), ErrorKind::unsupported);
  EXPECT_EQ(list_inputs({(folder_ / "d").string()}, {.format = "jsonl"}).files.size(), 2U);
  put("e/info.json", "{\n}\n");
  EXPECT_EQ(kind_of({(folder_ / "e").string()}, ""), ErrorKind::unsupported);
  put("e/a.csv", "text\n");
  const InputList list = list_inputs({(folder_ / "e").string()}, {});
  EXPECT_EQ(list.files.size(), 1U);
  EXPECT_EQ(list.notes.passed_over.size(), 1U);
}

TEST_F(InputLists, FoldersWithoutRecordsAreDocumentsOnlyWhenAsked) {
  put("d/a.md", "");
  put("d/b", "");
  const std::string folder = (folder_ / "d").string();
  EXPECT_EQ(kind_of({folder}, ""), ErrorKind::unsupported);
  EXPECT_EQ(list_inputs({folder}, {.format = "files"}).files.size(), 2U);
}

TEST_F(InputLists, InputsThatCannotBeMeantAreRefused) {
  EXPECT_EQ(kind_of({(folder_ / "none.jsonl").string()}, ""), ErrorKind::io);
  EXPECT_EQ(kind_of({(folder_ / "none*.jsonl").string()}, {}), ErrorKind::io);
  EXPECT_EQ(kind_of({put("a.pdf", "")}, ""), ErrorKind::unsupported);
  EXPECT_EQ(kind_of({"-"}, "xml"), ErrorKind::invalid_option);
  for (const char* address : {"http://a/b.jsonl", "s3://bucket/*.jsonl", "file:///tmp/a.jsonl"}) {
    EXPECT_EQ(kind_of({address}, ""), ErrorKind::unsupported) << address;
  }
}

}  // namespace
}  // namespace sosie
