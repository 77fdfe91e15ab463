// Compares values of options, of which numbers can be written in several ways.
#include "options/equal_values.h"

#include <algorithm>

#include "core/rational.h"
#include "sosie/options.h"

namespace sosie {

bool equal_values(const std::string& left, const std::string& right) {
  if (left == right) return true;
  const auto one = parse_bound(left, BoundSide::not_below);
  const auto other = parse_bound(right, BoundSide::not_below);
  return one && one == other;
}

bool equal_values_of(std::string_view option, const std::string& left, const std::string& right) {
  const OptionRow* row = find_option(option);
  const bool is_number =
      row != nullptr && (row->type == OptionType::fraction || row->type == OptionType::integer ||
                         row->metavar == "D" || row->metavar == "P");
  return is_number ? equal_values(left, right) : left == right;
}

void take_spelling(const NamedValues& written, NamedValues& values) {
  for (auto& value : values) {
    const auto there = std::find_if(written.begin(), written.end(),
                                    [&](const auto& one) { return one.first == value.first; });
    if (there == written.end()) continue;
    if (equal_values_of(value.first, value.second, there->second)) value.second = there->second;
  }
}

}  // namespace sosie
