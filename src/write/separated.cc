// Cells as text, and fields behind rows that another program wrote.
#include "write/separated.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "core/hash64.h"

namespace sosie {
namespace {

// Text of a number. Of the weights and scores in a table there are few different ones: the last
// texts are kept.
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

void append_field(std::string& row, char separator, const Cell& cell, AppendText quote) {
  std::string value;
  append_cell(value, cell, quote);
  row += separator;
  if (value.starts_with('"') || value.find(separator) == std::string::npos) {
    row += value;
    return;
  }
  row += '"';
  for (const char c : value) row.append(c == '"' ? 2 : 1, c);
  row += '"';
}

}  // namespace sosie
