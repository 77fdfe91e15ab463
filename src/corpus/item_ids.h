#pragma once

#include <cstddef>
#include <string>

#include "sosie/memory_file.h"

namespace sosie {

// Ids of items; row numbers if there are no names.
struct ItemIds : NamesOfRows {
  [[nodiscard]] std::string name_of(std::size_t row) const {
    return names.empty() ? std::to_string(row) : names[row];
  }
  [[nodiscard]] bool is_integer(std::size_t row) const {
    return names.empty() || are_integers[row];
  }
};

}  // namespace sosie
