#pragma once

#include <string_view>

#include "data/format.h"

namespace sosie {

// A row's bytes as its parser takes them: without the end of its line.
[[nodiscard]] std::string_view row_line(const Format& format, std::string_view row);

}  // namespace sosie
