#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "sosie/join.h"

namespace sosie::cli {

// Completed part of the stage in whole percent; 0 if its length is unknown.
[[nodiscard]] unsigned percent(const Progress& progress) noexcept;

// The amount of a stage that was done at a given time after its first report; 0 if unknown.
struct Milestone {
  std::uint64_t done = 0;
  std::chrono::duration<double> elapsed{0};
};

// "120 of 290 MB, 35 MB/s, 5 s left": how much of a stage is done, how fast it is, and when it will
// be complete. `since`: the amount done at its first report, `elapsed` ago. Rate and remaining time
// are omitted during the first second and if there is no progress. `earlier`: a milestone at about
// half of the current amount, which shows how much the stage slows down: if rows are compared with
// all earlier ones, the time grows with the square of their number.
[[nodiscard]] std::string progress_text(const Progress& progress, std::uint64_t since,
                                        std::chrono::duration<double> elapsed,
                                        const Milestone& earlier = {});

// "reading   [#######       ]  50 % 145 of 290 MB, 35 MB/s, 4 s left" in fewer than `columns`
// columns (0: no limit); omits first the rate, then the remaining time, the amount and the bar.
// `text`: progress_text().
[[nodiscard]] std::string progress_bar(std::string_view stage, unsigned percent, std::string text,
                                       std::size_t columns);

}  // namespace sosie::cli
