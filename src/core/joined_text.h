#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Joins texts (a range of values convertible to std::string_view) and puts `between` between
// adjacent ones.
template <class Texts>
[[nodiscard]] std::string joined_text(const Texts& texts, std::string_view between) {
  std::string joined;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) joined += between;
    is_first = false;
    joined += std::string_view(text);
  }
  return joined;
}

}  // namespace sosie
