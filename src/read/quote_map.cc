// Finds the ends of CSV rows and the quote state at any position.
#include "read/quote_map.h"

#include <algorithm>
#include <cstring>

namespace sosie {
namespace {

enum class Kind : std::uint8_t { other, separator, line_feed, quote, escape };
constexpr std::size_t kKinds = 5;

using State = QuoteState;

// kStep[state][kind].
constexpr std::array<std::array<State, kKinds>, kQuoteStates> kStep = {{
    {State::unquoted, State::field_start, State::row_start, State::quoted, State::escaped_outside},
    {State::unquoted, State::field_start, State::row_start, State::unquoted,
     State::escaped_outside},
    {State::quoted, State::quoted, State::quoted, State::quote_in_quoted, State::escaped},
    {State::unquoted, State::field_start, State::row_start, State::quoted, State::escaped_outside},
    {State::unquoted, State::field_start, State::row_start, State::quoted, State::escaped_outside},
    {State::quoted, State::quoted, State::quoted, State::quoted, State::quoted},
    {State::unquoted, State::unquoted, State::unquoted, State::unquoted, State::unquoted},
}};

constexpr Kind kind_of(char c, Dialect dialect) noexcept {
  if (c == dialect.separator) return Kind::separator;
  if (c == '\n') return Kind::line_feed;
  if (c == dialect.quote) return dialect.quote == '\0' ? Kind::other : Kind::quote;
  return c == dialect.escape && c != '\0' ? Kind::escape : Kind::other;
}

constexpr State step(State state, Kind kind) noexcept {
  return kStep[static_cast<std::size_t>(state)][static_cast<std::size_t>(kind)];
}

// True if a line feed does not end the row, whatever precedes it.
constexpr bool goes_on(State state) noexcept {
  return state == State::quoted || state == State::escaped || state == State::escaped_outside;
}

}  // namespace

QuoteMap pass_over(std::string_view bytes, Dialect dialect) noexcept {
  // All states are followed together through the first bytes, where most of them soon coincide; the
  // remaining ones are then followed at the speed of memchr.
  constexpr std::size_t kSideBySide = 16;
  QuoteMap at = {State::field_start, State::unquoted, State::quoted,         State::quote_in_quoted,
                 State::row_start,   State::escaped,  State::escaped_outside};
  for (const char c : bytes.substr(0, kSideBySide)) {
    for (State& state : at) state = step(state, kind_of(c, dialect));
  }
  bytes.remove_prefix(std::min(kSideBySide, bytes.size()));
  QuoteMap behind{};
  std::array<bool, kQuoteStates> known{};
  for (State& state : at) {
    const auto before = static_cast<std::size_t>(state);
    if (!known[before]) {
      const char* end = bytes.data() + bytes.size();
      for (const char* next = bytes.data(); next < end;) {
        next = find_row_end(next, end, dialect, state);
      }
      behind[before] = state;
      known[before] = true;
    }
    state = behind[before];
  }
  return at;
}

const char* find_row_end(const char* from, const char* to, Dialect dialect,
                         QuoteState& state) noexcept {
  if (!goes_on(state) && from < to) {
    // Most rows contain neither a quote nor an escape.
    const void* const found = std::memchr(from, '\n', static_cast<std::size_t>(to - from));
    const char* const end = found == nullptr ? to : static_cast<const char*>(found);
    const auto has = [&](char mark) {
      return mark != '\0' &&
             std::memchr(from, mark, static_cast<std::size_t>(end - from)) != nullptr;
    };
    if (end != to && !has(dialect.quote) && !has(dialect.escape)) {
      state = State::row_start;
      return end + 1;
    }
  }
  for (const char* at = from; at < to; ++at) {
    if (state == State::quoted && dialect.escape == '\0') {
      const auto left = static_cast<std::size_t>(to - at);
      at = static_cast<const char*>(std::memchr(at, dialect.quote, left));
      if (at == nullptr) return to;
      state = State::quote_in_quoted;
      continue;
    }
    state = step(state, kind_of(*at, dialect));
    if (state == State::row_start) return at + 1;
  }
  return to;
}

}  // namespace sosie
