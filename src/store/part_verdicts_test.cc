// Tests writing and reading the files of parts. tests/cli/test_parts.py tests damaged ones.
#include "store/part_verdicts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 20;

class PartFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(std::uint32_t index, std::uint32_t count, const PartVerdicts& verdicts = {}) {
    prepare_part_folder(folder_);
    (void)write_part(folder_, {index, count}, subject_, verdicts, nullptr);
  }

  std::string refusal() const {
    try {
      (void)read_parts(folder_, subject_, kMemory);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  std::string folder_ = "/tmp/part_verdicts_test." + std::to_string(::getpid());
  PartSubject subject_{.plan = {}, .sketches = {{"a.sketches", 7}}, .rows = 10};
};

TEST_F(PartFiles, GiveBackAllPartsInTheirOrder) {
  PartVerdicts second{.columns = {{1, 5}}};
  second.buckets.members = {3, 9};
  second.buckets.starts = {0, 2};
  second.overlaps = {{3, 9, {2, 3, 2}}};
  second.pairs = {{1, 2, .5}};
  PartVerdicts first{.columns = {{0, 4}}};
  first.buckets.members = {0, 1, 2};
  first.buckets.starts = {0, 3};
  first.far_pairs = {{0, 2, 0}};
  write(1, 2, second);
  write(0, 2, first);
  const PartVerdicts all = read_parts(folder_, subject_, kMemory).value();
  EXPECT_EQ(all.columns, (std::vector<ColumnHash>{{0, 4}, {1, 5}}));
  EXPECT_EQ(all.buckets.members, (std::vector<Place>{0, 1, 2, 3, 9}));
  EXPECT_EQ(all.buckets.starts, (std::vector<std::uint64_t>{0, 3, 5}));
  ASSERT_EQ(all.overlaps.size(), 1U);
  EXPECT_EQ(all.overlaps[0].overlap, (Overlap{2, 3, 2}));
  ASSERT_EQ(all.pairs.size(), 1U);
  EXPECT_EQ(all.pairs[0].value, .5);
  ASSERT_EQ(all.far_pairs.size(), 1U);
}

TEST_F(PartFiles, AreRefusedUnlessTheyAreAllOfOneNumber) {
  write(0, 3);
  write(2, 3);
  EXPECT_EQ(refusal(), folder_ + ": part is missing: 2/3");
  write(1, 3);
  EXPECT_EQ(refusal(), "");
  write(1, 2);
  EXPECT_NE(refusal().find("is part 2/2"), std::string::npos) << refusal();
}

TEST_F(PartFiles, AreRefusedForOtherSketches) {
  write(0, 1);
  subject_.sketches.front().checksum = 8;
  EXPECT_EQ(refusal(), folder_ + "/1-of-1.part: a.sketches has changed since the part was made");
}

// Rows that do not exist would be read outside of memory.
TEST_F(PartFiles, AreRefusedForRowsThereAreNot) {
  for (const Place row : {Place{10}, Place{3}}) {
    PartVerdicts verdicts;
    verdicts.buckets.members = {3, row};
    verdicts.buckets.starts = {0, 2};
    write(0, 1, verdicts);
    EXPECT_EQ(refusal(), folder_ + "/1-of-1.part: is damaged") << row;
  }
  PartVerdicts verdicts;
  verdicts.overlaps = {{3, 10, {}}};
  write(0, 1, verdicts);
  EXPECT_EQ(refusal(), folder_ + "/1-of-1.part: is damaged");
  verdicts.overlaps = {{3, 4, {5, 4, 4}}};
  write(0, 1, verdicts);
  EXPECT_EQ(refusal(), folder_ + "/1-of-1.part: is damaged");
}

TEST_F(PartFiles, AreNotReadWhereTheyOutgrowAQuarterOfTheMemory) {
  write(0, 2);
  write(1, 2);
  const std::uint64_t bytes = std::filesystem::file_size(part_path(folder_, {0, 2})) +
                              std::filesystem::file_size(part_path(folder_, {1, 2}));
  EXPECT_TRUE(read_parts(folder_, subject_, 4 * bytes));
  EXPECT_FALSE(read_parts(folder_, subject_, 4 * bytes - 1));
}

TEST_F(PartFiles, AreRefusedForValuesThatAreNoNumbers) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    PartVerdicts verdicts;
    verdicts.pairs = {{3, 4, value}};
    write(0, 1, verdicts);
    EXPECT_EQ(refusal(), folder_ + "/1-of-1.part: is damaged") << value;
  }
}

}  // namespace
}  // namespace sosie
