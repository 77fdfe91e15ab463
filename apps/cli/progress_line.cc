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
  const bool is_new = progress.stage != stage_;
  if (is_new || progress.done < done_) {  // a stage, or its next pass
    stage_ = progress.stage;
    stage_began_ = now;
    done_before_ = progress.done;
  }
  done_ = progress.done;
  // A bar that is there names a stage at once, which may tell nothing more for long.
  const bool is_due = now - last_ >= (style_ == Style::bar ? 100ms : 30'000ms);
  if (!is_due && !(is_new && visible_)) return;
  last_ = now;
  if (progress.total == 0 && progress.done == 0) {
    show_name();
    return;
  }
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

void ProgressLine::show_name() {
  if (style_ == Style::plain) {
    write_message(fmt::format("sosie: {}\n", stage_));
    return;
  }
  write_message(fmt::format("\r\x1b[2K{} ...", stage_));
  visible_ = true;
}

void ProgressLine::clear() {
  if (!visible_) return;
  write_message("\r\x1b[2K");
  visible_ = false;
}

}  // namespace sosie::cli
