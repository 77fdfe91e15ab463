#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// Most different values of a column that tell what it is.
inline constexpr std::uint32_t kMostValuesSeen = 20000;

// Shares and means of the different values of a column that are no missing ones.
struct ColumnProfile {
  std::uint32_t values = 0;
  std::string_view first = {};
  bool is_constant = true;
  double mean_length = 0;
  double mean_words = 0;
  double codes = 0;    // share of the values whose letters and digits are mostly digits
  double amounts = 0;  // share that are numbers with decimals
  double numbers = 0;
};

// Sign before the decimals of a column's numbers: ',' where more values are numbers by that.
[[nodiscard]] char decimal_of(const RecordColumn& column);

// Profile of the columns of one name, of one collection or two, by some ten thousand values.
[[nodiscard]] ColumnProfile profile_of(const std::vector<const RecordColumn*>& columns);

// True for a column that numbers records: each has a value of its own, one word, and the numbers in
// the words rise from record to record, or leave out few between the least and the greatest; or the
// words are long, as hashes are. Days and telephone numbers, which may all differ as well, do not.
[[nodiscard]] bool numbers_records(const RecordColumn& column);

// Share of the pairs of records that both have a value and not the same one.
[[nodiscard]] double differing_share(const RecordColumn& column);

// Formats of day_of() by which a column's values are days, the commonest first, with '|' between
// them; by some ten thousand values. Empty for a column of which one value in twenty is no day.
[[nodiscard]] std::string day_formats_of(const RecordColumn& column);

// True if days of these columns are the same digits as they stand: both have the same format,
// without names of months.
[[nodiscard]] bool are_written_alike(const std::string& left_formats,
                                     const std::string& right_formats) noexcept;

}  // namespace sosie
