#include "io/sorted_records.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <thread>

#include "sosie/error.h"

namespace sosie {
namespace {

std::vector<KeyedRow> all_of(const SortedRecords<KeyedRow>& sorted) {
  std::vector<KeyedRow> out;
  sorted.for_each([&](const KeyedRow& row) {
    out.push_back(row);
    return true;
  });
  return out;
}

bool same_records(const std::vector<KeyedRow>& a, const std::vector<KeyedRow>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.key == y.key && x.row == y.row; });
}

std::vector<KeyedRow> drawn(std::size_t count, std::uint64_t keys, std::uint64_t state) {
  std::vector<KeyedRow> rows;
  for (std::uint64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    rows.push_back({(state >> 7) % keys, i});
  }
  return rows;
}

void sort_stably(std::vector<KeyedRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
}

RC_GTEST_PROP(SortedRecords, IsAStableSortWhateverTheMemory, ()) {
  auto rows = drawn(*rc::gen::inRange<std::size_t>(0, 5000),
                    *rc::gen::element<std::uint64_t>(1, 7, 1000, ~std::uint64_t{0}),
                    *rc::gen::arbitrary<std::uint64_t>());
  const auto memory = *rc::gen::element<std::uint64_t>(1, 2000, 20'000, 100'000, 10'000'000);
  const auto block = *rc::gen::inRange<std::size_t>(1, 600);
  Scratch scratch("/tmp");
  SortedRecords<KeyedRow> sorted(scratch, memory);
  for (std::size_t at = 0; at < rows.size(); at += block) {
    sorted.add(std::span(rows).subspan(at, std::min(block, rows.size() - at)));
  }
  sorted.finish();
  sort_stably(rows);
  RC_ASSERT(same_records(all_of(sorted), rows));
  RC_ASSERT(same_records(all_of(sorted), rows));  // a second pass gives equal rows
}

TEST(SortedRecords, HoldsWhatSeveralThreadsAdd) {
  for (const std::uint64_t memory : {std::uint64_t{20'000}, std::uint64_t{1} << 24}) {
    Scratch scratch("/tmp");
    SortedRecords<KeyedRow> sorted(scratch, memory);
    std::vector<std::thread> threads;
    for (std::uint64_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::uint64_t i = 0; i < 5000; ++i) {
          const KeyedRow row{(i * 7919 % 5000) * 4 + thread, thread};
          sorted.add({&row, 1});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    sorted.finish();
    std::uint64_t next = 0;
    for (const KeyedRow& row : all_of(sorted)) EXPECT_EQ(row.key, next++);
    EXPECT_EQ(next, 20'000U);
  }
}

TEST(SortedRecords, StopsWhenTheReaderSaysSo) {
  Scratch scratch("/tmp");
  SortedRecords<KeyedRow> sorted(scratch, 4096);
  const auto rows = drawn(5000, 1'000'000, 3);
  sorted.add(rows);
  sorted.finish();
  int seen = 0;
  sorted.for_each([&](const KeyedRow&) { return ++seen < 17; });
  EXPECT_EQ(seen, 17);
}

// The ten lowest rows of all.
RC_GTEST_PROP(SortedRecords, WhatIsPrunedTakesNoScratch, ()) {
  auto rows = drawn(*rc::gen::inRange<std::size_t>(0, 20'000), 1'000'000,
                    *rc::gen::arbitrary<std::uint64_t>());
  Scratch scratch("/tmp");
  SortedRecords<KeyedRow> sorted(scratch, 8192, [](std::vector<KeyedRow>& some) {
    if (some.size() > 10) some.resize(10);
  });
  sorted.add(rows);
  sorted.finish();
  RC_ASSERT(scratch.peak_bytes() == 0U);
  sort_stably(rows);
  rows.resize(std::min<std::size_t>(rows.size(), 10));
  auto kept = all_of(sorted);
  RC_ASSERT(kept.size() >= rows.size());
  kept.resize(rows.size());
  RC_ASSERT(same_records(kept, rows));
}

TEST(SortedRecords, TakesNoMoreScratchThanItsRecordsAndGivesItBack) {
  Scratch scratch("/tmp");
  {
    SortedRecords<KeyedRow> sorted(scratch, std::uint64_t{1} << 20);
    sorted.add(drawn(500'000, 1'000'000, 5));
    sorted.finish();
  }
  const std::uint64_t peak = scratch.peak_bytes();
  EXPECT_GT(peak, 6'000'000U);
  EXPECT_LT(peak, 8'200'000U);  // 8 MB
  scratch.take(peak);           // all of it has been released
  EXPECT_EQ(scratch.peak_bytes(), peak);
}

TEST(SortedRecords, ScratchIsLimited) {
  Scratch small("/tmp", 100'000);
  SortedRecords<KeyedRow> sorted(small, 4096);
  const auto rows = drawn(100'000, 1'000'000, 7);
  EXPECT_THROW(sorted.add(rows), Error);
}

}  // namespace
}  // namespace sosie
