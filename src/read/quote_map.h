#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "data/record.h"

namespace sosie {

// Meaning of the bytes of a CSV file at one place (RFC 4180, with the characters of its dialect). A
// quote opens a quoted field only where a field begins; anywhere else it is a fault of its row, not
// of the rows behind it.
enum class QuoteState : std::uint8_t {
  field_start,      // a field begins here, just behind a separator
  unquoted,         // inside a field without quotes, or behind a closing quote and more
  quoted,           // inside quotes: separators and line feeds are text
  quote_in_quoted,  // just behind a quote inside quotes: the field's end, or half of a doubled one
  row_start,        // a row begins here
  escaped,          // inside quotes, just behind an escape: the next character is text
};
inline constexpr std::size_t kQuoteStates = 6;

// The state behind some bytes, for each state in front of them. Such maps of neighbouring stretches
// can be composed, so blocks are passed over in parallel.
using QuoteMap = std::array<QuoteState, kQuoteStates>;
// Requires bytes.
[[nodiscard]] QuoteMap pass_over(std::string_view bytes, Dialect dialect) noexcept;

// Finds where the row ends that the scan is in: behind its line feed, or `to` when it is not there.
// `state` goes in as the state at `from` and comes out as the state at the returned place:
// row_start if and only if the end was found. O(to - from).
[[nodiscard]] const char* find_row_end(const char* from, const char* to, Dialect dialect,
                                       QuoteState& state) noexcept;

}  // namespace sosie
