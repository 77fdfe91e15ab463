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

// Reads {"items": [...], "ids": [...], option: value, ...}, or NDJSON: an item or id a line, and
// options behind the '?' of the address (in JSON, too). An item is its bare content, or an object
// with it in the field `column` (or "text", or "vector"). Throws Error{malformed_input} for what is
// no JSON, is nested too deeply, has other fields (with the nearest one) or says one twice.
[[nodiscard]] Body read_body(const Request& request, std::string_view column);

// read_body() with the field of the index, if one is served.
[[nodiscard]] Body body_of(const Service& service, const Request& request);

// The line of item `number` of a body. Throws Error{malformed_input} where it has an id alone.
[[nodiscard]] const std::string& content_of(const BodyItem& item, std::size_t number);

// An answer that is a list: {"results": [...], more}, or NDJSON, an element a line, where the
// client says so: by Accept, or by a body that is NDJSON.
class ListAnswer {
 public:
  ListAnswer(const Request& request, std::string_view name);
  // Where the next element is to be appended.
  [[nodiscard]] std::string& next();
  // `more`: further fields, such as R"("rows": 3)"; NDJSON leaves them out.
  [[nodiscard]] Response done(std::string_view more = {}) &&;

 private:
  bool is_lines_;
  bool is_empty_ = true;
  std::string out_;
};

}  // namespace sosie::server
