// Tests of comparisons of rows with any numbers, looked up by the rows of a matching.
#include "store/run/saved_overlaps.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace sosie {
namespace {

class SavedOverlapsTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_ =
      std::filesystem::temp_directory_path() / ("sosie-overlaps-" + std::to_string(::getpid()));
};

TEST_F(SavedOverlapsTest, AreOfRowsBeyond32Bits) {
  constexpr RowNumber kBeyond = (RowNumber{1} << 32) - 3;
  constexpr RowNumber kFar = RowNumber{200} << 32;
  {
    SavedOverlaps saved(path_, 7);
    saved.add(5, 9, {1, 2, 1});
    saved.add(5, kBeyond + 9, {1, 3, 1});
    saved.add(kBeyond + 5, kFar + 9, {1, 4, 1});
    saved.add(kBeyond + 1, kBeyond + 6, {1, 5, 1});
    saved.add(kBeyond + 2, kBeyond + 7, {1, 8, 1});  // ends in 32 ones
    saved.add(kBeyond + 2, kBeyond + 8, {1, 9, 1});
    saved.add(6, 8, {1, 6, 1});
    saved.flush();
    saved.add(kFar + 8, kFar + 9, {1, 7, 1});
    saved.flush();
  }
  SavedOverlaps saved(path_, 7);
  const auto united = [&](std::vector<RowNumber> rows, RowId left, RowId right) {
    const auto known = OverlapCache(saved, std::move(rows)).find(left, right);
    return known ? known->united : 0;
  };
  EXPECT_EQ(united({5, 9}, 0, 1), 2U);
  EXPECT_EQ(united({kFar + 9, kFar + 7, kFar + 8}, 2, 0), 7U);
  EXPECT_EQ(united({kBeyond + 1, kBeyond + 6}, 0, 1), 5U) << "two parts";
  EXPECT_EQ(united({kBeyond + 2, kBeyond + 7}, 0, 1), 8U);
  EXPECT_EQ(united({kBeyond + 2, kBeyond + 8}, 0, 1), 9U);
  EXPECT_EQ(united({kBeyond + 5, kBeyond + 9}, 0, 1), 0U);
  EXPECT_EQ(united({kFar + 5, kFar + 9}, 0, 1), 0U);
  EXPECT_EQ(united({6, 8}, 0, 1), 6U);
  EXPECT_EQ(united({6, 9}, 0, 1), 0U);
  EXPECT_EQ(united({RowNumber{1} << 32 | 5, RowNumber{1} << 32 | 9}, 0, 1), 0U);
  EXPECT_EQ(saved.load(RowId{10}, 10).size(), 2U);
}

}  // namespace
}  // namespace sosie
