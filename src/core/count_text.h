#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

// Numbers as people read them, the same in every summary and page.

// "1,234,567".
[[nodiscard]] std::string count_text(std::uint64_t number);

// An estimated count, rounded: "1,235". At least 0.
[[nodiscard]] std::string rounded_text(double number);

// "999 B", "1.2 kB", "3.4 GB": powers of 1000, one decimal from kB on.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

// "1 row", "2,000 rows".
[[nodiscard]] std::string plural_text(std::uint64_t count, std::string_view one,
                                      std::string_view many);

// " (1,995 lines: ...)" behind rows that take more lines than one each; else empty.
[[nodiscard]] std::string bad_lines_text(std::uint64_t rows, std::uint64_t lines);

}  // namespace sosie
