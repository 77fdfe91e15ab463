// Tests cutting strings that share a beginning, that differ everywhere, or that are all similar.
#include "candidates/string_cuts.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "core/mix64.h"

namespace sosie {
namespace {

// Strings of the same length, made by replacing each '#' in the form with a random digit.
StringCuts cuts_of_form(const std::string& form, std::uint32_t pieces, std::uint64_t digits = 10) {
  StringColumn column{2, 256, {0}, {}};
  for (std::uint64_t i = 0; i < kCutSample; ++i) {
    for (std::size_t at = 0; at < form.size(); ++at) {
      const auto digit = static_cast<char>('0' + random64(i, at) % digits);
      column.symbols.push_back(static_cast<std::byte>(form[at] == '#' ? digit : form[at]));
      column.symbols.push_back(std::byte{0});
    }
    column.starts.push_back(column.starts.back() + form.size());
  }
  std::vector<std::uint32_t> rows(kCutSample);
  std::iota(rows.begin(), rows.end(), 0U);
  return rare_cuts(column, rows, equal_cuts(static_cast<std::uint32_t>(form.size()), pieces));
}

TEST(StringCuts, OfEqualPiecesLengthenTheLast) {
  EXPECT_EQ(equal_cuts(11, 3), (StringCuts{0, 3, 7, 11}));
  EXPECT_EQ(equal_cuts(3, 3), (StringCuts{0, 1, 2, 3}));
  EXPECT_EQ(equal_cuts(5, 1), (StringCuts{0, 5}));
}

TEST(StringCuts, LeaveOutWhatAllStringsShare) {
  EXPECT_EQ(cuts_of_form("https://example.com/item/#########", 3), (StringCuts{0, 28, 31, 34}));
  EXPECT_EQ(cuts_of_form("#########.example.com/index.html", 3), (StringCuts{0, 3, 6, 32}));
  const StringCuts between = cuts_of_form("https://example.com/####/of/####", 2);
  EXPECT_GE(between[1], 24);
  EXPECT_LE(between[1], 28);
}

TEST(StringCuts, StayEqualWhereStringsDifferEverywhere) {
  EXPECT_EQ(cuts_of_form("##############", 3), equal_cuts(14, 3));
}

// No other cuts are much better.
TEST(StringCuts, StayEqualWherePiecesAreTooFew) {
  EXPECT_EQ(cuts_of_form("################", 16), equal_cuts(16, 16));
  EXPECT_EQ(cuts_of_form("the same in all", 3), equal_cuts(15, 3));
  EXPECT_EQ(cuts_of_form("################", 4, 1), equal_cuts(16, 4));
}

}  // namespace
}  // namespace sosie
