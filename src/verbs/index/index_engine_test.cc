// Tests of runs over an index of sets, for callers that refer to items by number.
#include "verbs/index/index_engine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "report/test_folder_test.h"
#include "sosie/index_folder.h"
#include "sosie/join.h"
#include "sosie/saved_run.h"

namespace sosie {
namespace {

Options options_of_sets(const std::vector<std::string>& inputs) {
  Options options;
  options.inputs = inputs;
  set_option(options, "kind", "sets");
  set_option(options, "threshold", "0.5");
  return options;
}

// An index of the sets "a0 b0 c0 d0", "a1 b1 c1 d1" ..., from which the first three have been
// removed.
class IndexOfSets : public ::testing::Test {
 protected:
  static constexpr int kItems = 12;

  void SetUp() override {
    write("data.jsonl", 0, kItems, "d");
    write("asked.jsonl", 5, kItems + 2, "n");
    std::ofstream(at("gone.txt")) << "d0\nd1\nd2\n";
    Options build = options_of_sets({"build", at("sets.index"), at("data.jsonl")});
    (void)index_folder(build, {});
    Options remove;
    remove.inputs = {"remove", at("sets.index")};
    set_option(remove, "ids", at("gone.txt"));
    (void)index_folder(remove, {});
  }

  [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }

  void write(const std::string& name, int begin, int end, const std::string& prefix) const {
    std::ofstream out(at(name));
    for (int i = begin; i < end; ++i) {
      out << fmt::format(
          "{{\"id\": \"{0}{1}\", \"text\": [\"a{1}\", \"b{1}\", \"c{1}\", \"d{1}\"]}}\n", prefix,
          i);
    }
  }

  [[nodiscard]] Options asked() const {
    Options options;
    options.inputs = {at("asked.jsonl")};
    options.against = {at("sets.index")};
    return options;
  }

  TestFolder folder_;
};

TEST_F(IndexOfSets, TellsPairsByTheNumbersOfItems) {
  RowPairs found;
  RunHooks hooks;
  hooks.pairs = &found;
  (void)pairs(asked(), hooks);
  const std::vector<std::uint64_t> items{5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(found.right, items);
  EXPECT_EQ(found.left, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST_F(IndexOfSets, TellsDecisionsByTheNumbersOfItems) {
  RowDecisions told;
  RunHooks hooks;
  hooks.decisions = &told;
  Options options = asked();
  set_option(options, "dry-run", "true");
  (void)dedup(options, hooks);
  ASSERT_EQ(told.survivor.size(), 9U);
  for (std::uint64_t row = 0; row < 7; ++row) {
    EXPECT_EQ(told.survivor[row], (row + 5) | RowDecisions::kAgainst);
    EXPECT_TRUE(told.identical[row]);
  }
  EXPECT_EQ(told.survivor[7], 7U);
  EXPECT_EQ(told.survivor[8], 8U);
}

// The items are in no file that could be reread, so the page has their names, and rows as they are.
TEST_F(IndexOfSets, IsNamedByASavedRun) {
  Options options = asked();
  set_option(options, "save", folder_ / "run/");
  set_option(options, "dry-run", "true");
  (void)dedup(options, {});
  const SavedRun saved(folder_ / "run", true);
  const std::string group = saved.group(0).value();
  EXPECT_NE(group.find("sets.index: an item of an index, shown by its name"), std::string::npos);
  EXPECT_NE(group.find(R"("id":"d5")"), std::string::npos);
  EXPECT_NE(group.find("a5"), std::string::npos);
}

}  // namespace
}  // namespace sosie
