#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routes.h"

namespace sosie::server {

// An item of a body: a line of JSONL, or the id of an item of the index.
struct BodyItem {
  std::string line;
  std::string id;  // set where the line is empty
};

// A body, as far as a route takes it.
struct Body {
  std::vector<BodyItem> items;
  std::vector<std::string> ids;
  std::vector<std::pair<std::string, std::string>> options;  // names and values of options
};

// Reads {"items": [...], "ids": [...], option: value, ...}. An item is its bare content, or an
// object with it in the field `column` (or "text"). Throws Error{malformed_input} for what is no
// JSON, is nested too deeply or has other fields, with the nearest one.
[[nodiscard]] Body read_body(const Request& request, const Route& route, std::string_view column);

}  // namespace sosie::server
