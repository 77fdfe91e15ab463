#include "join/grouped_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "core/mix64.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(RoomForBands, IsForAllWhereMemoryAllowsIt) {
  const auto given = memory_for_bands({1'000'000, 60, 400 * kMiB, 4096 * kMiB, 8});
  EXPECT_EQ(given.bands_kept, 60U);
  EXPECT_EQ(given.bands_at_once, 8U);
  EXPECT_EQ(given.sort_bytes, 1024 * kMiB);
}

TEST(RoomForBands, NeverPromisesMoreThanThereIs) {
  std::size_t groups = 0;
  for (std::uint64_t memory = 400; memory < 1200; memory += 5) {
    const BandNeeds needs{1'000'000, 60, 400'000'000, memory * kMiB, 4};
    try {
      const auto given = memory_for_bands(needs);
      ASSERT_GT(given.bands_kept, 0U);
      const std::uint64_t taken =
          needs.besides +
          needs.rows * (BandedJoin::kRowBytes + BandedJoin::kGroupedRowBytes * given.bands_at_once +
                        4 * given.bands_kept) +
          (given.bands_kept < needs.bands ? 2 : 1) * given.sort_bytes;
      EXPECT_LE(taken, needs.memory_bytes);
      groups += given.bands_kept < needs.bands ? 1 : 0;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
    }
  }
  EXPECT_GT(groups, 10U);
}

TEST(RoomForBands, CountsWhatRowsHaveInABand) {
  for (std::uint64_t memory = 400; memory < 3000; memory += 50) {
    BandNeeds needs{1'000'000, 20, 100'000'000, memory * kMiB, 2};
    needs.key_bytes = 20;
    needs.grouped_bytes = 56;
    const auto given = memory_for_bands(needs);
    const std::uint64_t taken =
        needs.besides +
        needs.rows * (BandedJoin::kRowBytes + 56 * given.bands_at_once + 20 * given.bands_kept) +
        (given.bands_kept < needs.bands ? 2 : 1) * given.sort_bytes;
    EXPECT_LE(taken, needs.memory_bytes);
  }
}

TEST(RoomForBands, SaysWhatIsEnough) {
  for (const std::uint64_t rows : {10U, 1000U, 1'000'000U, 30'000'000U}) {
    BandNeeds needs{rows, 60, rows * 50, kMiB, 4};
    try {
      static_cast<void>(memory_for_bands(needs));
    } catch (const Error& error) {
      const std::string hint = error.hint();  // "--memory 520M is enough"
      ASSERT_TRUE(hint.starts_with("--memory "));
      needs.memory_bytes =
          std::stoull(hint.substr(9)) * (hint.find("M is") < 20 ? kMiB : 1024 * kMiB);
      EXPECT_NO_THROW(static_cast<void>(memory_for_bands(needs)));
      needs.memory_bytes /= 2;
      EXPECT_THROW(static_cast<void>(memory_for_bands(needs)), Error);
    }
  }
}

// Rows whose keys agree in some bands; rows with nearby numbers are pairs.
TEST(MeasureInGroups, IsTheSameForAnyNumberOfBandsAtATime) {
  constexpr std::size_t kRows = 600;
  constexpr std::size_t kBands = 7;
  std::vector<std::uint64_t> sketches(kRows);
  for (std::size_t i = 0; i < kRows; ++i) sketches[i] = random64(1, i);
  const auto key = [](std::size_t row, std::size_t band) {
    return static_cast<std::uint32_t>(mix64(random64(2, row * kBands + band) % 40));
  };
  BandedRows table;
  table.rows = kRows;
  table.sketch_words = 1;
  table.sketches = sketches.data();
  table.most_different = 30;
  const auto hash = [&](const BandRange& bands, std::span<const std::uint32_t> rows) {
    table.bands = bands.size();
    table.keys.assign(kRows * bands.size(), 0);
    for (const std::uint32_t row : rows) {
      for (std::size_t i = 0; i < bands.size(); ++i) {
        table.keys[row * bands.size() + i] = key(row, bands.first + i);
      }
    }
  };
  std::vector<std::uint32_t> rows(kRows / 2);
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = 2 * i;
  Scratch scratch("/tmp");
  for (const std::size_t split : {0U, 100U}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    std::uint64_t count_at_once = 0;
    for (const std::size_t kept : {kBands, kBands - 1, std::size_t{2}, std::size_t{1}}) {
      for (const unsigned threads : {1U, 3U}) {
        ThreadPool pool(threads, nullptr);
        if (kept == kBands) hash({0, kBands}, rows);
        std::mutex mutex;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        const std::uint64_t measured = measure_in_groups(
            {.bands = kBands,
             .table = &table,
             .rows = rows,
             .split = split,
             .memory_share = {kept, 1, 4096},
             .hash = hash,
             .scratch = &scratch},
            pool,
            [](std::uint32_t left, std::uint32_t right) -> std::optional<double> {
              return (left + right) % 3 == 0 ? std::optional(1.0) : std::nullopt;
            },
            [&](std::span<const ScoredPair> pairs) {
              const std::lock_guard lock(mutex);
              for (const ScoredPair& pair : pairs) found.emplace_back(pair.left, pair.right);
            });
        std::sort(found.begin(), found.end());
        if (expected.empty()) {
          expected = found;
          count_at_once = measured;
          EXPECT_GT(found.size(), 300U);
        }
        EXPECT_EQ(found, expected);
        EXPECT_EQ(measured, count_at_once);
      }
    }
  }
}

}  // namespace
}  // namespace sosie
