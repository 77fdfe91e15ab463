#include "plan/run_costs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sosie {
namespace {

// Texts of 100 words, none of them similar to another.
RowSurvey texts(std::uint64_t rows) {
  RowSurvey survey;
  survey.bytes = 700 * rows;
  survey.rows = rows;
  survey.tokens = survey.shingles = survey.elements = 100 * rows;
  survey.longest_row = 1000;
  survey.most_shingles = 200;
  survey.neighbours = 100;
  survey.drawn = 100;
  survey.far.drawn = 4950;
  survey.far.by_similarity[0] = 4950;
  return survey;
}

// A survey of rows in groups of ten, in which each row is similar to nine others.
RowSurvey groups_of_ten(std::uint64_t rows) {
  RowSurvey survey = texts(rows);
  survey.partnered = 80;
  survey.far.by_similarity[0] = 4590;
  survey.far.by_similarity[60] = 360;
  survey.far.shingles[60] = std::uint64_t{360} * 200;
  return survey;
}

PlannedRun run_in(std::uint64_t memory_bytes) {
  PlannedRun run;
  run.banding = {.components = 128, .bands = 16, .rows = 6, .filter_agreements = 88};
  run.memory_bytes = memory_bytes;
  return run;
}

constexpr std::uint64_t kMuch = std::uint64_t{64} << 30;
constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;

TEST(RunCosts, TimeAndMemoryGrowWithTheRows) {
  const RunCosts once = run_costs(texts(1'000'000), run_in(kMuch));
  const RunCosts twice = run_costs(texts(2'000'000), run_in(kMuch));
  EXPECT_NEAR(static_cast<double>(twice.peak_bytes) / static_cast<double>(once.peak_bytes), 2, 0.1);
  EXPECT_FALSE(twice.spills);
  EXPECT_EQ(twice.scratch_bytes, 0);
}

TEST(RunCosts, RowsCostMoreOutsideTheCachesUpToALimit) {
  const auto cost_of_doubling = [](std::uint64_t rows) {
    return run_costs(texts(2 * rows), run_in(kMuch)).cpu_seconds /
           run_costs(texts(rows), run_in(kMuch)).cpu_seconds;
  };
  EXPECT_LE(cost_of_doubling(100'000), 2);
  EXPECT_GT(cost_of_doubling(1'000'000), 2.05);
  EXPECT_NEAR(cost_of_doubling(100'000'000), 2, 0.01);
}

TEST(RunCosts, RowsThatDoNotFitGoToScratchAndTheMemoryIsKept) {
  const RunCosts costs = run_costs(texts(10'000'000), run_in(kLittle));
  EXPECT_TRUE(costs.spills);
  EXPECT_LE(costs.peak_bytes, kLittle + (std::uint64_t{64} << 20));
  EXPECT_NEAR(static_cast<double>(costs.scratch_bytes) / 1e7, 260, 15);  // see docs/memory.md
  EXPECT_GT(costs.cpu_seconds, run_costs(texts(10'000'000), run_in(kMuch)).cpu_seconds);
}

TEST(RunCosts, PhasesAddUpToTheRun) {
  RowSurvey packed = groups_of_ten(1'000'000);
  packed.unzstd_bytes = 3 * packed.bytes;
  packed.unkept_bytes = packed.bytes;
  packed.stored_bytes = packed.bytes / 4;
  for (const RowSurvey& survey : {texts(1'000'000), groups_of_ten(1'000'000), packed}) {
    for (const std::uint64_t memory : {kMuch, kLittle}) {
      const RunCosts costs = run_costs(survey, run_in(memory));
      double seconds = 0;
      double peak = 0;
      double scratch = 0;
      for (const PhaseCosts& phase : costs.phases) {
        EXPECT_GT(phase.cpu_seconds, 0);
        seconds += phase.cpu_seconds;
        peak = std::max(peak, phase.peak_bytes);
        scratch = std::max(scratch, phase.scratch_bytes);
      }
      EXPECT_NEAR(seconds, costs.cpu_seconds, 1e-9 * seconds);
      EXPECT_NEAR(peak, static_cast<double>(costs.peak_bytes), 1);
      EXPECT_NEAR(scratch, static_cast<double>(costs.scratch_bytes), 1);
    }
  }
}

TEST(RunCosts, OfPackedRowsThoseThatAreReadAgainLieInScratch) {
  RowSurvey packed = texts(1'000'000);
  packed.unkept_bytes = packed.bytes;
  const double few = static_cast<double>(run_costs(packed, run_in(kMuch)).scratch_bytes);
  EXPECT_GT(few, 0);
  EXPECT_LT(few, 0.2 * static_cast<double>(packed.bytes));
  RowSurvey grouped = groups_of_ten(1'000'000);
  grouped.unkept_bytes = grouped.bytes;
  EXPECT_NEAR(static_cast<double>(run_costs(grouped, run_in(kMuch)).scratch_bytes),
              static_cast<double>(grouped.bytes), 1);
}

TEST(RunCosts, WhatMayNotSpillStaysInMemory) {
  PlannedRun run = run_in(kLittle);
  run.may_spill = false;
  EXPECT_FALSE(run_costs(texts(10'000'000), run).spills);
  run = run_in(kLittle);
  run.method = Method::brute;
  EXPECT_FALSE(run_costs(texts(10'000'000), run).spills);
}

TEST(RunCosts, ElementsOfAnExactJoinGoToScratch) {
  PlannedRun run = run_in(kLittle);
  run.method = Method::exact;
  const RowSurvey rows = texts(100'000);
  const RunCosts little = run_costs(rows, run);
  EXPECT_TRUE(little.spills);
  EXPECT_EQ(little.scratch_bytes, 16 * rows.elements);
  EXPECT_LE(little.peak_bytes, kLittle + (std::uint64_t{64} << 20));
  run.memory_bytes = kMuch;
  EXPECT_FALSE(run_costs(rows, run).spills);
}

TEST(RunCosts, ExactJoinsByRangesTakeTimeByTheirNumber) {
  PlannedRun run = run_in(kMuch);
  run.method = Method::exact;
  const auto added = [&](const RowSurvey& survey, std::uint64_t memory) {
    run.memory_bytes = kMuch;
    const double in_memory = run_costs(survey, run).cpu_seconds;
    run.memory_bytes = memory;
    return run_costs(survey, run).cpu_seconds - in_memory;
  };
  RowSurvey survey = texts(1'000'000);
  EXPECT_EQ(added(survey, kMuch / 2), 0);
  const double few = added(survey, 4 * kLittle);
  EXPECT_GT(few, 50);  // about 100 ranges of a hundred million elements
  EXPECT_NEAR(added(survey, kLittle) / few, 4, 0.2);
  survey.other_rows = survey.rows / 10;  // a tenth of the rows is compared with the others
  run.use = JoinUse::every_pair;
  EXPECT_NEAR(added(survey, 4 * kLittle) / few, 0.18, 0.03);
}

TEST(RunCosts, UnpackedInputsAreInScratchToo) {
  RowSurvey survey = texts(100'000);
  survey.spooled_bytes = survey.bytes;
  EXPECT_EQ(run_costs(survey, run_in(kMuch)).scratch_bytes, survey.bytes);
  const RunCosts plain = run_costs(texts(100'000), run_in(kLittle));
  EXPECT_EQ(run_costs(survey, run_in(kLittle)).scratch_bytes, survey.bytes + plain.scratch_bytes);
}

TEST(RunCosts, SimilarPairsCostPairsMoreThanDedup) {
  const RowSurvey rows = groups_of_ten(100'000);
  PlannedRun run = run_in(kMuch);
  const RunCosts dedup = run_costs(rows, run);
  run.use = JoinUse::every_pair;
  const RunCosts pairs = run_costs(rows, run);
  EXPECT_GT(pairs.cpu_seconds, 2 * dedup.cpu_seconds);
  EXPECT_GT(pairs.peak_bytes, dedup.peak_bytes);
  EXPECT_GT(dedup.cpu_seconds, run_costs(texts(100'000), run_in(kMuch)).cpu_seconds);
}

TEST(RunCosts, CopiesAreNotCompared) {
  RowSurvey rows = groups_of_ten(100'000);
  PlannedRun run = run_in(kMuch);
  run.use = JoinUse::every_pair;
  const auto verifying = [&] {
    return run_costs(rows, run).phases[static_cast<std::size_t>(RunPhase::verifying)].cpu_seconds;
  };
  const double distinct = verifying();
  rows.copied_rows = 90'000;
  EXPECT_LT(verifying(), distinct / 3);
  run.method = Method::exact;
  const std::uint64_t few = run_costs(rows, run).peak_bytes;
  rows.copied_elements = 9'000'000;
  EXPECT_LT(run_costs(rows, run).peak_bytes, few);  // they are kept, but not indexed
}

TEST(RunCosts, ExactKeepsAllElements) {
  PlannedRun run = run_in(kMuch);
  run.method = Method::exact;
  run.join_seconds = 3;
  RowSurvey rows = texts(100'000);
  const RunCosts once = run_costs(rows, run);
  rows.elements *= 2;
  const RunCosts twice = run_costs(rows, run);
  EXPECT_GT(twice.peak_bytes, once.peak_bytes + std::uint64_t{100'000} * 100 * 24);
  EXPECT_GT(once.cpu_seconds, 3);
}

TEST(RunCosts, RowsWithoutAPartnerAreNotKept) {
  PlannedRun run = run_in(kLittle);
  run.method = Method::exact;
  run.use = JoinUse::every_pair;
  const RowSurvey rows = texts(100'000);
  const RunCosts all = run_costs(rows, run);
  run.partners = {.small_elements = 1000, .rows = 100, .elements = 10'000};
  const RunCosts few = run_costs(rows, run);
  EXPECT_GT(all.scratch_bytes, 0U);
  EXPECT_EQ(few.scratch_bytes, 0U);
  EXPECT_LT(few.peak_bytes, all.peak_bytes);
  EXPECT_LT(few.cpu_seconds, all.cpu_seconds);
}

TEST(RunCosts, NoRowsTakeNextToNothing) {
  const RunCosts costs = run_costs(RowSurvey{}, run_in(kMuch));
  EXPECT_LT(costs.cpu_seconds, 0.1);
  EXPECT_LT(costs.peak_bytes, 20'000'000);
  EXPECT_EQ(costs.scratch_bytes, 0);
}

}  // namespace
}  // namespace sosie
