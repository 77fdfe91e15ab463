// Splits valid JSON text into its values.
#include "json_slices.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace sosie::server {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kEndsOfScalar = " \t\r\n,]}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t behind_blanks(std::string_view json, std::size_t at) {
  return std::min(json.find_first_not_of(kBlanks, at), json.size());
}

std::size_t behind_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

// The position after the value that begins at `at`.
std::size_t behind_value(std::string_view json, std::size_t at) {
  if (at >= json.size()) return at;
  if (json[at] == '"') return behind_string(json, at);
  if (json[at] != '{' && json[at] != '[') {
    return std::min(json.find_first_of(kEndsOfScalar, at), json.size());
  }
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = behind_string(json, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
    if (depth == 0) break;
  }
  return at;
}

// The UTF-16 code unit of the escape "\uXXXX" at this position; 0 if there is no such escape.
unsigned unit_at(std::string_view json, std::size_t at) {
  constexpr std::size_t kSize = 6;
  if (at + kSize > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
  unsigned unit = 0;
  const char* end = json.data() + at + kSize;
  const auto [stop, error] = std::from_chars(json.data() + at + 2, end, unit, 16);
  return error == std::errc{} && stop == end ? unit : 0;
}

bool is_high_surrogate(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

void for_each_member(
    std::string_view object,
    const std::function<void(const std::string& name, std::string_view value)>& take) {
  std::size_t at = behind_blanks(object, behind_blanks(object, 0) + 1);
  while (at < object.size() && object[at] == '"') {
    const std::size_t name_end = behind_string(object, at);
    const std::string name = decoded(object.substr(at, name_end - at));
    const std::size_t begin = behind_blanks(object, behind_blanks(object, name_end) + 1);
    const std::size_t end = behind_value(object, begin);
    take(name, object.substr(begin, end - begin));
    at = behind_blanks(object, behind_blanks(object, end) + 1);
  }
}

void for_each_element(std::string_view list,
                      const std::function<void(std::string_view value)>& take) {
  std::size_t at = behind_blanks(list, behind_blanks(list, 0) + 1);
  while (at < list.size() && list[at] != ']') {
    const std::size_t end = behind_value(list, at);
    take(list.substr(at, end - at));
    at = behind_blanks(list, behind_blanks(list, end) + 1);
  }
}

bool is_number(std::string_view value) {
  return !value.empty() && (value.front() == '-' || is_digit(value.front()));
}

bool is_whole_number(std::string_view value) {
  return is_number(value) && std::all_of(value.begin() + 1, value.end(), is_digit);
}

std::string decoded(std::string_view string) {
  const std::string_view inner = string.substr(1, string.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  return nlohmann::json::parse(with_whole_characters(string)).get<std::string>();
}

std::string on_one_line(std::string_view value) {
  const std::size_t begin = behind_blanks(value, 0);
  value = value.substr(begin, value.find_last_not_of(kBlanks) + 1 - begin);
  std::string line(value);
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return line;
}

std::string with_short_numbers(std::string_view json) {
  constexpr std::size_t kMostDigits = 18;
  std::string out(json);
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      at = behind_string(json, at);
    } else if (json[at] == '-' || is_digit(json[at])) {
      const std::size_t end = behind_value(json, at);
      if (end - at > kMostDigits && is_whole_number(json.substr(at, end - at))) {
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(at + kMostDigits),
                  out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      }
      at = end;
    } else {
      ++at;
    }
  }
  return out;
}

std::string with_whole_characters(std::string_view json) {
  constexpr std::string_view kReplacement = "\\ufffd";
  constexpr std::size_t kPair = 2 * kReplacement.size();
  std::string out(json);
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at)) {
    const unsigned unit = unit_at(json, at);
    if (is_high_surrogate(unit) && is_low_surrogate(unit_at(json, at + kReplacement.size()))) {
      at += kPair;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      out.replace(at, kReplacement.size(), kReplacement);
      at += kReplacement.size();
    } else {
      at += 2;
    }
  }
  return out;
}

}  // namespace sosie::server
