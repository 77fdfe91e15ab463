#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// Maximum number of distinct values that are examined per column.
inline constexpr std::uint32_t kMostValuesSeen = 20000;

// Shares and means over the distinct values of a column; missing values do not count.
struct ColumnProfile {
  std::uint32_t values = 0;
  std::string_view first = {};
  bool is_constant = true;
  double mean_length = 0;
  double mean_words = 0;
  double codes = 0;    // share of values whose letters and digits are mostly digits
  double amounts = 0;  // share that are numbers with decimals
  double numbers = 0;
};

// Decimal point of the numbers in a column: ',' if it makes more of the values numbers.
[[nodiscard]] char decimal_of(const RecordColumn& column);

// Joint profile of the columns with the same name in one or two collections, based on about ten
// thousand values.
[[nodiscard]] ColumnProfile profile_of(const std::vector<const RecordColumn*>& columns);

// True for a column that numbers records. Either its values are unique single words, and the
// numbers in them increase from record to record or leave few gaps between the smallest and the
// largest; or the words are long, as hashes are. Dates and telephone numbers, which may also be
// unique, do not count.
[[nodiscard]] bool numbers_records(const RecordColumn& column);

// Share of record pairs with different values, among pairs in which both records have a value.
[[nodiscard]] double differing_share(const RecordColumn& column);

// The formats of day_of() that match a column's values, most common first, separated by '|'; based
// on about ten thousand values. Empty if at least one value in twenty is not a date.
[[nodiscard]] std::string day_formats_of(const RecordColumn& column);

// Another format that also matches all dates in a column, in addition to `format`: for 01/02/03,
// "%m %d %y" as well as "%d %m %y". Empty if there is none or `format` consists of several.
[[nodiscard]] std::string other_day_format(const RecordColumn& column, const std::string& format);

// True if the dates in these columns can be compared as written: both columns use the same format,
// and it contains no names of months.
[[nodiscard]] bool are_written_alike(const std::string& left_formats,
                                     const std::string& right_formats) noexcept;

}  // namespace sosie
