// Checks values in a TOML file against the rows of the key table.
#include "options/link_rules_reader.h"

#include <cmath>
#include <utility>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// "did you mean X?" if a name is similar, otherwise the list of all names.
std::string hint_of(std::string_view written, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(written, names);
  return nearest.empty() ? fmt::format("expected one of {}", joined_text(names, ", "))
                         : fmt::format("did you mean {}?", nearest);
}

// Cuts out the middle of a long text, which may quote a value of any length from the file.
std::string without_middle(const std::string& text) {
  constexpr std::size_t kBegin = 160;
  constexpr std::size_t kEnd = 80;
  if (text.size() <= kBegin + kEnd) return text;
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  std::size_t begin = kBegin;
  std::size_t end = text.size() - kEnd;
  while (is_inside(begin)) --begin;
  while (is_inside(end)) ++end;
  return text.substr(0, begin) + "..." + text.substr(end);
}

}  // namespace

void LinkRulesReader::refuse(const toml::node& node, const std::string& reason,
                             const std::string& hint) const {
  refuse_at(node.source(), reason, hint);
}

void LinkRulesReader::refuse_at(const toml::source_region& place, const std::string& reason,
                                const std::string& hint) const {
  throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("{}:{}", name_, place.begin.line)},
              without_middle(reason), hint);
}

void LinkRulesReader::check_keys(const toml::table& table,
                                 std::span<const std::string_view> known) const {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    refuse_at(key.source(), fmt::format("unknown key '{}'", key.str()), hint_of(key.str(), known));
  }
}

const toml::table& LinkRulesReader::table(const toml::node& node, std::string_view what) const {
  if (const toml::table* table = node.as_table()) return *table;
  refuse(node, fmt::format("{} is not a table", what));
}

const toml::array& LinkRulesReader::list_of_rules(const toml::node& node,
                                                  std::string_view key) const {
  const toml::array* list = node.as_array();
  if (list == nullptr) refuse(node, fmt::format("{} is not a list", key));
  if (list->size() > kMostListedRules) {
    refuse(node, fmt::format("more than {} rules", kMostListedRules));
  }
  return *list;
}

RuleValue LinkRulesReader::value(const toml::node& node, const RuleKey& key) const {
  switch (key.type) {
    case RuleType::text:
      return checked_text(node, key);
    case RuleType::texts:
      return texts(node, key.name);
    case RuleType::choice:
      return choice(node, key);
    case RuleType::flag:
      if (const auto flag = node.value_exact<bool>()) return *flag;
      refuse(node, fmt::format("{} is not true or false", key.name));
    case RuleType::count:
      return count(node, key);
    case RuleType::number:
      return number(node, key.name, key.range);
    case RuleType::number_or_text:
      return checked_text(node, key);
    case RuleType::numbers:
      return numbers(node, key);
    case RuleType::fields:
      return fields(node, key);
  }
  return {};
}

std::string LinkRulesReader::text(const toml::node& node, std::string_view what) const {
  if (const auto value = node.value_exact<std::string>()) return *value;
  refuse(node, fmt::format("{} is not a quoted string", what));
}

std::string LinkRulesReader::checked_text(const toml::node& node, const RuleKey& key) const {
  const bool is_number = key.type == RuleType::number_or_text && node.is_number();
  std::string value =
      is_number ? written_number(node.value<double>().value_or(0)) : text(node, key.name);
  if (key.check != nullptr && !key.check(value)) {
    refuse(node, fmt::format("{} is not {}", key.name, key.expected));
  }
  return value;
}

std::vector<std::string> LinkRulesReader::texts(const toml::node& node,
                                                std::string_view what) const {
  if (!node.is_array()) return {text(node, what)};
  std::vector<std::string> values;
  for (const toml::node& value : *node.as_array()) values.push_back(text(value, what));
  if (values.empty()) refuse(node, fmt::format("{} is empty", what));
  return values;
}

std::string LinkRulesReader::choice(const toml::node& node, const RuleKey& key) const {
  std::string value = text(node, key.name);
  const std::vector<std::string_view> names = key.names();
  const bool is_known = std::find(names.begin(), names.end(), value) != names.end() ||
                        (key.check != nullptr && key.check(value));
  if (is_known) return value;
  refuse(node, fmt::format("'{}' is no {}", value, key.noun.empty() ? key.name : key.noun),
         hint_of(value, names));
}

std::uint32_t LinkRulesReader::count(const toml::node& node, const RuleKey& key) const {
  const auto value = node.value_exact<std::int64_t>();
  if (value && static_cast<double>(*value) >= key.range.least &&
      static_cast<double>(*value) <= key.range.most) {
    return static_cast<std::uint32_t>(*value);
  }
  refuse(node, fmt::format("{} is not a whole number from {:.0f} to {:.0f}", key.name,
                           key.range.least, key.range.most));
}

double LinkRulesReader::number(const toml::node& node, std::string_view what,
                               const RuleRange& range) const {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (value && *value >= range.least && *value <= range.most &&
      (!range.is_open || (*value > range.least && *value < range.most))) {
    return *value;
  }
  refuse(node, fmt::format("{} is not a number {} {} {} {}", what,
                           range.is_open ? "between" : "from", written_number(range.least),
                           range.is_open ? "and" : "to", written_number(range.most)));
}

std::vector<double> LinkRulesReader::numbers(const toml::node& node, const RuleKey& key) const {
  const toml::array* list = node.as_array();
  if (list == nullptr) refuse(node, fmt::format("{} is not a list of numbers", key.name));
  if (key.most_items > 0 && list->size() > key.most_items) {
    refuse(node, fmt::format("more than {} {}", key.most_items, key.name));
  }
  std::vector<double> found;
  found.reserve(list->size());
  for (const toml::node& value : *list) {
    found.push_back(number(value, fmt::format("one of {}", key.name), key.range));
  }
  return found;
}

std::vector<std::uint32_t> LinkRulesReader::fields(const toml::node& node,
                                                   const RuleKey& key) const {
  std::vector<std::uint32_t> found;
  for (const std::string& name : texts(node, key.name)) {
    const auto field = std::find(fields_.begin(), fields_.end(), name);
    if (field == fields_.end()) {
      refuse(node, fmt::format("'{}' is not a field", name), hint_of(name, fields_));
    }
    found.push_back(static_cast<std::uint32_t>(field - fields_.begin()));
  }
  return found;
}

}  // namespace sosie
