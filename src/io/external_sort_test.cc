#include "io/external_sort.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/mix64.h"
#include "sosie/error.h"

namespace sosie {
namespace {

class ExternalSortTest : public ::testing::Test {
 protected:
  ~ExternalSortTest() override { std::filesystem::remove_all(folder_); }

  static std::string make_folder() {
    std::string path = (std::filesystem::temp_directory_path() / "sort-XXXXXX").string();
    return ::mkdtemp(path.data());
  }

  std::string folder_ = make_folder();
  Scratch scratch_{folder_};
};

std::vector<KeyedRow> sorted(ExternalSort<KeyedRow>& sort) {
  std::vector<KeyedRow> out;
  sort.drain([&](const KeyedRow& row) { out.push_back(row); });
  return out;
}

bool same(const std::vector<KeyedRow>& a, const std::vector<KeyedRow>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.key == y.key && x.row == y.row; });
}

// Runs of `in_memory` records; if there are many runs, they are merged two at a time, in passes.
RC_GTEST_FIXTURE_PROP(ExternalSortTest, IsAStableSortWhateverTheMemory, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 1000);
  const auto in_memory = *rc::gen::inRange<std::size_t>(8, 300);
  const auto keys = *rc::gen::element<std::uint64_t>(1, 7, 1000, ~std::uint64_t{0});
  ExternalSort<KeyedRow> sort(scratch_, in_memory * 2 * sizeof(KeyedRow));
  std::vector<KeyedRow> expected;
  std::uint64_t state = *rc::gen::arbitrary<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    expected.push_back({(state >> 7) % keys, i});
    sort.add(expected.back());
  }
  RC_ASSERT(sort.size() == count);
  std::stable_sort(expected.begin(), expected.end(),
                   [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
  RC_ASSERT(same(sorted(sort), expected));
}

// More records than fit in the caches, with keys of this many bits.
std::vector<KeyedRow> long_list(int bits, std::uint64_t base) {
  constexpr std::size_t kRecords = 300'000;
  constexpr int kAll = 64;
  std::vector<KeyedRow> records;
  for (std::uint64_t i = 0; i < kRecords; ++i) {
    const std::uint64_t key = bits == 0 ? 0 : random64(7, i) >> (kAll - bits);
    records.push_back({i % 100 == 0 ? base + key : base + key / 3, i});
  }
  return records;
}

// Keys that are spread evenly, that are all in one part, that have few values, or that are all
// equal.
TEST(SortByKey, IsStableForLongLists) {
  for (const int bits : {64, 40, 17, 8, 3, 0}) {
    for (const std::uint64_t base : {std::uint64_t{0}, ~std::uint64_t{0} << 41}) {
      std::vector<KeyedRow> records = long_list(bits, base);
      std::vector<KeyedRow> expected = records;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
      std::vector<KeyedRow> spare;
      sort_by_key(records, spare);
      EXPECT_TRUE(same(records, expected)) << bits << " " << base;
    }
  }
}

TEST_F(ExternalSortTest, GivesBackItsScratch) {
  {
    ExternalSort<KeyedRow> sort(scratch_, 64);
    for (std::uint64_t i = 0; i < 10'000; ++i) sort.add({i * 7919 % 10'000, i});
    EXPECT_EQ(sorted(sort).size(), 10'000U);
  }
  const std::uint64_t peak = scratch_.peak_bytes();
  EXPECT_GE(peak, 10'000 * sizeof(KeyedRow));
  scratch_.take(peak);  // all of it has been released
  EXPECT_EQ(scratch_.peak_bytes(), peak);
}

TEST_F(ExternalSortTest, ScratchIsLimited) {
  Scratch small(folder_, 100'000);
  ExternalSort<KeyedRow> sort(small, 1024);
  try {
    for (std::uint64_t i = 0; i < 100'000; ++i) sort.add({i, i});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
    EXPECT_NE(std::string(error.what()).find("--scratch-limit is 100000"), std::string::npos);
  }
}

RC_GTEST_FIXTURE_PROP(ExternalSortTest, RecordsAreReadAsTheyWereAppended, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 3000);
  const auto page = *rc::gen::element<std::size_t>(1, 64, 100, kSmallPage);
  RecordFile file(scratch_, sizeof(std::uint32_t), page);
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * i);
  for (std::size_t at = 0; at < count;) {
    const std::size_t part = std::min(count - at, *rc::gen::inRange<std::size_t>(1, 1000));
    file.append(values.data() + at, part);
    at += part;
  }
  file.finish();
  RC_ASSERT(file.size() == count);
  const auto first = *rc::gen::inRange<std::size_t>(0, count);
  const auto some = *rc::gen::inRange<std::size_t>(0, count - first + 1);
  std::vector<std::uint32_t> read(some);
  file.read(first, some, read.data());
  RC_ASSERT(std::equal(read.begin(), read.end(), values.begin() + static_cast<long>(first)));
  ColumnReader<std::uint32_t> column(file);
  RC_ASSERT(column[count - 1] == values.back());
  RC_ASSERT(column[first] == values[first]);
}

// Finds the unnamed file among this process's descriptors and changes one of its bytes.
void damage(const std::string& folder) {
  for (int number = 3; number < 256; ++number) {
    std::error_code none;
    const auto target =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(number), none);
    if (none || target.string().find(folder) != 0) continue;
    char byte = 0;
    ASSERT_EQ(::pread(number, &byte, 1, 1234), 1);
    byte = static_cast<char>(byte ^ 1);
    ASSERT_EQ(::pwrite(number, &byte, 1, 1234), 1);
    return;
  }
  FAIL() << "no scratch file is open";
}

TEST_F(ExternalSortTest, WhatADiskHasChangedIsAnError) {
  RecordFile file(scratch_, sizeof(std::uint64_t), kSmallPage);
  const std::vector<std::uint64_t> values(2000, 17);
  file.append(values.data(), values.size());
  file.finish();
  std::uint64_t value = 0;
  damage(folder_);  // before this thread has read the page
  EXPECT_THROW(file.read(100, 1, &value), Error);
  EXPECT_THROW(file.read(100, 1, &value), Error);
  file.read(1999, 1, &value);  // other pages are intact
  EXPECT_EQ(value, 17U);
}

}  // namespace
}  // namespace sosie
