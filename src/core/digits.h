#pragma once

namespace sosie {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace sosie
