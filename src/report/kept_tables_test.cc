// Tests that batches of rows contain exactly these rows, regardless of what lies between them.
#include "report/kept_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/mix64.h"
#include "join/sets/set_run_test.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

std::string random_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(random64(3, i));
  return bytes;
}

// Kept rows with anything from none to many others between them; some are as long as a batch.
std::vector<RowLocator> some_rows(std::uint64_t seed, std::uint64_t size) {
  std::vector<RowLocator> rows;
  constexpr std::uint64_t kGaps[] = {0, 0, 1, 300, 4096, 4097, 70'000};
  constexpr std::uint64_t kLengths[] = {1, 80, 900, 5000};
  std::uint64_t at = 0;
  for (std::uint64_t i = 0;; ++i) {
    at += kGaps[random64(seed, 2 * i) % std::size(kGaps)];
    const std::uint64_t length =
        i == 5 ? kMebibyte + 7 : kLengths[random64(seed, 2 * i + 1) % std::size(kLengths)];
    if (at + length > size) return rows;
    rows.push_back({at, static_cast<std::uint32_t>(length), 0});
    at += length;
  }
}

TEST(RowBatch, HoldsTheBytesOfItsRows) {
  work_in_test_folder();
  const std::string bytes = random_bytes(12 * kMebibyte);
  std::ofstream("batch.bin", std::ios::binary) << bytes;
  const File file("batch.bin");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    RowBatch batch;
    std::string expected;
    std::string read = "of another batch";
    std::size_t batches = 0;
    const auto check = [&] {
      batch.read(file, read);
      ASSERT_EQ(read, expected);
      expected.clear();
      batch.clear();
      ++batches;
    };
    for (const RowLocator& row : some_rows(seed, bytes.size())) {
      if (!batch.takes(row)) check();
      EXPECT_TRUE(batch.takes(row));
      batch.add(row);
      expected += bytes.substr(row.offset, row.length);
      EXPECT_LE(expected.size(), std::max<std::uint64_t>(kMebibyte, row.length));
    }
    check();
    EXPECT_GT(batches, 1);
  }
}

TEST(RowBatch, TakesRowsOfOneFile) {
  RowBatch batch;
  EXPECT_TRUE(batch.empty());
  batch.add({0, 10, 2});
  EXPECT_EQ(batch.file(), 2);
  EXPECT_TRUE(batch.takes({10, 10, 2}));
  EXPECT_FALSE(batch.takes({10, 10, 3}));
  EXPECT_FALSE(batch.takes({10, static_cast<std::uint32_t>(kMebibyte), 2}));
}

}  // namespace
}  // namespace sosie
