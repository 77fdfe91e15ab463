// Reads lists of numbers, as JSON or as text.
#include "read/append_numbers.h"

#include <charconv>
#include <cmath>

namespace sosie {
namespace {

constexpr std::string_view kListBlanks = " \t\r\n";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kListBlanks), text.size()));
}

bool append_number(std::string_view& text, std::vector<double>& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return false;
  out.push_back(value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// Which separators a list has.
struct Separators {
  bool blank = false;  // nothing but blanks
  bool comma = false;
  bool semicolon = false;

  void add(char separator) noexcept {
    (separator == ',' ? comma : separator == ';' ? semicolon : blank) = true;
  }
  [[nodiscard]] bool are_mixed() const noexcept {
    return (blank ? 1 : 0) + (comma ? 1 : 0) + (semicolon ? 1 : 0) > 1;
  }
};

bool append_list(std::string_view text, std::vector<double>& out, Separators& separators) {
  skip_blanks(text);
  if (text.starts_with('[')) {
    const std::size_t close = text.find_last_not_of(kListBlanks);
    if (text[close] != ']') return false;
    text = text.substr(1, close - 1);
    skip_blanks(text);
  }
  while (!text.empty()) {
    if (!append_number(text, out)) return false;
    const bool blank = !text.empty() && kListBlanks.find(text.front()) != std::string_view::npos;
    skip_blanks(text);
    if (text.empty()) return true;
    const bool mark = text.front() == ',' || text.front() == ';';
    if (!mark && !blank) return false;
    separators.add(mark ? text.front() : ' ');
    if (!mark) continue;
    text.remove_prefix(1);
    skip_blanks(text);
    if (text.empty()) return false;
  }
  return true;
}

}  // namespace

bool append_numbers(std::string_view text, std::vector<double>& out) {
  Separators separators;
  return append_list(text, out, separators) && !separators.are_mixed();
}

bool mixes_separators(std::string_view text) {
  std::vector<double> numbers;
  Separators separators;
  return append_list(text, numbers, separators) && separators.are_mixed();
}

}  // namespace sosie
