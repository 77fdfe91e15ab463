#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "data/record.h"

namespace sosie {

// Meaning of the bytes of a CSV file at a position (RFC 4180, with the characters of its dialect).
// A quote opens a quoted field only where a field begins; anywhere else it is a fault of its row,
// not of later rows.
enum class QuoteState : std::uint8_t {
  field_start,      // a field begins here, just after a separator
  unquoted,         // inside an unquoted field, or after text that follows a closing quote
  quoted,           // inside quotes: separators and line feeds are text
  quote_in_quoted,  // after a quote inside quotes: end of the field, or half of a doubled quote
  row_start,        // a row begins here
  escaped,          // inside quotes, after an escape: the next character is text
};
inline constexpr std::size_t kQuoteStates = 6;

// The state after some bytes, for each state before them. The maps of adjacent ranges can be
// composed, so blocks are scanned in parallel.
using QuoteMap = std::array<QuoteState, kQuoteStates>;
// Requires bytes.
[[nodiscard]] QuoteMap pass_over(std::string_view bytes, Dialect dialect) noexcept;

// Finds the end of the current row: after its line feed, or `to` if it is not in the range.
// `state`: the state at `from` on entry, and at the returned position on return: row_start if and
// only if the end was found. O(to - from).
[[nodiscard]] const char* find_row_end(const char* from, const char* to, Dialect dialect,
                                       QuoteState& state) noexcept;

}  // namespace sosie
