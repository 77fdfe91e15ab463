// Takes apart the names of fields that options write.
#include "read/field_paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace sosie {
namespace {

constexpr std::string_view kEscaped = ",|\\";

bool is_escape(std::string_view text, std::size_t at) noexcept {
  return text[at] == '\\' && at + 1 < text.size() &&
         kEscaped.find(text[at + 1]) != std::string_view::npos;
}

// Parts between marks that no backslash stands before, as they are written.
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

std::string without_escapes(std::string_view text) {
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_escape(text, at)) ++at;
    name += text[at];
  }
  return name;
}

}  // namespace

std::vector<std::string> joined_names(std::string_view names) { return parts_between(',', names); }

std::vector<std::string> field_paths(std::string_view name) {
  std::vector<std::string> paths = parts_between('|', name);
  for (std::string& path : paths) path = without_escapes(path);
  return paths;
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

}  // namespace sosie
