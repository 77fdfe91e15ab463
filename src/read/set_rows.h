#pragma once

#include <string>
#include <string_view>

#include "data/format.h"

namespace sosie {

// Sets that were put together from other rows, for scratch only: one a line, its id and then its
// elements between tabs, all escaped so that they may hold any bytes. The fields are called "id"
// and "elements".
[[nodiscard]] const Format& set_row_format() noexcept;

// One such row as it grows. `id_is_integer`: written without quotes in JSON.
[[nodiscard]] std::string begin_set_row(std::string_view id, bool id_is_integer);
// `lines`: elements as ElementList gives them.
void add_to_set_row(std::string_view lines, std::string& row);

}  // namespace sosie
