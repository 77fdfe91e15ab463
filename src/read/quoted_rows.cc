#include "read/quoted_rows.h"

#include <cstring>

namespace sosie {
namespace {

enum class Kind : std::uint8_t { other, separator, line_feed, quote, carriage_return };
constexpr std::size_t kKinds = 5;

using State = QuoteState;

// kStep[state][kind]. A carriage return behind a closing quote belongs to the line end.
constexpr std::array<std::array<State, kKinds>, kQuoteStates> kStep = {{
    {State::unquoted, State::field_start, State::row_start, State::quoted, State::unquoted},
    {State::unquoted, State::field_start, State::row_start, State::unquoted, State::unquoted},
    {State::quoted, State::quoted, State::quoted, State::quote_in_quoted, State::quoted},
    {State::unquoted, State::field_start, State::row_start, State::quoted, State::quote_in_quoted},
    {State::unquoted, State::field_start, State::row_start, State::quoted, State::unquoted},
}};

constexpr Kind kind_of(char c, char separator) noexcept {
  if (c == separator) return Kind::separator;
  if (c == '\n') return Kind::line_feed;
  if (c == '"') return Kind::quote;
  return c == '\r' ? Kind::carriage_return : Kind::other;
}

std::array<Kind, 256> kinds_of_bytes(char separator) noexcept {
  std::array<Kind, 256> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i] = kind_of(static_cast<char>(i), separator);
  }
  return kinds;
}

constexpr State step(State state, Kind kind) noexcept {
  return kStep[static_cast<std::size_t>(state)][static_cast<std::size_t>(kind)];
}

}  // namespace

QuoteMap pass_over(std::string_view bytes, char separator) noexcept {
  const std::array<Kind, 256> kinds = kinds_of_bytes(separator);
  std::array<State, kQuoteStates - 1> at = {State::field_start, State::unquoted, State::quoted,
                                            State::quote_in_quoted};
  for (const char c : bytes) {
    const Kind kind = kinds[static_cast<unsigned char>(c)];
    for (State& state : at) state = step(state, kind);
  }
  return {at[0], at[1], at[2], at[3], at[0]};  // a row begins with a field
}

const char* find_row_end(const char* from, const char* to, char separator,
                         QuoteState& state) noexcept {
  for (const char* at = from; at < to; ++at) {
    if (state == State::quoted) {
      at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(to - at)));
      if (at == nullptr) return to;
      state = State::quote_in_quoted;
      continue;
    }
    state = step(state, kind_of(*at, separator));
    if (state == State::row_start) return at + 1;
  }
  return to;
}

}  // namespace sosie
