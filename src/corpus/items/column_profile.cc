// Profiles of columns by their values: words, codes, amounts, ids, formats of days.
#include "corpus/items/column_profile.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/written_number.h"
#include "represent/fields.h"

namespace sosie {
namespace {

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) >> 7) == 1;
}

void add_value(std::string_view text, char decimal, ColumnProfile& profile) {
  const auto digits = static_cast<double>(std::count_if(text.begin(), text.end(), is_digit));
  const auto letters = static_cast<double>(std::count_if(text.begin(), text.end(), is_letter));
  profile.values += 1;
  profile.mean_length += static_cast<double>(text.size());
  profile.mean_words += 1 + static_cast<double>(std::count(text.begin(), text.end(), ' '));
  profile.codes += digits > 3 * letters ? 1 : 0;
  const bool is_number = number_of(text, decimal).has_value();
  profile.numbers += is_number ? 1 : 0;
  profile.amounts += is_number && text.find(decimal) != std::string_view::npos ? 1 : 0;
}

// The number formed by the digits of a word; empty for a word with no digits, or too many.
std::optional<std::uint64_t> number_in_word(std::string_view word) noexcept {
  constexpr std::size_t kMostDigits = 18;
  std::uint64_t number = 0;
  std::size_t digits = 0;
  for (const char c : word) {
    if (!is_digit(c)) continue;
    if (++digits > kMostDigits) return std::nullopt;
    number = 10 * number + static_cast<std::uint64_t>(c - '0');
  }
  return digits == 0 ? std::nullopt : std::optional(number);
}

// If several formats fit equally many values, the first wins: day first, as in most countries.
constexpr std::array<std::string_view, 11> kFormats = {
    "%Y %m %d", "%Y%m%d",   "%d %m %Y", "%m %d %Y", "%d %b %Y", "%b %d %Y",
    "%d %m %y", "%m %d %y", "%d %b %y", "%b %d %y", "%Y %b %d"};

}  // namespace

char decimal_of(const RecordColumn& column) {
  std::int64_t more = 0;  // numbers with a comma, less those with a point
  for (std::uint32_t value = 1; value < std::min(column.distinct(), kMostValuesSeen); ++value) {
    const std::string_view text = column.text(value);
    if (text.find_first_of(".,") == std::string_view::npos) continue;
    more += (number_of(text, ',') ? 1 : 0) - (number_of(text) ? 1 : 0);
  }
  return more > 0 ? ',' : '.';
}

ColumnProfile profile_of(const std::vector<const RecordColumn*>& columns) {
  ColumnProfile profile;
  for (const RecordColumn* column : columns) {
    const char decimal = decimal_of(*column);
    const std::uint32_t end = std::min(column->distinct(), kMostValuesSeen);
    for (std::uint32_t value = 1; value < end; ++value) {
      const std::string_view text = column->text(value);
      if (is_missing_value(text)) continue;
      profile.is_constant = profile.values == 0 || (profile.is_constant && text == profile.first);
      if (profile.values == 0) profile.first = text;
      add_value(text, decimal, profile);
    }
  }
  if (profile.values == 0) return profile;
  for (double* sum : {&profile.mean_length, &profile.mean_words, &profile.codes, &profile.amounts,
                      &profile.numbers}) {
    *sum /= profile.values;
  }
  return profile;
}

bool numbers_records(const RecordColumn& column) {
  constexpr std::size_t kLongWord = 16;
  constexpr double kNearlyAllRise = 0.99;
  const std::size_t records = column.values.size();
  if (records == 0 || column.distinct() != records + 1) return false;
  bool are_long = true;
  bool are_numbers = true;
  std::size_t rises = 0;
  std::uint64_t before = 0;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  for (std::size_t record = 0; record < records; ++record) {
    const std::string_view text = column.text_of(static_cast<std::uint32_t>(record));
    // A typo in an address or an amount yields another valid one.
    if (text.empty() || text.find_first_of(" @/.") != std::string_view::npos) return false;
    const auto number = number_in_word(text);
    are_long = are_long && text.size() >= kLongWord;
    are_numbers = are_numbers && number.has_value();
    if (!are_long && !are_numbers) return false;
    const std::uint64_t found = number.value_or(0);
    rises += record == 0 || found > before ? 1 : 0;
    before = found;
    least = std::min(least, found);
    most = std::max(most, found);
  }
  if (are_long) return true;
  return static_cast<double>(rises) >= kNearlyAllRise * static_cast<double>(records) ||
         most - least < 2 * records;
}

double differing_share(const RecordColumn& column) {
  const auto records = static_cast<double>(std::max<std::size_t>(1, column.values.size()));
  double there = 0;
  double equal = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    if (is_missing_value(column.text(value))) continue;
    const double share = column.counts[value] / records;
    there += share;
    equal += share * share;
  }
  return there * there - equal;
}

std::string day_formats_of(const RecordColumn& column) {
  constexpr double kLeastShare = 0.95;
  constexpr double kLeastOfFormat = 0.02;

  std::vector<std::string_view> open;  // values that no format fits so far
  for (std::uint32_t value = 1; value < std::min(column.distinct(), kMostValuesSeen); ++value) {
    if (!is_missing_value(column.text(value))) open.push_back(column.text(value));
  }
  const auto values = static_cast<double>(open.size());
  std::string formats;
  while (!open.empty()) {
    std::string_view best;
    std::ptrdiff_t most = 0;
    for (const std::string_view format : kFormats) {
      const auto fitting = std::count_if(open.begin(), open.end(), [&](std::string_view text) {
        return day_of(text, format).has_value();
      });
      if (fitting <= most) continue;
      best = format;
      most = fitting;
    }
    if (static_cast<double>(most) < kLeastOfFormat * values || most == 0) break;
    std::erase_if(open, [&](std::string_view text) { return day_of(text, best).has_value(); });
    formats += formats.empty() ? "" : "|";
    formats += best;
  }
  const bool are_days = static_cast<double>(open.size()) <= (1 - kLeastShare) * values;
  return are_days ? formats : std::string{};
}

std::string other_day_format(const RecordColumn& column, const std::string& format) {
  if (format.empty() || format.find('|') != std::string::npos) return {};
  const std::uint32_t end = std::min(column.distinct(), kMostValuesSeen);
  for (const std::string_view other : kFormats) {
    if (other == format) continue;
    bool fits = true;
    for (std::uint32_t value = 1; fits && value < end; ++value) {
      const std::string_view text = column.text(value);
      fits = !day_of(text, format) || day_of(text, other);
    }
    if (fits) return std::string(other);
  }
  return {};
}

bool are_written_alike(const std::string& left_formats, const std::string& right_formats) noexcept {
  return left_formats == right_formats && left_formats.find_first_of("|b") == std::string::npos;
}

}  // namespace sosie
