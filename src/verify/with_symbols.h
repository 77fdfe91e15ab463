#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sosie {

// Calls a task with the type of symbols of this width.
template <class Task>
auto with_symbols(std::uint8_t width, const Task& task) {
  if (width == 1) return task.template operator()<std::uint8_t>();
  if (width == 2) return task.template operator()<std::uint16_t>();
  return task.template operator()<std::uint32_t>();
}

template <class Symbol>
std::uint32_t symbol_at(const std::byte* data, std::size_t i) noexcept {
  Symbol value = 0;
  std::memcpy(&value, data + i * sizeof(Symbol), sizeof(Symbol));
  return value;
}

}  // namespace sosie
