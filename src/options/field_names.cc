// Checks field names in options before files are read.
#include "options/field_names.h"

#include <fmt/format.h>

#include "read/field_paths.h"

namespace sosie {
namespace {

// Number of characters in a UTF-8 text.
std::size_t characters_of(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
  return count;
}

}  // namespace

std::string fault_of_field_names(std::string_view names) {
  bool is_empty = true;
  std::size_t at = 0;
  for (; at < names.size(); ++at) {
    const bool is_mark = names[at] == ',' || names[at] == '|';
    if (is_mark && is_empty) break;
    is_empty = is_mark;
    if (names[at] == '\\' && at + 1 < names.size()) ++at;
  }
  if (!is_empty) return {};
  return fmt::format("empty name at character {}", characters_of(names.substr(0, at)) + 1);
}

std::string way_to_field_names(std::string_view names) {
  std::string way = "a,b joins two fields; a|b uses the first one present in a row";
  if (names.find('\\') != std::string_view::npos) return way;
  return fmt::format("{}; a field called '{}' is written {}", way, names, escaped_name(names));
}

}  // namespace sosie
