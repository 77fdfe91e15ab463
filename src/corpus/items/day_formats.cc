// Formats of days, by the values of a column.
#include "corpus/items/day_formats.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "corpus/items/column_profile.h"
#include "represent/fields.h"

namespace sosie {
namespace {

// The first wins of formats that fit as many values: a day in front, as most countries have it.
constexpr std::array<std::string_view, 11> kFormats = {
    "%Y %m %d", "%Y%m%d",   "%d %m %Y", "%m %d %Y", "%d %b %Y", "%b %d %Y",
    "%d %m %y", "%m %d %y", "%d %b %y", "%b %d %y", "%Y %b %d"};

}  // namespace

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

bool are_written_alike(const std::string& left_formats, const std::string& right_formats) noexcept {
  return left_formats == right_formats && left_formats.find_first_of("|b") == std::string::npos;
}

}  // namespace sosie
