// Handles options given more than once in a command.
#include "sosie/option_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "options/equal_values.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Suggests how to specify several values, if the user may have meant that; otherwise, empty.
std::string way_to_several(const OptionRow& row) {
  if (row.name == "column" || row.name == "other-column") {
    return fmt::format(
        "--{0} a,b joins two fields; --{0} 'a|b' uses the first one present in a row", row.name);
  }
  return {};
}

}  // namespace

bool takes_comma_list(const OptionRow& row) noexcept { return row.metavar.ends_with(",..."); }

void set_option_values(Options& options, std::string_view name,
                       std::span<const std::string> values) {
  std::string joined;
  const OptionRow* row = find_option(name);
  if (row == nullptr) set_option(options, name, {});  // rejects the name
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (row->type != OptionType::list && std::find(values.begin(), value, *value) != value) {
      continue;
    }
    const bool adds_up = row->type == OptionType::list || takes_comma_list(*row);
    if (!adds_up && !equal_values_of(row->name, values.front(), *value)) {
      throw Error(ErrorKind::invalid_option, RefusedOption{std::string(row->name)},
                  fmt::format("accepts one value, not both {} and {}", values.front(), *value),
                  way_to_several(*row));
    }
    set_option(options, name, *value);
    joined += (joined.empty() ? "" : ",") + *value;
  }
  if (values.size() > 1 && takes_comma_list(*row)) set_option(options, name, joined);
}

}  // namespace sosie
