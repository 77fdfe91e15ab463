#include "core/row_bits.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace sosie {
namespace {

RC_GTEST_PROP(RowBits, RankCountsTheRowsBeforeAndSelectFindsThem, ()) {
  const auto rows = *rc::gen::inRange<std::uint64_t>(1, 5000);
  const auto chosen =
      *rc::gen::container<std::vector<RowId>>(rc::gen::inRange<RowId>(0, static_cast<RowId>(rows)));
  RowBits bits(rows);
  std::vector<bool> expected(rows);
  for (const RowId row : chosen) {
    bits.set(row);
    expected[row] = true;
  }
  bits.count();
  RowId before = 0;
  for (RowId row = 0; row < rows; ++row) {
    RC_ASSERT(bits.test(row) == expected[row]);
    RC_ASSERT(bits.rank(row) == before);
    if (expected[row]) RC_ASSERT(bits.select(before) == row);
    before += expected[row] ? 1U : 0U;
  }
  RC_ASSERT(bits.size() == before);
  std::vector<RowId> listed;
  bits.for_each([&](RowNumber row) { listed.push_back(row_id(row)); });
  RC_ASSERT(listed.size() == before);
  RC_ASSERT(std::is_sorted(listed.begin(), listed.end()));
}

}  // namespace
}  // namespace sosie
