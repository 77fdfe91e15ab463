#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "sosie/join.h"

namespace sosie::cli {

// Part of the stage that is done, in whole percent; 0 when nobody knows how long it is.
[[nodiscard]] unsigned percent(const Progress& progress) noexcept;

// Part of a stage that was done so long after the stage was first seen; 0: nobody has looked.
struct Milestone {
  std::uint64_t done = 0;
  std::chrono::duration<double> elapsed{0};
};

// "120 of 290 MB, 35 MB/s, 5 s left": how much of a stage is done, how fast, and when the stage
// will be complete. `since`: what was done of it when it was first seen, `elapsed` ago. Rate and
// rest are left out during the first second, and where nothing moved. `earlier`, about half way to
// what is done, tells how much slower the stage gets: where rows are compared with all before them,
// the time grows with the square of their number.
[[nodiscard]] std::string progress_text(const Progress& progress, std::uint64_t since,
                                        std::chrono::duration<double> elapsed,
                                        const Milestone& earlier = {});

// "reading   [#######       ]  50 % 145 of 290 MB, 35 MB/s, 4 s left" in fewer than `columns` (0:
// any number): the rate goes first, then the rest, the amount and the bar. `text`: progress_text().
[[nodiscard]] std::string progress_bar(std::string_view stage, unsigned percent, std::string text,
                                       std::size_t columns);

}  // namespace sosie::cli
