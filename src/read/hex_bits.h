#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sosie {

// Appends a string of hexadecimal digits as bits, four a digit, to whole 64-bit words (the last
// filled up with zeros); returns how many bits. Blanks around it and "0x" in front are left out.
// Nothing, and nothing appended, when it holds anything else.
[[nodiscard]] std::optional<std::size_t> append_hex_bits(std::string_view text,
                                                         std::vector<std::uint64_t>& words);

}  // namespace sosie
