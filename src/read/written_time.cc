// Dates, times and timestamps of Arrow columns as texts.
#include "read/written_time.h"

#include <fmt/format.h>

#include <iterator>

namespace sosie {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;

struct Division {
  std::int64_t quotient;
  std::int64_t rest;  // not negative
};

// Rounds down.
Division divide(std::int64_t number, std::int64_t by) noexcept {
  const std::int64_t rest = number % by;
  return rest < 0 ? Division{number / by - 1, rest + by} : Division{number / by, rest};
}

// Appends the date that is this many days after 1970-01-01 in the Gregorian calendar. (Its months
// are counted from March, so that a leap day is the last of its year. std::chrono ends with the
// year 32767.)
void append_date(std::int64_t days, std::string& out) {
  constexpr std::int64_t kDaysFromYearZero = 719'468;  // from 0000-03-01 to 1970-01-01
  constexpr std::int64_t kDaysOfEra = 146'097;         // 400 years
  const auto [era, day_of_era] = divide(days + kDaysFromYearZero, kDaysOfEra);
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * from_march + 2) / 5 + 1;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const std::int64_t year = 400 * era + year_of_era + (month <= 2 ? 1 : 0);
  const char* sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  out += fmt::format("{}{:04}-{:02}-{:02}", sign, year < 0 ? -year : year, month, day);
}

// `second`: of the day. `fraction`: in units, `units_per_second` of which are a second.
void append_time(std::int64_t second, std::int64_t fraction, std::int64_t units_per_second,
                 std::string& out) {
  out += fmt::format("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
  if (fraction == 0) return;
  out += '.';
  for (std::int64_t unit = units_per_second / 10; fraction > 0; unit /= 10) {
    out += static_cast<char>('0' + fraction / unit);
    fraction %= unit;
  }
}

std::int64_t units_per_second(char unit) noexcept {
  switch (unit) {
    case 'm':
      return 1'000;
    case 'u':
      return 1'000'000;
    case 'n':
      return 1'000'000'000;
    default:
      return 1;
  }
}

}  // namespace

std::optional<WrittenTime> WrittenTime::of(std::string_view format) noexcept {
  if (format == "tdD") return WrittenTime(Form::date, 0, false);
  if (format == "tdm") return WrittenTime(Form::date, units_per_second('m'), false);
  if (format.size() < 3) return std::nullopt;
  const std::int64_t units = units_per_second(format[2]);
  if (format.starts_with("tt")) return WrittenTime(Form::time, units, false);
  if (!format.starts_with("ts")) return std::nullopt;
  constexpr std::string_view kWithoutZone = "tsu:";
  return WrittenTime(Form::timestamp, units, format.size() > kWithoutZone.size());
}

void WrittenTime::append(std::int64_t stored, std::string& out) const {
  if (units_per_second_ == 0) {
    append_date(stored, out);
    return;
  }
  const auto [second, fraction] = divide(stored, units_per_second_);
  const auto [days, second_of_day] = divide(second, kSecondsPerDay);
  if (form_ != Form::time) append_date(days, out);
  if (form_ == Form::date && second_of_day == 0 && fraction == 0) return;
  if (form_ != Form::time) out += ' ';
  append_time(form_ == Form::time ? second : second_of_day, fraction, units_per_second_, out);
  if (has_zone_) out += "+00:00";
}

}  // namespace sosie
