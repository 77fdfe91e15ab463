// Tests that values get the same numbers whether they are numbered together or one by one.
#include "corpus/items/value_numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sosie {
namespace {

RC_GTEST_PROP(ValueNumbers, AreTheSameTogetherAndOneByOne, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::inRange('a', 'd')));
  RecordColumn one_by_one;
  ValueNumbers single(one_by_one);
  for (const std::string& text : texts) single.add(text);

  RecordColumn together;
  ValueNumbers several(together);
  for (std::size_t begin = 0; begin < texts.size(); begin += ValueNumbers::kAtOnce) {
    const std::size_t end = std::min(texts.size(), begin + ValueNumbers::kAtOnce);
    const std::vector<std::string_view> views(texts.begin() + static_cast<std::ptrdiff_t>(begin),
                                              texts.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<std::uint32_t> numbers(views.size());
    several.numbers_of(views, numbers);
    for (const std::uint32_t number : numbers) several.append(number);
  }
  RC_ASSERT(one_by_one.values == together.values);
  RC_ASSERT(one_by_one.counts == together.counts);
  RC_ASSERT(one_by_one.starts == together.starts);
  RC_ASSERT(one_by_one.bytes == together.bytes);
}

TEST(ValueNumbers, KeepTheirNumbersWhileTheTableGrows) {
  RecordColumn column;
  ValueNumbers numbers(column);
  for (int i = 0; i < 5000; ++i) numbers.add(std::to_string(i));
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(numbers.number_of(std::to_string(i)), i + 1);
    EXPECT_EQ(column.text(i + 1), std::to_string(i));
  }
  EXPECT_EQ(column.distinct(), 5001U);
  EXPECT_EQ(numbers.number_of(""), RecordColumn::kMissing);
}

}  // namespace
}  // namespace sosie
