#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

// Numbers in readable form, the same in all summaries and pages.

// "1,234,567".
[[nodiscard]] std::string count_text(std::uint64_t number);

// An estimated count, rounded ("1,235") and never below 0.
[[nodiscard]] std::string rounded_text(double number);

// "999 B", "1.2 kB", "3.4 GB": powers of 1000, with one decimal for kB and above.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

// "1 row", "2,000 rows".
[[nodiscard]] std::string plural_text(std::uint64_t count, std::string_view one,
                                      std::string_view many);

// " (1,995 lines: ...)" if the rows span several lines each; otherwise empty.
[[nodiscard]] std::string bad_lines_text(std::uint64_t rows, std::uint64_t lines);

}  // namespace sosie
