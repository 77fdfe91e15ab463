#pragma once

#include <chrono>
#include <string>

#include "sosie/join.h"

namespace sosie::cli {

// Part of the stage that is done, in whole percent; 0 when nobody knows how long it is.
[[nodiscard]] unsigned percent(const Progress& progress) noexcept;

// "120 of 290 MB, 35 MB/s, 5 s left": how much of a stage is done, how fast, and when the stage
// will be complete. `since`: what was done of it when it was first seen, `elapsed` ago. Rate and
// rest are left out during the first second, and where nothing moved.
[[nodiscard]] std::string progress_text(const Progress& progress, std::uint64_t since,
                                        std::chrono::duration<double> elapsed);

}  // namespace sosie::cli
