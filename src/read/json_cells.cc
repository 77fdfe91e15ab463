// Splits a JSON object into the cells of a table.
#include "read/json_cells.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "data/format.h"
#include "read/nested_json.h"

namespace sosie {

void split_json_object(std::string_view object, const std::vector<std::string>& columns,
                       std::vector<std::string>& out) {
  const auto members = parse_nested_json<nlohmann::ordered_json>(object);
  if (!members.is_object()) throw RowError("not a JSON object");
  out.clear();
  if (columns.empty()) {
    for (const auto& [name, value] : members.items()) out.push_back(name);
    return;
  }
  for (const std::string& name : columns) {
    const auto value = members.find(name);
    if (value == members.end()) throw RowError(fmt::format("field '{}' is missing", name));
    out.push_back(value->is_string() ? value->get<std::string>() : value->dump());
  }
}

}  // namespace sosie
