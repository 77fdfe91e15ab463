#include "io/output_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

class OutputTrees : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-tree-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string out() const { return (folder_ / "out/").string(); }

  static void put(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  // Everything below the test's working folder, by path.
  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      found[fs::relative(entry.path(), folder_)] = {std::istreambuf_iterator<char>(file), {}};
    }
    return found;
  }

  fs::path folder_;
};

using Found = std::map<std::string, std::string>;

OtherFile listed_are_of_a_run(const std::string& path, bool is_listed) {
  if (is_listed) return OtherFile::of_a_run;
  return path.ends_with(".txt") ? OtherFile::of_somebody : OtherFile::harmless;
}

// Writes files whose contents are their names, in the way a run writes its outputs.
void write_tree(const std::string& folder, const std::vector<std::string>& paths, bool removes) {
  OutputTree tree(folder, true);
  tree.take_over(paths, removes, listed_are_of_a_run);
  for (const std::string& path : paths) {
    const fs::path place = tree.path_for(path);
    std::ofstream(place, std::ios::binary) << path;
  }
  tree.commit();
}

TEST_F(OutputTrees, AppearWhenTheyAreComplete) {
  OutputTree tree(out(), false);
  put(tree.path_for("a.txt"), "a");
  put(tree.path_for("deep/er/b.txt"), "b");
  tree.finish();
  EXPECT_FALSE(fs::exists(out()));
  tree.commit();
  EXPECT_EQ(files(), (Found{{"out/a.txt", "a"}, {"out/deep/er/b.txt", "b"}}));
}

TEST_F(OutputTrees, LeaveNothingWhenTheyAreGivenUp) {
  put(out() + "old.txt", "old");
  for (const std::string& folder : {out(), (folder_ / "new/").string()}) {
    OutputTree tree(folder, true);
    put(tree.path_for("a.txt"), "a");
    tree.finish();
  }
  EXPECT_EQ(files(), (Found{{"out/old.txt", "old"}}));
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(OutputTrees, OverwriteReplacesOnlyFilesOfTheSameName) {
  put(out() + "old.txt", "old");
  put(out() + "sub/a.txt", "before");
  EXPECT_THROW(OutputTree(out(), false), Error);
  OutputTree tree(out(), true);
  put(tree.path_for("sub/a.txt"), "after");
  put(tree.path_for("sub/new.txt"), "new");
  tree.commit();
  EXPECT_EQ(
      files(),
      (Found{{"out/old.txt", "old"}, {"out/sub/a.txt", "after"}, {"out/sub/new.txt", "new"}}));
}

TEST_F(OutputTrees, KnowTheOutputsOfEarlierRuns) {
  write_tree(out(), {"a.txt", "sub/b.txt"}, false);
  put(out() + "read.me", "mine");
  EXPECT_THROW(write_tree(out(), {"a.txt"}, false), Error);
  write_tree(out(), {"a.txt", "sub/b.txt"}, false);
  write_tree(out(), {"a.txt", "c.txt"}, true);
  Found found = files();
  found.erase("out/.sosie-outputs");
  EXPECT_EQ(found,
            (Found{{"out/a.txt", "a.txt"}, {"out/c.txt", "c.txt"}, {"out/read.me", "mine"}}));
}

TEST_F(OutputTrees, RemoveNothingThatNoRunWrote) {
  write_tree(out(), {"a.txt"}, false);
  put(out() + "mine.txt", "mine");
  const Found before = files();
  EXPECT_THROW(write_tree(out(), {"b.txt"}, true), Error);
  EXPECT_EQ(files(), before);
}

TEST_F(OutputTrees, AreOpenAgainWhenTheirFilesWereRemoved) {
  write_tree(out(), {"a.txt"}, false);
  fs::remove(out() + "a.txt");
  EXPECT_NO_THROW(OutputTree(out(), false));
}

// Both began before either wrote.
TEST_F(OutputTrees, TheLastOfTwoReplacesTheFiles) {
  for (const bool is_there : {false, true}) {
    if (is_there) write_tree(out(), {"a.txt"}, false);
    const auto begin = [&] {
      auto tree = std::make_unique<OutputTree>(out(), true);
      tree->take_over({"a.txt"}, false, listed_are_of_a_run);
      return tree;
    };
    const auto first = begin();
    const auto second = begin();
    put(first->path_for("a.txt"), "first");
    put(second->path_for("a.txt"), "second");
    first->commit();
    second->commit();
    Found found = files();
    EXPECT_EQ(found.erase("out/.sosie-outputs"), 1U);
    EXPECT_EQ(found, (Found{{"out/a.txt", "second"}}));
    fs::remove_all(out());
  }
}

TEST_F(OutputTrees, AnotherRunOfOtherFilesIsNamed) {
  const auto begin = [&](const char* path, bool overwrite) {
    auto tree = std::make_unique<OutputTree>(out(), overwrite);
    tree->take_over({path}, false, listed_are_of_a_run);
    put(tree->path_for(path), path);
    return tree;
  };
  for (const bool overwrite : {false, true}) {
    const auto first = begin("a.txt", true);
    const auto second = begin("b.txt", overwrite);
    second->finish();
    first->commit();
    const Found before = files();
    try {
      second->commit();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
      EXPECT_NE(std::string(error.what()).find(overwrite ? "a.txt" : "is not empty"),
                std::string::npos);
    }
    EXPECT_EQ(files(), before);
    fs::remove_all(out());
  }
}

// Without a list of files, as in a saved run, nothing shows which files belong to the tree.
TEST_F(OutputTrees, AFolderThatCameMeanwhileStays) {
  OutputTree tree(out(), true);
  put(tree.path_for("run"), "late");
  put(fs::path(out()) / "run", "early");
  try {
    tree.commit();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
  }
  EXPECT_EQ(files().at("out/run"), "early");
}

// Locking a folder reports beforehand what commit() would reject.
TEST_F(OutputTrees, ALockedFolderIsLookedOverAtOnce) {
  OutputTree tree(out(), true);
  tree.take_over({"b.txt"}, false, listed_are_of_a_run);
  put(tree.path_for("b.txt"), "b");
  write_tree(out(), {"a.txt"}, false);
  EXPECT_THROW(tree.lock(), Error);
}

// Ctrl-C also stops a run that is waiting for another run's folder.
TEST_F(OutputTrees, AWaitForALockEndsWhenTheRunIsCancelled) {
  write_tree(out(), {"a.txt"}, false);
  const Descriptor holder(::open(out().c_str(), O_RDONLY | O_DIRECTORY));
  ASSERT_EQ(::flock(holder.number(), LOCK_EX), 0);
  const std::atomic<bool> cancelled = true;
  OutputTree tree(out(), true, &cancelled);
  tree.take_over({"a.txt"}, false, listed_are_of_a_run);
  put(tree.path_for("a.txt"), "new");
  try {
    tree.lock();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST_F(OutputTrees, WriteThroughNoSymbolicLink) {
  put(folder_ / "elsewhere/x.txt", "x");
  fs::create_directories(out());
  fs::create_directory_symlink(folder_ / "elsewhere", out() + "sub");
  OutputTree tree(out(), true);
  try {
    (void)tree.path_for("sub/x.txt");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find("is a symbolic link"), std::string::npos);
  }
}

TEST_F(OutputTrees, StandWhereAFolderCanStand) {
  put(folder_ / "file", "x");
  EXPECT_THROW(OutputTree((folder_ / "file/").string(), true), Error);
  EXPECT_THROW(OutputTree((folder_ / "none/out/").string(), false), Error);
}

}  // namespace
}  // namespace sosie
