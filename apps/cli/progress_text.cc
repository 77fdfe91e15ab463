// Formats amounts, rates and times for progress.
#include "progress_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sosie::cli {
namespace {

enum class Unit { bytes, files, rows };

Unit unit_of(const Progress& progress) {
  return progress.stage == "reading"   ? Unit::bytes
         : progress.stage == "opening" ? Unit::files
                                       : Unit::rows;
}

// "950", "82k", "12.3M".
std::string count(double number) {
  constexpr double kThousand = 1e3;
  constexpr double kMillion = 1e6;
  if (number < 10 * kThousand) return fmt::format("{:.0f}", number);
  if (number < kMillion) return fmt::format("{:.0f}k", number / kThousand);
  return fmt::format("{:.{}f}M", number / kMillion, number < 100 * kMillion ? 1 : 0);
}

constexpr double kMegabyte = 1e6;
constexpr double kGigabyte = 1e9;

// "7.1", "250": a number of units.
std::string quantity(double number) { return fmt::format("{:.{}f}", number, number < 10 ? 1 : 0); }

// "120 of 290 MB", "0.3 of 12 GB"; without a total "120 MB".
std::string bytes_done(double done, double total) {
  const bool is_large = std::max(done, total) >= 10 * kGigabyte;
  const double unit = is_large ? kGigabyte : kMegabyte;
  const std::string_view name = is_large ? "GB" : "MB";
  if (total == 0) return fmt::format("{} {}", quantity(done / unit), name);
  return fmt::format("{} of {} {}", quantity(done / unit), quantity(total / unit), name);
}

std::string amount(const Progress& progress) {
  const auto done = static_cast<double>(progress.done);
  const auto total = static_cast<double>(progress.total);
  switch (unit_of(progress)) {
    case Unit::bytes:
      return bytes_done(done, total);
    case Unit::files:
      return fmt::format("{} of {} files", count(done), count(total));
    case Unit::rows:
      break;
  }
  return fmt::format("{} of {} rows", count(done), count(total));
}

// "5 s", "4 min 05 s", "2 h 05 min", "120 h".
std::string duration(double seconds) {
  constexpr std::uint64_t kMinute = 60;
  constexpr std::uint64_t kHour = 60 * kMinute;
  constexpr double kMost = 999.0 * kHour;
  const auto whole = static_cast<std::uint64_t>(std::min(seconds + 0.5, kMost));
  if (whole < kMinute) return fmt::format("{} s", whole);
  if (whole < kHour) return fmt::format("{} min {:02} s", whole / kMinute, whole % kMinute);
  if (whole < 100 * kHour) {
    return fmt::format("{} h {:02} min", whole / kHour, whole % kHour / kMinute);
  }
  return fmt::format("{} h", whole / kHour);
}

constexpr double kSoon = 0.5;              // fewer seconds would be shown as zero
constexpr std::uint64_t kLeastPart = 200;  // no remaining time is shown for the first 1/200

std::string rate(const Progress& progress, double per_second) {
  switch (unit_of(progress)) {
    case Unit::bytes:
      return fmt::format("{} MB/s", quantity(per_second / kMegabyte));
    case Unit::files:
      return fmt::format("{} files/s", count(per_second));
    case Unit::rows:
      break;
  }
  return fmt::format("{} rows/s", count(per_second));
}

// Remaining seconds if `done` took `seconds` and the work grows as a n + b n^2 through an earlier
// milestone, with a, b >= 0. All numbers are relative to the first report of the stage.
double seconds_left(double done, double total, double seconds, const Milestone& earlier) {
  const double pace = seconds / done;
  double growth = 0;
  if (const auto before = static_cast<double>(earlier.done); before > 0 && before < done) {
    growth = (pace - earlier.elapsed.count() / before) / (done - before);
    growth = std::clamp(growth, 0.0, pace / done);
  }
  return (pace - growth * done) * (total - done) + growth * (total * total - done * done);
}

}  // namespace

unsigned percent(const Progress& progress) noexcept {
  if (progress.total == 0) return 0;
  const double part = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  return static_cast<unsigned>(std::min(100.0, 100 * part));
}

std::string progress_bar(std::string_view stage, unsigned percent, std::string text,
                         std::size_t columns) {
  constexpr std::size_t kWidth = 14;
  const auto line = [&] {
    return fmt::format("{:<9} [{:<{}}] {:>3} % {}", stage, std::string(percent * kWidth / 100, '#'),
                       kWidth, percent, text);
  };
  const auto is_too_wide = [&](const std::string& shown) {
    return columns > 0 && shown.size() >= columns;  // the cursor takes the last one
  };
  while (is_too_wide(line()) && !text.empty()) {
    const std::size_t second = text.find(", ");
    const std::size_t third = second == std::string::npos ? second : text.find(", ", second + 2);
    if (third != std::string::npos) {
      text.erase(second, third - second);
    } else {
      text.resize(second == std::string::npos ? 0 : second);
    }
  }
  if (!is_too_wide(line())) return line();
  const std::string shown = fmt::format("{} {} %", stage, percent);
  return is_too_wide(shown) ? shown.substr(0, columns - 1) : shown;
}

std::string progress_text(const Progress& progress, std::uint64_t since,
                          std::chrono::duration<double> elapsed, const Milestone& earlier) {
  std::string text = amount(progress);
  if (elapsed.count() < 1 || progress.done <= since) return text;
  const double per_second = static_cast<double>(progress.done - since) / elapsed.count();
  text += ", " + rate(progress, per_second);
  if (progress.total < progress.done) return text;
  const double seconds =
      seconds_left(static_cast<double>(progress.done - since),
                   static_cast<double>(progress.total - since), elapsed.count(), earlier);
  // A single long row nearly stops a stage and reveals nothing about the other rows.
  const bool is_known = progress.done - since >= progress.total / kLeastPart;
  return seconds < kSoon || !is_known ? text : text + fmt::format(", {} left", duration(seconds));
}

}  // namespace sosie::cli
