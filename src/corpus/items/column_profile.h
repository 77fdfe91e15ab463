#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// Maximum number of distinct values of a column that are examined.
inline constexpr std::uint32_t kMostValuesSeen = 20000;

// Shares and means over the distinct values of a column, without missing ones.
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

// Decimal point of a column's numbers: ',' if more values are numbers with it.
[[nodiscard]] char decimal_of(const RecordColumn& column);

// Profile of the columns with the same name, from one collection or two, based on about ten
// thousand values.
[[nodiscard]] ColumnProfile profile_of(const std::vector<const RecordColumn*>& columns);

// True for a column that numbers records: values are unique single words, and the numbers in them
// increase from record to record, or leave few gaps between the smallest and the largest; or the
// words are long, as hashes are. Dates and telephone numbers, which may all differ as well, do not
// count.
[[nodiscard]] bool numbers_records(const RecordColumn& column);

// Share of the pairs of records that both have a value and differ in it.
[[nodiscard]] double differing_share(const RecordColumn& column);

// Formats of day_of() that match a column's values, most common first, separated by '|'; based on
// about ten thousand values. Empty if at least one value in twenty is not a date.
[[nodiscard]] std::string day_formats_of(const RecordColumn& column);

// True if dates in these columns can be compared as written: both have the same format, without
// names of months.
[[nodiscard]] bool are_written_alike(const std::string& left_formats,
                                     const std::string& right_formats) noexcept;

}  // namespace sosie
