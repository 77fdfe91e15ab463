// Says how the texts inside of lists and objects are reached.
#include "read/way_into_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "read/nested_json.h"
#include "read/nlohmann_view.h"
#include "read/path_follower.h"

namespace sosie {
namespace {

using Ordered = nlohmann::ordered_json;
using OrderedView = NlohmannView<Ordered>;

std::string names_in(const Ordered& object) {
  std::string names;
  for (const auto& [name, value] : object.items()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

// The member of objects that is called as texts are, or holds most text; empty: none holds any.
std::string wordiest_member(const std::vector<const Ordered*>& objects) {
  std::string found;
  std::size_t most = 0;
  for (const Ordered* object : objects) {
    if (!object->is_object()) continue;
    for (const auto& [name, value] : object->items()) {
      const std::size_t size = value.is_string() ? value.get_ref<const std::string&>().size() : 0;
      if (value.is_string() && (name == "text" || name == "content")) return name;
      if (size <= most) continue;
      most = size;
      found = name;
    }
  }
  return found;
}

std::string way_into(const Ordered& value, std::string_view path) {
  if (value.is_object()) {
    const std::string name = wordiest_member({&value});
    return fmt::format("'{}.{}' reaches into it; it has: {}", path, name.empty() ? "NAME" : name,
                       names_in(value));
  }
  std::vector<const Ordered*> members;
  for (const Ordered& member : value) members.push_back(&member);
  if (members.empty()) return fmt::format("'{}[]' takes the members of a list", path);
  const auto object = std::find_if(members.begin(), members.end(),
                                   [](const Ordered* member) { return member->is_object(); });
  if (object == members.end()) {
    return fmt::format("'{0}[]' takes all its members, '{0}[0]' the first", path);
  }
  const std::string name = wordiest_member(members);
  return fmt::format(
      "'{0}[].{1}' takes {1} of all its members, '{0}[0].{1}' of the first; a "
      "member has: {2}",
      path, name.empty() ? "NAME" : name, names_in(**object));
}

}  // namespace

std::string way_into_value(std::string_view row, std::string_view path) {
  const auto root = parse_nested_json<Ordered>(row);
  if (!root.is_object()) return {};
  const auto values_at = [&](std::string_view at) {
    return PathFollower<OrderedView>(at).follow(&root).values;
  };
  const auto structured = [](const Ordered* value) { return value->is_structured(); };
  std::vector<const Ordered*> found = values_at(path);
  const auto there = std::find_if(found.begin(), found.end(), structured);
  if (there != found.end()) return way_into(**there, path);
  // The longest beginning that leads somewhere.
  for (std::size_t end = path.find_last_of(".["); found.empty() && end != std::string_view::npos;
       end = end == 0 ? end : path.find_last_of(".[", end - 1)) {
    const std::string_view begin = path.substr(0, end);
    found = values_at(begin);
    if (end == 0) break;
    const auto outer = std::find_if(found.begin(), found.end(), structured);
    if (outer == found.end()) continue;
    if ((*outer)->is_array()) return way_into(**outer, begin);
    const bool is_member = begin.ends_with(']');
    return fmt::format("{} '{}' has: {}", is_member ? "a member of" : "field",
                       begin.substr(0, is_member ? begin.find_last_of('[') : begin.size()),
                       names_in(**outer));
  }
  return {};
}

}  // namespace sosie
