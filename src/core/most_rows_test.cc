// Tests that more rows than 32-bit numbers can count are an error that names ways out.
#include "core/most_rows.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

template <class Check>
std::string said(const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(MostRows, AllNumbersButTwoCanBeUsed) {
  constexpr std::uint64_t kMost = 4'294'967'294;
  EXPECT_EQ(most_rows(), kMost);
  EXPECT_EQ(said([] { check_rows_of_run(kMost); }), "nothing");
  EXPECT_EQ(said([] { check_items_of_index(kMost, "a: "); }), "nothing");
  EXPECT_NE(said([] { check_rows_of_run(kMost + 1); }).find("4,294,967,294 rows in one run"),
            std::string::npos);
  EXPECT_NE(said([] { check_items_of_index(std::uint64_t{1} << 40, "a: "); }).find("a: more than"),
            std::string::npos);
}

}  // namespace
}  // namespace sosie
