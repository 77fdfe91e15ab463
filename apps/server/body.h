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

// The parts of a body that a route accepts.
struct Body {
  std::vector<BodyItem> items;
  std::vector<std::string> ids;
  std::vector<std::pair<std::string, std::string>> options;  // names and values of options
};

// Reads {"items": [...], "ids": [...], option: value, ...}, or NDJSON with an item or id per line
// and options after the '?' in the address (also accepted with JSON). An item is its bare content,
// or an object with the content in the field `column` (or "text", or "vector"). Throws
// Error{malformed_input} for invalid JSON, excessive nesting, unknown fields (with the nearest
// name), and repeated fields.
[[nodiscard]] Body read_body(const Request& request, std::string_view column);

// read_body() with the field of the index, if an index is served.
[[nodiscard]] Body body_of(const Service& service, const Request& request);

// The line of item `number` in a body. Throws Error{malformed_input} if it only has an id.
[[nodiscard]] const std::string& content_of(const BodyItem& item, std::size_t number);

// A response that is a list: {"results": [...], more}, or NDJSON with one element per line if the
// client requests it through Accept or a body in NDJSON.
class ListAnswer {
 public:
  ListAnswer(const Request& request, std::string_view name);
  // The string to which the next element is to be appended.
  [[nodiscard]] std::string& next();
  // `more`: further fields, such as R"("rows": 3)"; omitted in NDJSON.
  [[nodiscard]] Response done(std::string_view more = {}) &&;

 private:
  bool is_lines_;
  bool is_empty_ = true;
  std::string out_;
};

}  // namespace sosie::server
