// JSON lines: one object per row. ASCII control characters are escaped; ill-formed UTF-8 becomes
// U+FFFD, except in ids, where it could make ids of different rows equal.
#include <fmt/format.h>

#include <array>

#include "core/utf8.h"
#include "write/require_utf8.h"
#include "write/row_writers.h"
#include "write/separated.h"

namespace sosie {
namespace {

// Appends the non-ASCII byte sequence at `at`, replacing ill-formed UTF-8 with U+FFFD, and returns
// the size of the sequence.
std::size_t append_code_point(std::string& out, std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
  std::array<unsigned char, 4> encoded{};
  const std::size_t size = encode_code_point(decoded.code_point, encoded.data());
  out.append(encoded.begin(), encoded.begin() + size);
  return decoded.size;
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      i += append_code_point(out, text, i) - 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_value(std::string& out, const Cell& value, Dialect /*dialect*/) {
  require_utf8(value, "JSON");
  append_cell(out, value, append_json);
}

void append_member(std::string& out, std::string_view name, const Cell& value) {
  append_json(out, name);
  out += ": ";
  append_value(out, value, {});
}

void append_nothing(std::string& /*out*/, std::span<const std::string> /*columns*/) {}

void append_object(std::string& out, std::span<const std::string> columns,
                   std::span<const Cell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += i == 0 ? "{" : ", ";
    append_member(out, columns[i], cells[i]);
  }
  out += "}\n";
}

void add_members(std::string& row, const std::vector<AddedField>& fields, Dialect /*dialect*/) {
  const std::size_t end = row.rfind('}');
  if (end == std::string::npos) return;
  const bool empty = row.find_last_not_of(" \t", end - 1) == row.find('{');
  std::string added;
  for (const AddedField& field : fields) {
    added += added.empty() && empty ? "" : ", ";
    append_member(added, field.name, field.is_null ? Cell{IdText{"null", true}} : field.value);
  }
  row.insert(end, added);
}

}  // namespace

constexpr RowWriter kJsonlRowWriter = {.header = append_nothing,
                                       .row = append_object,
                                       .value = append_value,
                                       .add = add_members,
                                       .add_names = nullptr};

}  // namespace sosie
