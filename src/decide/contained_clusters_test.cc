// Tests of the limits of decisions about rows in scratch that contain each other;
// tests/cli/test_join_memory.py compares these decisions with those made in memory.
#include "decide/contained_clusters.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

TEST(ContainedRows, AreAsManyAsTheMemoryHoldsAndTheHintIsEnough) {
  Settings settings;
  settings.memory_bytes = std::uint64_t{256} << 20;
  constexpr std::uint64_t kMost = (std::uint64_t{272} << 20) / 32;
  EXPECT_NO_THROW(check_contained_rows(kMost, settings));
  try {
    check_contained_rows(kMost + 1, settings);
    ADD_FAILURE() << "one row too many";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
    EXPECT_EQ(std::string(error.what()),
              "--memory: 8,912,897 rows contain others or are contained: they need 260M, not 256M");
    settings.memory_bytes = std::stoull(error.hint().substr(9)) << 20;  // --memory 260M
  }
  EXPECT_NO_THROW(check_contained_rows(kMost + 1, settings));
}

}  // namespace
}  // namespace sosie
