// Tests expanding folders and patterns, and files that are named twice.
#include "options/folder_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "options/repeated_files.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class FilesFound : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-found-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const std::string& name) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << name;
  }
  // The paths without the test's folder.
  [[nodiscard]] Names short_of(const Names& paths) const {
    Names names;
    for (const std::string& path : paths) names.push_back(path.substr(folder_.string().size() + 1));
    return names;
  }
  [[nodiscard]] Names expand(const std::string& pattern, FolderRules rules = {}) const {
    return short_of(expand_pattern((folder_ / pattern).string(), rules).paths);
  }

  fs::path folder_;
};

TEST(HiddenNames, AreThoseThatProgramsLeaveBehind) {
  for (const char* name : {".git", "._a.csv", "a.csv~", "a.crc", ".a.crc", "_SUCCESS", "_delta_log",
                           "_started_17", "_committed_17"}) {
    EXPECT_TRUE(is_hidden_name(name)) << name;
  }
  for (const char* name : {"a.csv", "_a.csv", "_SUCCESS.csv", "a.crc.csv", "~a", "not_started_1"}) {
    EXPECT_FALSE(is_hidden_name(name)) << name;
  }
}

TEST_F(FilesFound, LieInFoldersThatAreNotHidden) {
  for (const char* name : {"d/b.txt", "d/a/c.txt", "d/.h/x.txt", "d/.y.txt", "d/a/z~"}) put(name);
  const FolderFiles found = files_below((folder_ / "d").string(), {});
  EXPECT_EQ(short_of(found.paths), (Names{"d/a/c.txt", "d/b.txt"}));
  EXPECT_EQ(short_of(found.hidden), (Names{"d/.h/", "d/.y.txt", "d/a/z~"}));
  const FolderFiles all = files_below((folder_ / "d").string(), {.takes_hidden = true});
  EXPECT_EQ(all.paths.size(), 5U);
  EXPECT_TRUE(all.hidden.empty());
}

TEST_F(FilesFound, MatchPatternsAtAnyDepth) {
  for (const char* name : {"a.txt", "s/b.txt", "s/t/c.txt", ".h/d.txt", "[s]/e.txt"}) put(name);
  EXPECT_EQ(expand("**/*.txt"), (Names{"[s]/e.txt", "a.txt", "s/b.txt", "s/t/c.txt"}));
  EXPECT_EQ(expand("**/**/c.txt"), Names{"s/t/c.txt"});
  EXPECT_EQ(expand("s/**"), (Names{"s/b.txt", "s/t/c.txt"}));
  EXPECT_EQ(expand("**/d.txt", {.takes_hidden = true}), Names{".h/d.txt"});
  EXPECT_EQ(expand("*"), (Names{"[s]", "a.txt", "s"}));
  EXPECT_THROW((void)expand("**/d.txt"), Error);
}

TEST_F(FilesFound, MatchPatternsAndAreHiddenUnlessAsked) {
  for (const char* name : {"d/a.txt", "d/.b.txt", "d/_SUCCESS", "d/a.txt~", "d/.h/c.txt"})
    put(name);
  const FolderRules all{.takes_hidden = true};
  EXPECT_EQ(expand("d/*"), (Names{"d/a.txt"}));
  EXPECT_EQ(short_of(expand_pattern((folder_ / "d/*").string(), {}).hidden),
            (Names{"d/_SUCCESS", "d/a.txt~"}));
  EXPECT_EQ(short_of(expand_pattern((folder_ / "d/**").string(), {}).hidden),
            (Names{"d/.b.txt", "d/.h/", "d/_SUCCESS", "d/a.txt~"}));
  EXPECT_EQ(expand("d/*", all), (Names{"d/.b.txt", "d/.h", "d/_SUCCESS", "d/a.txt", "d/a.txt~"}));
  EXPECT_EQ(expand("*/*/*.txt", all), (Names{"d/.h/c.txt"}));
  EXPECT_EQ(expand("d/.*"), (Names{"d/.b.txt", "d/.h"}));
  EXPECT_EQ(expand("d/*~"), (Names{"d/a.txt~"}));
  EXPECT_EQ(expand("**/*.txt", all), (Names{"d/.b.txt", "d/.h/c.txt", "d/a.txt"}));
}

TEST_F(FilesFound, AreKnownAgainUnderOtherNames) {
  put("a.txt");
  put("b.txt");
  fs::create_symlink(folder_ / "a.txt", folder_ / "link.txt");
  std::vector<InputFile> files;
  for (const char* name : {"link.txt", "b.txt", "a.txt", "b.txt"}) {
    files.push_back({(folder_ / name).string(), name, name, nullptr, name, name});
  }
  const auto repeated = repeated_files(files);
  ASSERT_EQ(repeated.size(), 2U);
  EXPECT_EQ(repeated[0].name + " " + repeated[0].first, "a.txt link.txt");
  EXPECT_EQ(repeated[1].name + " " + repeated[1].first, "b.txt b.txt");
}

}  // namespace
}  // namespace sosie
