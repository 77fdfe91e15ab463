// Shows the progress of a run on standard error, as a bar or as lines.
#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "fold_lines.h"
#include "streams.h"

namespace sosie::cli {
namespace {

using namespace std::chrono_literals;

}  // namespace

ProgressLine::ProgressLine(const std::string& choice, bool quiet, bool has_output)
    : shares_terminal_(!has_output && ::isatty(STDOUT_FILENO) != 0) {
  if (quiet || choice == "none") return;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  style_ = choice == "bar" || (choice == "auto" && terminal) ? Style::bar : Style::plain;
}

void ProgressLine::show(const Progress& progress) {
  if (style_ == Style::none) return;
  const bool is_name = progress.total == 0 && progress.done == 0;
  if (shares_terminal_ && (is_name || progress.stage == "writing")) return clear();
  const auto now = std::chrono::steady_clock::now();
  const bool is_new = progress.stage != stage_;
  if (is_new || progress.done < done_) {  // a stage, or its next pass
    stage_ = progress.stage;
    stage_began_ = now;
    done_before_ = progress.done;
    milestones_.clear();
  }
  done_ = progress.done;
  note_milestone({progress.done - done_before_, now - stage_began_});
  // If there is a bar, it shows a new stage at once, because the stage may not report again for a
  // long time.
  const bool is_due = now - last_ >= (style_ == Style::bar ? 100ms : 30'000ms);
  if (!is_due && !(is_new && visible_)) return;
  last_ = now;
  if (is_name) {
    show_name();
    return;
  }
  const unsigned done = percent(progress);
  const std::string text = progress_text(progress, done_before_, now - stage_began_,
                                         half_way(progress.done - done_before_));
  if (style_ == Style::plain) {
    write_message(fmt::format("sosie: {} {} % ({})\n", progress.stage, done, text));
    return;
  }
  write_message("\r\x1b[2K" +
                progress_bar(progress.stage, done, text, columns_of_terminal(STDERR_FILENO)));
  visible_ = true;
}

void ProgressLine::note_milestone(const Milestone& now) {
  constexpr std::uint64_t kPart = 10;
  const std::uint64_t last = milestones_.empty() ? 0 : milestones_.back().done;
  if (now.done > last + last / kPart) milestones_.push_back(now);
}

Milestone ProgressLine::half_way(std::uint64_t done) const {
  const auto at = std::partition_point(milestones_.begin(), milestones_.end(),
                                       [&](const Milestone& each) { return each.done < done / 2; });
  return at == milestones_.end() ? Milestone{} : *at;
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
