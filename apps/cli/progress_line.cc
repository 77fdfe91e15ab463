// The progress of a run on standard error, as a bar or as lines.
#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "progress_text.h"
#include "streams.h"

namespace sosie::cli {
namespace {

using namespace std::chrono_literals;

}  // namespace

ProgressLine::ProgressLine(const std::string& choice, bool quiet) {
  if (quiet || choice == "none") return;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  style_ = choice == "bar" || (choice == "auto" && terminal) ? Style::bar : Style::plain;
}

void ProgressLine::show(const Progress& progress) {
  if (style_ == Style::none) return;
  const auto now = std::chrono::steady_clock::now();
  if (progress.stage != stage_ || progress.done < done_) {  // a stage, or its next pass
    stage_ = progress.stage;
    stage_began_ = now;
    done_before_ = progress.done;
  }
  done_ = progress.done;
  if (now - last_ < (style_ == Style::bar ? 100ms : 30'000ms)) return;
  last_ = now;
  const unsigned done = percent(progress);
  const std::string text = progress_text(progress, done_before_, now - stage_began_);
  if (style_ == Style::plain) {
    write_message(fmt::format("sosie: {} {} % ({})\n", progress.stage, done, text));
    return;
  }
  constexpr unsigned kWidth = 14;
  write_message(fmt::format("\r\x1b[2K{:<9} [{:<{}}] {:>3} % {}", progress.stage,
                            std::string(done * kWidth / 100, '#'), kWidth, done, text));
  visible_ = true;
}

void ProgressLine::clear() {
  if (!visible_) return;
  write_message("\r\x1b[2K");
  visible_ = false;
}

}  // namespace sosie::cli
