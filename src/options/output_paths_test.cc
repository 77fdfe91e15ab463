#include "options/output_paths.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <set>

namespace sosie {
namespace {

using Strings = std::vector<std::string>;

// A file that was named directly, and one that was found in a folder.
InputFile named(const std::string& path) {
  return {path, path, path, nullptr, path.substr(path.rfind('/') + 1), path};
}
InputFile found(const std::string& folder, const std::string& relative) {
  return {folder + "/" + relative, "", folder, nullptr, relative, relative};
}

Strings groups(std::vector<InputFile> files) {
  group_by_folder(files);
  Strings names;
  for (const InputFile& file : files) names.push_back(file.group);
  return names;
}

TEST(OutputPaths, LieBelowTheOneFolderAndBehindTheNamesOfSeveral) {
  const InputFile x = found("in/a", "x.jsonl");
  const InputFile deep = found("in/a", "sub/x.jsonl");
  const InputFile other = found("../b/", "x.jsonl");
  EXPECT_EQ(output_paths(std::vector{x, deep}, false), (Strings{"x.jsonl", "sub/x.jsonl"}));
  EXPECT_EQ(output_paths(std::vector{x, deep, other}, false),
            (Strings{"a/x.jsonl", "a/sub/x.jsonl", "b/x.jsonl"}));
  EXPECT_EQ(output_paths(std::vector{x, named("in/y.csv")}, false), (Strings{"x.jsonl", "y.csv"}));
}

TEST(OutputPaths, TellFoldersAndFilesOfOneNameApart) {
  EXPECT_EQ(output_paths(std::vector{found("1/in", "x"), found("2/in", "x")}, false),
            (Strings{"1/in/x", "2/in/x"}));
  EXPECT_EQ(output_paths(std::vector{named("1/x.txt"), named("2/x.txt"), named("2/y.txt")}, false),
            (Strings{"1/x.txt", "2/x.txt", "2/y.txt"}));
  EXPECT_EQ(output_paths(std::vector{named("1/x.txt"), named("2/y.txt")}, false),
            (Strings{"x.txt", "y.txt"}));
}

TEST(OutputPaths, OfShardsMirrorTheFolderThatHoldsAll) {
  const std::vector<InputFile> files{named("d/1/x.txt"), named("d/2/y.txt"), named("d/z.txt")};
  EXPECT_EQ(output_paths(files, true), (Strings{"1/x.txt", "2/y.txt", "z.txt"}));
  EXPECT_EQ(output_paths(std::vector{named("d/x.txt"), named("d/y.txt")}, true),
            (Strings{"x.txt", "y.txt"}));
  EXPECT_EQ(output_paths(std::vector{named("d/x.txt")}, true), (Strings{"x.txt"}));
  EXPECT_EQ(output_paths(std::vector{found("1/in", "x"), found("2/in", "x")}, true),
            (Strings{"1/in/x", "2/in/x"}));
}

RC_GTEST_PROP(OutputPaths, AreDifferentForDifferentFilesAndStayBelow, (bool are_shards)) {
  const auto part = rc::gen::element<std::string>("a", "b", "c.txt", "..", ".");
  const auto path =
      rc::gen::map(rc::gen::nonEmpty(rc::gen::container<Strings>(part)), [](const Strings& parts) {
        std::string all = "/";
        for (const std::string& one : parts) all += one + "/";
        return all + "f";
      });
  std::set<std::string> resolved;
  std::vector<InputFile> files;
  for (const std::string& one : *rc::gen::container<Strings>(path)) {
    // One file under two names is rejected by the code that writes the tree.
    const std::string target = std::filesystem::path(one).lexically_normal();
    if (resolved.insert(target).second) files.push_back(named(one));
  }
  std::set<std::string> taken;
  for (const std::string& one : output_paths(files, are_shards)) {
    RC_ASSERT(taken.insert(one).second);
    RC_ASSERT(one.ends_with("f") && !one.starts_with('/'));
    RC_ASSERT(("/" + one).find("/../") == std::string::npos);
  }
}

TEST(GroupByFolder, CountsTheFoldersOfOneInputApart) {
  EXPECT_EQ(groups({found("in", "a/x"), found("in", "b/c/x"), found("in", "x")}),
            (Strings{"in/a", "in/b", "in"}));
  EXPECT_EQ(groups({found("in", "a/x"), found("in", "a/y")}), (Strings{"in", "in"}));
  EXPECT_EQ(groups({found("in", "a/x"), found("in", "b/x"), found("on", "b/x")}),
            (Strings{"in", "in", "on"}));
  EXPECT_EQ(groups({named("in/x"), named("in/y")}), (Strings{"in/x", "in/y"}));
  std::vector<InputFile> many;
  many.reserve(60);
  for (int i = 0; i < 60; ++i) many.push_back(found("in", std::to_string(i) + "/x"));
  EXPECT_EQ(groups(many), Strings(60, "in"));
}

TEST(GroupByFolder, CountsFoldersThatWereSketchedApartAsWhole) {
  InputFile a = found("a", "1/x");
  InputFile b = found("a", "2/x");
  a.group = "a/1";
  b.group = "a/2";
  EXPECT_EQ(groups({a, b, found("b", "x")}), (Strings{"a", "a", "b"}));
  EXPECT_EQ(groups({a, b}), (Strings{"a/1", "a/2"}));
}

}  // namespace
}  // namespace sosie
