#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "progress_text.h"
#include "sosie/join.h"

namespace sosie::cli {

// Shows progress on standard error: a bar on a terminal, otherwise a line every 30 s. Both include
// the rate and the remaining time of the stage.
class ProgressLine {
 public:
  enum class Style { none, bar, plain };

  // `choice`: the value of --progress. `has_output`: results go to files or nowhere; if results go
  // to a terminal, no bar is shown.
  ProgressLine(const std::string& choice, bool quiet, bool has_output);

  void show(const Progress& progress);
  // Removes the bar, so that other text can be written.
  void clear();

 private:
  void note_milestone(const Milestone& now);
  // The latest milestone before half of the work done so far.
  [[nodiscard]] Milestone half_way(std::uint64_t done) const;
  // Shows only the name of the stage, which does not report its progress.
  void show_name();

  bool shares_terminal_;  // with the results
  Style style_ = Style::none;
  bool visible_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point stage_began_;
  std::uint64_t done_before_ = 0;  // done of the stage when it was first seen
  std::uint64_t done_ = 0;
  std::vector<Milestone> milestones_;  // in order, each at least a tenth behind the last
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace sosie::cli
