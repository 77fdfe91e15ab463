#include "progress_text.h"

#include <gtest/gtest.h>

namespace sosie::cli {
namespace {

using namespace std::chrono_literals;

TEST(ProgressText, SaysHowFastAndHowLong) {
  EXPECT_EQ(progress_text({"reading", 120'000'000, 290'000'000}, 20'000'000, 4s),
            "120 of 290 MB, 25 MB/s, 7 s left");
  EXPECT_EQ(progress_text({"comparing", 12'345, 1'000'000}, 2'345, 10s),
            "12k of 1.0M rows, 1000 rows/s, 16 min 28 s left");
  EXPECT_EQ(progress_text({"opening", 5, 905}, 0, 50s),
            "5 of 905 files, 0 files/s, 2 h 30 min left");
}

TEST(ProgressText, WaitsASecondBeforeItSaysARate) {
  EXPECT_EQ(progress_text({"reading", 1'500'000, 4'000'000}, 0, 900ms), "1.5 of 4.0 MB");
  EXPECT_EQ(progress_text({"writing", 7, 9}, 7, 5s), "7 of 9 rows");
}

TEST(ProgressText, SaysNoTimeBeforeAPartIsDone) {
  EXPECT_EQ(progress_text({"reading", 3'001'000, 300'000'000}, 3'000'000, 10s),
            "3.0 of 300 MB, 0.0 MB/s");
  EXPECT_EQ(progress_text({"reading", 5'000'000, 300'000'000}, 3'000'000, 10s),
            "5.0 of 300 MB, 0.2 MB/s, 24 min 35 s left");
}

TEST(ProgressText, NeverSaysThatNoTimeIsLeft) {
  EXPECT_EQ(progress_text({"writing", 999, 1000}, 0, 10s), "999 of 1000 rows, 100 rows/s");
  EXPECT_EQ(progress_text({"writing", 1000, 1000}, 0, 10s), "1000 of 1000 rows, 100 rows/s");
  EXPECT_EQ(progress_text({"writing", 900, 1000}, 0, 10s), "900 of 1000 rows, 90 rows/s, 1 s left");
}

TEST(ProgressText, TakesATotalThatIsNotKnownOrTooSmall) {
  EXPECT_EQ(progress_text({"reading", 30'000'000, 0}, 0, 2s), "30 MB, 15 MB/s");
  EXPECT_EQ(percent({"reading", 30, 0}), 0U);
  EXPECT_EQ(percent({"reading", 30, 20}), 100U);
  EXPECT_EQ(percent({"reading", ~0ULL / 2, ~0ULL}), 50U);
}

TEST(ProgressText, FitsALineBesideTheBar) {
  for (const Progress& progress :
       {Progress{"comparing", 999'999, 999'999'999}, Progress{"reading", 1, 20'000'000'000'000},
        Progress{"reading", 1'234'567'890, 9'876'543'210},
        Progress{"opening", 9'999, 99'999'999}}) {
    EXPECT_LE(progress_text(progress, 0, 3000s).size(), 46U) << progress_text(progress, 0, 3000s);
  }
}

TEST(ProgressText, ABarIsNarrowerThanItsTerminal) {
  const std::string text = "120 of 290 MB, 25 MB/s, 7 s left";
  const auto bar = [&](std::size_t columns) { return progress_bar("reading", 41, text, columns); };
  const std::string whole = "reading   [#####         ]  41 % 120 of 290 MB, 25 MB/s, 7 s left";
  EXPECT_EQ(bar(0), whole);
  EXPECT_EQ(bar(whole.size() + 1), whole);
  EXPECT_EQ(bar(whole.size()), "reading   [#####         ]  41 % 120 of 290 MB, 7 s left");
  EXPECT_EQ(bar(50), "reading   [#####         ]  41 % 120 of 290 MB");
  EXPECT_EQ(bar(40), "reading   [#####         ]  41 % ");
  EXPECT_EQ(bar(30), "reading 41 %");
  EXPECT_EQ(bar(8), "reading");
  for (std::size_t columns = 1; columns < 100; ++columns) EXPECT_LT(bar(columns).size(), columns);
}

TEST(ProgressText, TellsTheRestByHowMuchSlowerTheStageGets) {
  const Progress progress{"comparing", 2000, 10'000};
  // 2,000 rows take 4 s, and the first 1,000 of them 1 s: the time grows with the square of their
  // number, so 10,000 rows take 100 s.
  EXPECT_EQ(progress_text(progress, 0, 4s, {1000, 1s}),
            "2000 of 10k rows, 500 rows/s, 1 min 36 s left");
  EXPECT_EQ(progress_text(progress, 0, 4s, {1000, 2s}), "2000 of 10k rows, 500 rows/s, 16 s left");
  // A stage that speeds up counts as linear, and one that slows down even more as quadratic.
  EXPECT_EQ(progress_text(progress, 0, 4s, {1000, 3s}), "2000 of 10k rows, 500 rows/s, 16 s left");
  EXPECT_EQ(progress_text(progress, 0, 4s, {1000, 100ms}),
            "2000 of 10k rows, 500 rows/s, 1 min 36 s left");
}

}  // namespace
}  // namespace sosie::cli
