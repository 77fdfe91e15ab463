#pragma once

#include <cstddef>
#include <string>

#include "sosie/memory_file.h"

namespace sosie {

// The ids of items; if there are none, items are identified by their row numbers.
struct ItemIds : NamesOfRows {
  [[nodiscard]] std::string name_of(std::size_t row) const {
    return names.empty() ? std::to_string(row) : names[row];
  }
  [[nodiscard]] bool is_integer(std::size_t row) const {
    return names.empty() || are_integers[row];
  }
};

}  // namespace sosie
