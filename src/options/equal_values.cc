// Compares option values, in which numbers can be written in several ways.
#include "options/equal_values.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/rational.h"
#include "io/encoding.h"
#include "sosie/options.h"

namespace sosie {

namespace {

constexpr std::string_view kMarksOfShapes = ":,x";

// True for words and numbers between punctuation marks, such as "tversky:1,.5" and
// "tversky:1,0.50".
bool equal_shapes(std::string_view left, std::string_view right) {
  while (true) {
    const std::size_t end = left.find_first_of(kMarksOfShapes);
    const std::size_t right_end = right.find_first_of(kMarksOfShapes);
    if (!equal_values(std::string(left.substr(0, end)), std::string(right.substr(0, right_end)))) {
      return false;
    }
    constexpr std::size_t kNone = std::string_view::npos;
    if (end == kNone || right_end == kNone) return end == right_end;
    if (left[end] != right[right_end]) return false;
    left.remove_prefix(end + 1);
    right.remove_prefix(right_end + 1);
  }
}

bool equal_encodings(const std::string& left, const std::string& right) {
  const auto name_of = [](const std::string& value) {
    return value == "auto" || !is_encoding_name(value) ? value : encoding_of_file({}, value).name;
  };
  return name_of(left) == name_of(right);
}

// Includes options whose text is not just a number, such as 4/5.
bool is_number(const OptionRow& row) noexcept {
  return row.type == OptionType::fraction || row.type == OptionType::integer ||
         row.metavar == "D" || row.metavar == "P";
}

bool says_same(const NamedValues& values, const NamedValues& others) {
  return std::all_of(values.begin(), values.end(), [&](const auto& value) {
    const auto other = std::find_if(others.begin(), others.end(),
                                    [&](const auto& one) { return one.first == value.first; });
    return equal_values_of(value.first, value.second,
                           other == others.end() ? std::string() : other->second);
  });
}

}  // namespace

bool equal_values(const std::string& left, const std::string& right) {
  if (left == right) return true;
  const auto one = parse_bound(left, BoundSide::not_below);
  const auto other = parse_bound(right, BoundSide::not_below);
  return one && one == other;
}

bool equal_values_of(std::string_view option, const std::string& left, const std::string& right) {
  const OptionRow* row = find_option(option);
  if (left == right || row == nullptr) return left == right;
  const std::string one = left.empty() ? std::string(row->default_text) : left;
  const std::string other = right.empty() ? std::string(row->default_text) : right;
  if (is_number(*row)) return equal_values(one, other);
  if (row->metavar == "NAME|auto") return equal_encodings(one, other);
  constexpr std::array kShapes = {"measure", "shingle", "represent", "bands", "construct"};
  const bool is_shape = std::find(kShapes.begin(), kShapes.end(), row->name) != kShapes.end();
  return is_shape ? equal_shapes(one, other) : one == other;
}

void take_spelling(const NamedValues& written, NamedValues& values) {
  if (says_same(written, values) && says_same(values, written)) values = written;
}

void take_value(const NamedValues& written, std::string_view option, NamedValues& values) {
  std::erase_if(values, [&](const auto& value) { return value.first == option; });
  std::copy_if(written.begin(), written.end(), std::back_inserter(values),
               [&](const auto& value) { return value.first == option; });
}

}  // namespace sosie
