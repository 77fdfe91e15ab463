// Tests that runs in scratch return the records that were put into them regardless of the keys and
// rows.
#include "io/sorted_runs.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "core/mix64.h"

namespace sosie {
namespace {

class PackedRunsTest : public ::testing::Test {
 protected:
  ~PackedRunsTest() override { std::filesystem::remove_all(folder_); }

  static std::string make_folder() {
    std::string path = (std::filesystem::temp_directory_path() / "runs-XXXXXX").string();
    return ::mkdtemp(path.data());
  }

  // Keys and rows with these numbers of bits, sorted by key.
  static std::vector<KeyedRow> sorted_rows(std::size_t count, int key_bits, int row_bits) {
    constexpr int kAll = 64;
    const auto number = [](std::uint64_t seed, std::uint64_t i, int bits) {
      return bits == 0 ? 0 : random64(seed, i) >> (kAll - bits);
    };
    std::vector<KeyedRow> rows;
    for (std::uint64_t i = 0; i < count; ++i) {
      rows.push_back({number(3, i / 3, key_bits), number(5, i, row_bits)});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
    return rows;
  }

  static std::vector<std::pair<std::uint64_t, std::uint64_t>> read(const PackedRuns& runs,
                                                                   RunRange run) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
    PackedRuns::Reader reader(runs, run);
    for (KeyedRow row; reader.next(row);) out.emplace_back(row.key, row.row);
    return out;
  }

  std::string folder_ = make_folder();
  Scratch scratch_{folder_};
};

TEST_F(PackedRunsTest, GiveBackEachRun) {
  PackedRuns runs(scratch_);
  std::vector<std::pair<std::vector<KeyedRow>, RunRange>> written;
  for (const auto& [key_bits, row_bits] :
       {std::pair(40, 20), {64, 64}, {63, 57}, {57, 1}, {0, 0}, {1, 32}}) {
    for (const std::size_t count :
         std::initializer_list<std::size_t>{0, 1, 2, 1023, 1024, 1025, 9000}) {
      std::vector<KeyedRow> rows = sorted_rows(count, key_bits, row_bits);
      const std::size_t half = rows.size() / 2;
      runs.append(std::span<const KeyedRow>(rows).first(half));
      runs.append(std::span<const KeyedRow>(rows).subspan(half));
      const RunRange run = runs.end_run();
      written.emplace_back(std::move(rows), run);
    }
  }
  runs.finish();
  for (const auto& [rows, run] : written) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
    for (const KeyedRow& row : rows) expected.emplace_back(row.key, row.row);
    EXPECT_EQ(read(runs, run), expected) << rows.size();
  }
}

TEST_F(PackedRunsTest, TakeAThirdOfPlainOnes) {
  constexpr std::size_t kRows = 200'000;
  PackedRuns packed(scratch_);
  packed.append(sorted_rows(kRows, 40, 18));
  const RunRange run = packed.end_run();
  EXPECT_LT(run.end - run.begin, kRows * sizeof(KeyedRow) * 36 / 100);
}

}  // namespace
}  // namespace sosie
