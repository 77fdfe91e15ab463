#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "data/record.h"

namespace sosie {

// The meaning of the bytes at a position in a CSV file (RFC 4180, with the characters of the file's
// dialect). A quote opens a quoted field only at the beginning of a field; anywhere else it is a
// fault in its own row and does not affect later rows, unless it is escaped.
enum class QuoteState : std::uint8_t {
  field_start,      // a field begins here, just after a separator
  unquoted,         // inside an unquoted field, or after text that follows a closing quote
  quoted,           // inside quotes: separators and line feeds are text
  quote_in_quoted,  // after a quote inside quotes: end of the field, or half of a doubled quote
  row_start,        // a row begins here
  escaped,          // inside quotes, after an escape: the next character is text
  escaped_outside,  // after an escape outside of quotes
};
inline constexpr std::size_t kQuoteStates = 7;

// The state after some bytes, for each possible state before them. The maps of adjacent ranges can
// be composed, so blocks can be scanned in parallel.
using QuoteMap = std::array<QuoteState, kQuoteStates>;
// There must be at least one byte.
[[nodiscard]] QuoteMap pass_over(std::string_view bytes, Dialect dialect) noexcept;

// Finds the end of the current row: the position after its line feed, or `to` if the row does not
// end in this range. `state`: on entry, the state at `from`; on return, the state at the returned
// position, which is row_start if and only if the end was found. O(to - from).
[[nodiscard]] const char* find_row_end(const char* from, const char* to, Dialect dialect,
                                       QuoteState& state) noexcept;

}  // namespace sosie
