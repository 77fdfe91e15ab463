// Formats cells as text, and appends fields to rows written by another program.
#include "write/separated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/mix64.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Formats a number. The weights and scores in a table have few distinct values, so the latest
// results are cached.
void append_decimal(std::string& out, double number) {
  constexpr std::size_t kKept = 256;
  struct Kept {
    std::uint64_t bits = 0;
    std::string text;  // empty: none yet
  };
  thread_local std::array<Kept, kKept> kept;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  Kept& place = kept[mix64(bits) % kKept];
  if (place.bits != bits || place.text.empty()) place = {bits, fmt::format("{:.6f}", number)};
  out += place.text;
}

void append_plain(std::string& out, const Cell& cell) {
  struct Append {
    std::string& out;
    void operator()(std::string_view text) const { out += text; }
    void operator()(std::uint64_t number) const { out += std::to_string(number); }
    void operator()(Decimal number) const { append_decimal(out, number.value); }
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(const IdText& id) const { out += id.text; }
  };
  std::visit(Append{out}, cell);
}

void append_unquoted(std::string& out, std::string_view text) { out += text; }

bool needs_quotes(std::string_view value, Dialect dialect) noexcept {
  return std::any_of(value.begin(), value.end(), [&](char c) {
    const bool is_mark = c != '\0' && (c == dialect.quote || c == dialect.escape);
    return c == dialect.separator || c == '\r' || c == '\n' || is_mark;
  });
}

}  // namespace

void append_cell(std::string& out, const Cell& cell, AppendText quote) {
  if (const auto* text = std::get_if<std::string_view>(&cell)) {
    quote(out, *text);
  } else if (const auto* id = std::get_if<IdText>(&cell); id != nullptr && !id->is_integer) {
    quote(out, id->text);
  } else {
    append_plain(out, cell);
  }
}

void append_in_dialect(std::string& row, const Cell& cell, Dialect dialect, AppendText quote) {
  const bool is_usual = dialect.quote == '"' && dialect.escape == '\0';
  std::string value;
  append_cell(value, cell, is_usual ? quote : append_unquoted);
  const bool is_quoted = is_usual && value.starts_with('"');
  const bool is_plain =
      is_usual ? value.find(dialect.separator) == std::string::npos : !needs_quotes(value, dialect);
  if (is_quoted || is_plain) {
    row += value;
    return;
  }
  if (dialect.quote == '\0' && dialect.escape == '\0') {
    throw Error(ErrorKind::unsupported, "an added field needs quotes, but --quote is none",
                "leave --annotate out and use --clusters FILE");
  }
  const char before = dialect.escape == '\0' ? dialect.quote : dialect.escape;
  const bool has_quotes = dialect.quote != '\0';
  if (has_quotes) row += dialect.quote;
  for (const char c : value) {
    const bool ends_field = c == dialect.separator || c == '\r' || c == '\n';
    const bool is_quote = has_quotes && c == dialect.quote;
    if (is_quote || c == before || (ends_field && !has_quotes)) row += before;
    row += c;
  }
  if (has_quotes) row += dialect.quote;
}

}  // namespace sosie
