#include "core/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sosie/error.h"

namespace sosie {
namespace {

TEST(ThreadPool, RunsEveryIndexOnce) {
  ThreadPool pool(4, nullptr);
  for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
    std::vector<std::atomic<int>> runs(count);
    pool.for_each(count, [&](unsigned worker, std::size_t i) {
      EXPECT_LT(worker, 4U);
      ++runs[i];
    });
    for (const auto& run : runs) EXPECT_EQ(run, 1);
  }
}

TEST(ThreadPool, RethrowsTheFailureOfTheLowestIndex) {
  ThreadPool pool(4, nullptr);
  for (int round = 0; round < 50; ++round) {
    try {
      pool.for_each(1000, [](unsigned, std::size_t i) {
        if (i >= 17) throw Error(ErrorKind::io, std::to_string(i));
      });
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "17");
    }
  }
}

TEST(ThreadPool, StopsWhenAskedTo) {
  const std::atomic<bool> cancel{true};
  ThreadPool pool(2, &cancel);
  EXPECT_THROW(pool.for_each(10, [](unsigned, std::size_t) {}), Error);
  EXPECT_THROW(pool.check_cancelled(), Error);
}

TEST(ThreadPool, TakesIndexesThroughTheirStepsInTurn) {
  ThreadPool pool(4, nullptr);
  std::vector<std::size_t> begun;
  std::vector<std::size_t> ended;
  std::vector<std::size_t> turned;
  std::vector<std::size_t> between(500);
  ThreadPool::Steps steps;
  steps.begin = [&](unsigned /*worker*/, std::size_t i) { begun.push_back(i); };
  steps.middle = [&](unsigned worker, std::size_t i) { between[i] = worker + 1; };
  steps.turn = [&](unsigned worker, std::size_t i) {
    EXPECT_EQ(between[i], worker + 1);
    turned.push_back(i);
  };
  steps.rest = [&](unsigned worker, std::size_t i) { between[i] += worker; };
  steps.end = [&](unsigned worker, std::size_t i) {
    EXPECT_EQ(between[i], 2 * worker + 1);
    ended.push_back(i);
  };
  pool.for_each_in_turn(between.size(), steps);
  std::vector<std::size_t> all(between.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(begun, all);
  EXPECT_EQ(turned, all);
  EXPECT_EQ(ended, all);
}

TEST(ThreadPool, NoStepWaitsForOneThatFailed) {
  ThreadPool pool(4, nullptr);
  for (int at = 0; at < 5; ++at) {
    std::size_t ended = 0;
    const auto fail_at = [&](int step) {
      return [&, step](unsigned /*worker*/, std::size_t i) {
        if (step == at && i == 17) throw Error(ErrorKind::io, "17");
        if (step == 4) ++ended;
      };
    };
    EXPECT_THROW(
        pool.for_each_in_turn(1000, {fail_at(0), fail_at(1), fail_at(2), fail_at(3), fail_at(4)}),
        Error);
    EXPECT_EQ(ended, 17U);
  }
}

TEST(ThreadPool, StopsBetweenSteps) {
  std::atomic<bool> cancel{false};
  ThreadPool pool(3, &cancel);
  std::size_t ended = 0;
  ThreadPool::Steps steps;
  steps.end = [&](unsigned /*worker*/, std::size_t i) {
    ++ended;
    if (i == 5) cancel = true;
  };
  EXPECT_THROW(pool.for_each_in_turn(1 << 20, steps), Error);
  EXPECT_LT(ended, 100U);
}

}  // namespace
}  // namespace sosie
