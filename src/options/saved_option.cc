// Reads options from saved runs, sketches and indexes.
#include "options/saved_option.h"

#include <algorithm>
#include <array>

#include "options/field_names.h"
#include "options/settings.h"

namespace sosie {
namespace {

bool is_list_of_rules(const std::string& value) { return parse_keep(value).has_value(); }

bool leaves_a_name_empty(const std::string& value) {
  return !value.empty() && value.find('\0') == std::string::npos &&
         !fault_of_field_names(value).empty();
}

// TABLE: options that formerly accepted more values, and these values.
struct OldRule {
  std::string_view name;
  std::string Options::*member;
  bool (*was_taken)(const std::string& value);
};
constexpr std::array kOldRules = {OldRule{"keep", &Options::keep, is_list_of_rules},
                                  OldRule{"id", &Options::id, leaves_a_name_empty},
                                  OldRule{"column", &Options::column, leaves_a_name_empty},
                                  OldRule{"other-id", &Options::other_id, leaves_a_name_empty},
                                  OldRule{"show", &Options::show, leaves_a_name_empty}};

}  // namespace

void set_saved_option(Options& options, std::string_view name, const std::string& value) {
  const auto* known = std::find_if(kOldRules.begin(), kOldRules.end(),
                                   [&](const OldRule& row) { return row.name == name; });
  if (known == kOldRules.end() || !known->was_taken(value)) {
    set_option(options, name, value);
    return;
  }
  options.*known->member = value;
  std::erase_if(options.given, [&](const auto& given) { return given.first == name; });
  options.given.emplace_back(name, value);
}

}  // namespace sosie
