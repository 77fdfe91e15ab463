#pragma once

#include <chrono>
#include <string>

#include "sosie/join.h"

namespace sosie::cli {

// Shows progress on standard error: a bar on a terminal, else a line every 30 s.
class ProgressLine {
 public:
  enum class Style { none, bar, plain };

  // `choice` is the value of --progress.
  ProgressLine(const std::string& choice, bool quiet);

  void show(const Progress& progress);
  // Takes the bar away, so that other text can be written.
  void clear();

 private:
  Style style_ = Style::none;
  bool visible_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace sosie::cli
