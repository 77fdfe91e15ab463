#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// A value of --method.
struct NamedMethod {
  std::string_view name;
  Method method;
};

inline constexpr std::array kMethods = {
    NamedMethod{"auto", Method::automatic}, NamedMethod{"lsh", Method::lsh},
    NamedMethod{"exact", Method::exact}, NamedMethod{"brute", Method::brute}};

[[nodiscard]] constexpr std::string_view method_name(Method method) noexcept {
  return std::find_if(kMethods.begin(), kMethods.end(),
                      [&](const NamedMethod& each) { return each.method == method; })
      ->name;
}

// The method with one of these names.
[[nodiscard]] constexpr Method method_called(std::string_view name) noexcept {
  return std::find_if(kMethods.begin(), kMethods.end(),
                      [&](const NamedMethod& each) { return each.name == name; })
      ->method;
}

}  // namespace sosie
