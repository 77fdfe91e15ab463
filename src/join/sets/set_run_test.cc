// Tests of stages shared by the verbs when one of them fails.
#include "join/sets/set_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "data/kinds.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

class Runs : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-run-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream file(input());
    for (int i = 0; i < kRows; ++i) {  // pairs of equal texts
      file << "w" << i / 2 << " x" << i / 2 << " y" << i / 2 << " one two three four five\n";
    }
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string input() const { return (folder_ / "in.txt").string(); }

  static constexpr int kRows = 20'000;
  fs::path folder_;
};

// The rows do not fit in this amount of memory, so they are matched in batches.
TEST_F(Runs, KeepTheirRowsWhenAMatchingFails) {
  Options options;
  options.inputs = {input()};
  options.kind = kTextItems;
  set_option(options, "method", "lsh");
  set_option(options, "memory", "1M");
  set_option(options, "threads", "1");
  const RunHooks hooks;
  sosie::SetRun run(kDedup, options, hooks);
  run.may_spill = true;
  run.prepare();
  ASSERT_TRUE(run.corpus.spilled);
  const std::vector<RowNumber> rows = {0, 1, 2, 3};
  EXPECT_THROW(run.match({0, rows}, 0, sosie::SetRun::Order::input,
                         [] { throw std::runtime_error("the caller gives up"); }),
               std::runtime_error);
  EXPECT_EQ(run.corpus.rows, RowNumber{kRows});
  EXPECT_EQ(run.matcher, nullptr);
  std::size_t seen = 0;
  run.match({0, rows}, 0, sosie::SetRun::Order::input, [&] { seen = run.items.size(); });
  EXPECT_EQ(seen, 2U);
  EXPECT_EQ(run.corpus.rows, RowNumber{kRows});
}

}  // namespace
}  // namespace sosie
