// Amounts, rates and times as the progress shows them.
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
  return fmt::format("{:.1f}M", number / kMillion);
}

std::string megabytes(double bytes) {
  constexpr double kMegabyte = 1e6;
  return fmt::format("{:.{}f}", bytes / kMegabyte, bytes < 10 * kMegabyte ? 1 : 0);
}

std::string amount(const Progress& progress) {
  const auto done = static_cast<double>(progress.done);
  const auto total = static_cast<double>(progress.total);
  switch (unit_of(progress)) {
    case Unit::bytes:
      if (progress.total == 0) return fmt::format("{} MB", megabytes(done));
      return fmt::format("{} of {} MB", megabytes(done), megabytes(total));
    case Unit::files:
      return fmt::format("{} of {} files", count(done), count(total));
    case Unit::rows:
      break;
  }
  return fmt::format("{} of {} rows", count(done), count(total));
}

// "5 s", "4 min 05 s", "2 h 05 min".
std::string duration(double seconds) {
  constexpr std::uint64_t kMost = 999 * 3600;
  const auto whole =
      static_cast<std::uint64_t>(std::min(seconds + 0.5, static_cast<double>(kMost)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string rate(const Progress& progress, double per_second) {
  switch (unit_of(progress)) {
    case Unit::bytes:
      return fmt::format("{} MB/s", megabytes(per_second));
    case Unit::files:
      return fmt::format("{} files/s", count(per_second));
    case Unit::rows:
      break;
  }
  return fmt::format("{} rows/s", count(per_second));
}

}  // namespace

unsigned percent(const Progress& progress) noexcept {
  if (progress.total == 0) return 0;
  const double part = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  return static_cast<unsigned>(std::min(100.0, 100 * part));
}

std::string progress_text(const Progress& progress, std::uint64_t since,
                          std::chrono::duration<double> elapsed) {
  std::string text = amount(progress);
  if (elapsed.count() < 1 || progress.done <= since) return text;
  const double per_second = static_cast<double>(progress.done - since) / elapsed.count();
  text += ", " + rate(progress, per_second);
  if (progress.total < progress.done) return text;
  const auto rest = static_cast<double>(progress.total - progress.done);
  return text + fmt::format(", {} left", duration(rest / per_second));
}

}  // namespace sosie::cli
