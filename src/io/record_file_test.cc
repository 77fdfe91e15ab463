#include "io/record_file.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <memory>

#include "sosie/error.h"

namespace sosie {
namespace {

using Record = std::array<std::uint8_t, 3>;

RC_GTEST_PROP(RecordFile, GivesBackEveryRunOfRecords, (const std::vector<Record>& records)) {
  Scratch scratch("/tmp");
  const auto page_bytes = *rc::gen::inRange<std::size_t>(1, 40);  // some too small for one record
  RecordFile file(scratch, sizeof(Record), page_bytes);
  for (std::size_t at = 0; at < records.size();) {
    const std::size_t count = std::min(*rc::gen::inRange<std::size_t>(1, 9), records.size() - at);
    file.append(records.data() + at, count);
    at += count;
  }
  file.finish();
  RC_ASSERT(file.size() == records.size());
  const auto first = *rc::gen::inRange<std::size_t>(0, records.size() + 1);
  const auto count = *rc::gen::inRange<std::size_t>(0, records.size() - first + 1);
  std::vector<Record> run(count);
  file.read(first, count, run.data());
  const auto begin = records.begin() + static_cast<std::ptrdiff_t>(first);
  RC_ASSERT(std::equal(run.begin(), run.end(), begin));
  ColumnReader<Record> column(file);
  for (std::size_t i = 0; i < records.size(); ++i) RC_ASSERT(column[i] == records[i]);
}

TEST(RecordFile, PagesHoldAsManyRecordsAsFitBesideTheirChecksum) {
  Scratch scratch("/tmp");
  RecordFile file(scratch, 4, 8 + 10);
  EXPECT_EQ(file.records_of_page(), 2U);
  const std::vector<std::uint32_t> numbers = {7, 8, 9};
  file.append(numbers.data(), numbers.size());
  file.finish();
  std::vector<std::uint32_t> page(2);
  EXPECT_EQ(file.read_page(0, page.data()), 2U);
  EXPECT_EQ(page, (std::vector<std::uint32_t>{7, 8}));
  EXPECT_EQ(file.read_page(1, page.data()), 1U);
  EXPECT_EQ(page.front(), 9U);
}

TEST(RecordFile, PagesThatAThreadKeepsAreOfOneFile) {
  constexpr std::uint64_t kRecords = 20;
  Scratch scratch("/tmp");
  const auto filled = [&](std::uint64_t first) {
    auto file = std::make_unique<RecordFile>(scratch, 8, 16);  // one record per page
    for (std::uint64_t i = 0; i < kRecords; ++i) {
      const std::uint64_t value = first + i;
      file->append(&value, 1);
    }
    file->finish();
    return file;
  };
  const auto value_of = [](const RecordFile& file, std::uint64_t i) {
    std::uint64_t value = 0;
    file.read(i, 1, &value);
    return value;
  };
  for (std::uint64_t round = 0; round < 3; ++round) {  // files in a round may reuse old places
    const auto one = filled(1000 * round);
    const auto other = filled(1000 * round + 500);
    for (std::uint64_t i = 0; i < kRecords; ++i) {
      ASSERT_EQ(value_of(*one, i), 1000 * round + i);
      ASSERT_EQ(value_of(*other, i), 1000 * round + 500 + i);
      ASSERT_EQ(value_of(*one, 0), 1000 * round);
    }
  }
}

TEST(RecordFile, TakesItsPlaceInScratchAndGivesItBack) {
  Scratch scratch("/tmp", 4096);
  {
    RecordFile file(scratch, 8, 1024);
    const std::vector<std::uint64_t> numbers(127 * 4);
    file.append(numbers.data(), numbers.size());
    file.finish();
    EXPECT_FALSE(scratch.has_space(1));
    RecordFile more(scratch, 8, 1024);
    EXPECT_THROW(more.append(numbers.data(), numbers.size()), Error);
  }
  EXPECT_TRUE(scratch.has_space(512));
}

}  // namespace
}  // namespace sosie
