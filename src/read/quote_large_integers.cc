// Quotes JSON numbers whose digits parsers would not keep.
#include "read/quote_large_integers.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "core/json_value.h"
#include "core/written_number.h"
#include "read/path_follower.h"

namespace sosie {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";
constexpr std::string_view kEndsOfScalar = " \t\r\n,]}";

std::size_t behind_blanks(std::string_view json, std::size_t at) {
  return std::min(json.find_first_not_of(kJsonBlanks, at), json.size());
}

// The position after the string that begins at `at`.
std::size_t behind_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

// The position after the value that begins at `at`.
std::size_t behind_value(std::string_view json, std::size_t at) {
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = behind_string(json, at);
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at;
      continue;
    } else if (c == '}' || c == ']') {
      --depth;
      ++at;
    } else if (c == ',' || c == ':' || kJsonBlanks.find(c) != std::string_view::npos) {
      ++at;
      continue;
    } else {
      at = std::min(json.find_first_of(kEndsOfScalar, at), json.size());
    }
    if (depth == 0) break;
  }
  return at;
}

// `written`: the name with its quotes.
bool is_name(std::string_view written, std::string_view name) {
  if (written.find('\\') == std::string_view::npos) {
    return written.substr(1, written.size() - 2) == name;
  }
  const std::optional<JsonValue> decoded = parse_json(written);
  return decoded && decoded->is(name);
}

// The value of the last member with this name.
std::string_view member_called(std::string_view object, std::string_view name) {
  std::string_view found;
  std::size_t at = behind_blanks(object, 0) + 1;  // behind the brace
  while (true) {
    at = behind_blanks(object, at);
    if (at >= object.size() || object[at] != '"') return found;
    const std::size_t name_end = behind_string(object, at);
    const std::string_view written = object.substr(at, name_end - at);
    const std::size_t begin = behind_blanks(object, behind_blanks(object, name_end) + 1);
    const std::size_t end = behind_value(object, begin);
    if (is_name(written, name)) found = object.substr(begin, end - begin);
    at = behind_blanks(object, end) + 1;  // behind the comma
  }
}

// Access to values as they are written in a JSON row.
struct WrittenView {
  using Value = std::string_view;
  static bool is_null(std::string_view value) noexcept { return value == "null"; }
  static bool is_object(std::string_view value) noexcept { return value.starts_with('{'); }
  static bool is_list(std::string_view value) noexcept { return value.starts_with('['); }

  static std::optional<std::string_view> member(std::string_view object, std::string_view name) {
    const std::string_view found = member_called(object, name);
    return found.empty() ? std::nullopt : std::optional(found);
  }

  template <class Take>
  static void for_each(std::string_view list, const Take& take) {
    std::size_t at = behind_blanks(list, 1);
    while (at < list.size() && list[at] != ']') {
      const std::size_t end = behind_value(list, at);
      take(list.substr(at, end - at));
      at = behind_blanks(list, end);
      if (at < list.size() && list[at] == ',') at = behind_blanks(list, at + 1);
    }
  }
};

// Appends the text to `out`, with replace(token) in place of each token outside of strings that
// begins like a number.
template <class Replace>
void replace_numbers(std::string_view json, std::string& out, const Replace& replace) {
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    const bool is_number = c == '-' || is_digit(c);
    std::size_t end = at + 1;
    if (c == '"') end = behind_string(json, at);
    if (is_number) end = std::min(json.find_first_of(kEndsOfScalar, at), json.size());
    const std::string_view token = json.substr(at, end - at);
    at = end;
    if (is_number) {
      replace(token);
    } else {
      out += token;
    }
  }
}

// True for a whole number that exceeds 64 bits. Numbers in JSON never begin with a zero.
bool is_large_integer(std::string_view number) {
  const bool has_zeros = number.starts_with('0') || number.starts_with("-0");
  if (has_zeros || !is_whole_number(number)) return false;
  std::int64_t narrow = 0;
  std::uint64_t wide = 0;
  const char* end = number.data() + number.size();
  return std::from_chars(number.data(), end, narrow).ec != std::errc{} &&
         std::from_chars(number.data(), end, wide).ec != std::errc{};
}

}  // namespace

std::vector<std::string_view> json_values(std::string_view object, std::string_view path) {
  // The first member begins at the brace.
  const std::size_t begin = behind_blanks(object, 0);
  return PathFollower<WrittenView>(path).follow(object.substr(begin)).values;
}

bool is_whole_number(std::string_view number) noexcept {
  const std::string_view digits = number.substr(number.starts_with('-') ? 1 : 0);
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
}

bool is_beyond_double(std::string_view number) {
  const std::string_view size = number.substr(number.starts_with('-') ? 1 : 0);
  double value = 0;
  const char* end = size.data() + size.size();
  const auto [stop, error] = std::from_chars(size.data(), end, value);
  if (error != std::errc::result_out_of_range || stop != end) return false;
  // JSON has neither 01 nor 1.e5.
  const bool has_zeros = size.size() > 1 && size[0] == '0' && is_digit(size[1]);
  const std::size_t point = size.find('.');
  const bool is_open = point != std::string_view::npos && !is_digit(size[point + 1]);
  return is_digit(size[0]) && !has_zeros && !is_open && compare_written(size, "1") > 0;
}

std::string with_numbers_in_range(std::string_view json) {
  std::string out;
  replace_numbers(json, out, [&out](std::string_view number) {
    out += is_beyond_double(number) ? std::string_view("0.5") : number;
  });
  return out;
}

std::string with_numbers_in_64_bits(std::string_view json) {
  std::string out;
  replace_numbers(json, out, [&out](std::string_view number) {
    out += is_large_integer(number) || is_beyond_double(number) ? std::string_view("0.5") : number;
  });
  return out;
}

std::string quote_large_integers(std::string_view json) {
  std::string out;
  replace_numbers(json, out, [&out](std::string_view number) {
    const bool is_large = is_large_integer(number);
    if (is_large) out += '"';
    out += number;
    if (is_large) out += '"';
  });
  return out;
}

}  // namespace sosie
