#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// Writes the dates, times of day and timestamps of an Arrow column as the texts that a CSV file of
// the same table contains: "2024-01-31", "09:30:00", "2024-01-31 09:30:00.25". A timestamp of a
// column with a time zone is in UTC and ends with "+00:00". For years from 0 to 9999, texts of a
// column sort as the values do. Does not depend on the unit of the column: a fraction of a second
// has as many digits as it needs.
class WrittenTime {
 public:
  // Empty for columns of other types. Durations are counts of their unit, not times.
  [[nodiscard]] static std::optional<WrittenTime> of(std::string_view format) noexcept;

  // Appends the text of a stored integer.
  void append(std::int64_t stored, std::string& out) const;

 private:
  enum class Form : std::uint8_t { date, time, timestamp };

  WrittenTime(Form form, std::int64_t units_per_second, bool has_zone) noexcept
      : form_(form), units_per_second_(units_per_second), has_zone_(has_zone) {}

  Form form_;
  std::int64_t units_per_second_;  // 0: the unit is a day
  bool has_zone_;
};

}  // namespace sosie
