// Parses field names in options and finds the path to text inside lists and objects.
#include "read/field_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/json_value.h"
#include "read/path_follower.h"
#include "read/quote_large_integers.h"

namespace sosie {
namespace {

constexpr std::string_view kEscaped = ",|\\";

bool is_escape(std::string_view text, std::size_t at) noexcept {
  return text[at] == '\\' && at + 1 < text.size() &&
         kEscaped.find(text[at + 1]) != std::string_view::npos;
}

// Parts between unescaped marks, in their original form.
std::vector<std::string> parts_between(char mark, std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == mark) {
      parts.emplace_back();
      continue;
    }
    parts.back() += text[at];
    if (is_escape(text, at)) parts.back() += text[++at];
  }
  return parts;
}

// Access to values in which paths are followed (read/path_follower.h).
struct ReadView {
  using Value = const JsonValue*;
  static bool is_null(const JsonValue* value) noexcept { return value->is_null(); }
  static bool is_object(const JsonValue* value) noexcept { return value->is_object(); }
  static bool is_list(const JsonValue* value) noexcept { return value->is_list(); }

  static std::optional<const JsonValue*> member(const JsonValue* object, std::string_view name) {
    const JsonValue* found = object->find(name);
    return found == nullptr ? std::nullopt : std::optional(found);
  }

  template <class Take>
  static void for_each(const JsonValue* list, const Take& take) {
    for (const JsonValue& member : list->list()) take(&member);
  }
};

std::string names_in(const JsonValue& object) {
  std::string names;
  for (const auto& [name, value] : object.members()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

// The member of objects that has a usual name for texts, or contains the most text; empty if none
// contains any.
std::string wordiest_member(const std::vector<const JsonValue*>& objects) {
  std::string found;
  std::size_t most = 0;
  for (const JsonValue* object : objects) {
    if (!object->is_object()) continue;
    for (const auto& [name, value] : object->members()) {
      const std::size_t size = value.is_text() ? value.text().size() : 0;
      if (value.is_text() && (name == "text" || name == "content")) return name;
      if (size <= most) continue;
      most = size;
      found = name;
    }
  }
  return found;
}

std::string way_into(const JsonValue& value, std::string_view path) {
  if (value.is_object()) {
    const std::string name = wordiest_member({&value});
    return fmt::format("'{}.{}' reaches into it; it has: {}", path, name.empty() ? "NAME" : name,
                       names_in(value));
  }
  std::vector<const JsonValue*> members;
  for (const JsonValue& member : value.list()) members.push_back(&member);
  if (members.empty()) return fmt::format("'{}[]' reads the members of a list", path);
  const auto object = std::find_if(members.begin(), members.end(),
                                   [](const JsonValue* member) { return member->is_object(); });
  if (object == members.end()) {
    return fmt::format("'{0}[]' reads all its members, '{0}[0]' the first", path);
  }
  const std::string name = wordiest_member(members);
  return fmt::format(
      "'{0}[].{1}' reads {1} of all its members, '{0}[0].{1}' of the first; a "
      "member has: {2}",
      path, name.empty() ? "NAME" : name, names_in(**object));
}

}  // namespace

std::vector<std::string> joined_names(std::string_view names) { return parts_between(',', names); }

std::vector<std::string> field_paths(std::string_view name) {
  std::vector<std::string> paths = parts_between('|', name);
  for (std::string& path : paths) path = unescaped_name(path);
  return paths;
}

std::string unescaped_name(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (is_escape(name, at)) ++at;
    plain += name[at];
  }
  return plain;
}

std::string escaped_name(std::string_view name) {
  std::string written;
  for (const char c : name) {
    if (kEscaped.find(c) != std::string_view::npos) written += '\\';
    written += c;
  }
  return written;
}

std::vector<std::string> all_field_paths(std::string_view names) {
  if (names.empty()) return {};
  std::vector<std::string> all{std::string(names)};
  for (std::string& name : joined_names(names)) {
    for (std::string& path : field_paths(name)) all.push_back(std::move(path));
    all.push_back(std::move(name));
  }
  return all;
}

bool is_plain_name(std::string_view names) noexcept {
  return names.find_first_of(",|\\.[") == std::string_view::npos;
}

bool lies_in(std::string_view path, std::string_view column) noexcept {
  if (!path.starts_with(column)) return false;
  return path.size() == column.size() || path[column.size()] == '.' || path[column.size()] == '[';
}

bool may_lie_in(std::string_view name, std::string_view column, bool nested) {
  const auto leads_there = [&](std::string_view path) {
    return nested ? lies_in(path, column) : path == column;
  };
  const std::vector<std::string> paths = field_paths(name);
  return leads_there(name) || std::any_of(paths.begin(), paths.end(), leads_there);
}

std::string told_missing(std::string_view name) {
  const std::vector<std::string> paths = field_paths(name);
  std::string told = fmt::format("field '{}' is missing", paths.front());
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const std::string_view begin = paths.size() == 2 ? ", and so is" : ", and so are";
    told += fmt::format("{} '{}'", i == 1 ? begin : i + 1 == paths.size() ? " and" : ",", paths[i]);
  }
  return told;
}

std::string way_into_value(std::string_view row, std::string_view path) {
  const std::optional<JsonValue> root = parse_json(with_numbers_in_range(row));
  if (!root || !root->is_object()) return {};
  const auto values_at = [&](std::string_view at) {
    return PathFollower<ReadView>(at).follow(&*root).values;
  };
  const auto structured = [](const JsonValue* value) {
    return value->is_list() || value->is_object();
  };
  std::vector<const JsonValue*> found = values_at(path);
  const auto there = std::find_if(found.begin(), found.end(), structured);
  if (there != found.end()) return way_into(**there, path);
  // The longest prefix that leads to a value.
  for (std::size_t end = path.find_last_of(".["); found.empty() && end != std::string_view::npos;
       end = end == 0 ? end : path.find_last_of(".[", end - 1)) {
    const std::string_view begin = path.substr(0, end);
    found = values_at(begin);
    if (end == 0) break;
    const auto outer = std::find_if(found.begin(), found.end(), structured);
    if (outer == found.end()) continue;
    if ((*outer)->is_list()) return way_into(**outer, begin);
    const bool is_member = begin.ends_with(']');
    return fmt::format("{} '{}' has: {}", is_member ? "a member of" : "field",
                       begin.substr(0, is_member ? begin.find_last_of('[') : begin.size()),
                       names_in(**outer));
  }
  return {};
}

}  // namespace sosie
