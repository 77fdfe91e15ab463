#include "core/thread_pool.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sosie
