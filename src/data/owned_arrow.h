#pragma once

#include "sosie/arrow_c_data.h"

namespace sosie {

// A structure of the Arrow C data interface, released on destruction.
template <typename T>
struct OwnedArrow {
  T value{};
  OwnedArrow() = default;
  OwnedArrow(const OwnedArrow&) = delete;
  OwnedArrow& operator=(const OwnedArrow&) = delete;
  ~OwnedArrow() { release(); }

  void release() noexcept {
    if (value.release != nullptr) value.release(&value);
    value = T{};
  }
};

}  // namespace sosie
