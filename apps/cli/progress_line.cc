#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "streams.h"

namespace sosie::cli {
namespace {

using namespace std::chrono_literals;

std::string amount(const Progress& progress) {
  if (progress.stage != "reading") {
    return fmt::format("{} of {}", progress.done, progress.total);
  }
  constexpr double kMegabyte = 1e6;
  return fmt::format("{:.0f} of {:.0f} MB", static_cast<double>(progress.done) / kMegabyte,
                     static_cast<double>(progress.total) / kMegabyte);
}

unsigned percent(const Progress& progress) {
  if (progress.total == 0) return 0;
  return static_cast<unsigned>(std::min<std::uint64_t>(100, progress.done * 100 / progress.total));
}

}  // namespace

ProgressLine::ProgressLine(const std::string& choice, bool quiet) {
  if (quiet || choice == "none") return;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  style_ = choice == "bar" || (choice == "auto" && terminal) ? Style::bar : Style::plain;
}

void ProgressLine::show(const Progress& progress) {
  if (style_ == Style::none) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (style_ == Style::bar ? 100ms : 30'000ms)) return;
  last_ = now;
  const unsigned done = percent(progress);
  if (style_ == Style::plain) {
    write_message(fmt::format("sosie: {} {} % ({})\n", progress.stage, done, amount(progress)));
    return;
  }
  constexpr unsigned kWidth = 30;
  write_message(fmt::format("\r\x1b[2K{:<10} [{:<{}}] {:>3} % {}", progress.stage,
                            std::string(done * kWidth / 100, '#'), kWidth, done, amount(progress)));
  visible_ = true;
}

void ProgressLine::clear() {
  if (!visible_) return;
  write_message("\r\x1b[2K");
  visible_ = false;
}

}  // namespace sosie::cli
