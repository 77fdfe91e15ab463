// Reads the JSON of requests.
#include "body.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "json_text.h"
#include "sosie/error.h"

namespace sosie::server {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMostNested = 64;
constexpr std::size_t kKeptBytes = 1 << 20;  // a parser keeps them between requests
constexpr std::string_view kLines = "application/x-ndjson";
constexpr std::array kLineTypes = {kLines, std::string_view("application/jsonl"),
                                   std::string_view("application/ndjson")};

bool names_lines(std::string_view header) {
  return std::any_of(kLineTypes.begin(), kLineTypes.end(), [&](std::string_view type) {
    return header.find(type) != std::string_view::npos;
  });
}

bool takes_ids(const Route& route) { return route.items == "ids"; }

[[noreturn]] void refuse(std::string place, std::string reason, std::string hint = {}) {
  throw Error(ErrorKind::malformed_input, BadPlace{std::move(place)}, std::move(reason),
              std::move(hint));
}

std::string place_of(std::string_view list, std::size_t i) { return fmt::format("{} {}", list, i); }

std::string line_of(std::string_view column, std::string_view content) {
  std::string line = "{";
  append_json(column, line);
  line += ':';
  line += content;
  return line + "}";
}

std::string id_text(dom::element value, std::string_view list, std::size_t i) {
  if (value.is_string()) return std::string(std::string_view(value));
  if (value.is_int64() || value.is_uint64()) return simdjson::minify(value);
  refuse(place_of(list, i), "an id is a string or a whole number");
}

// An object: with the content where it belongs, or under "text", or with an id alone.
BodyItem item_of(dom::object object, std::string_view column, std::size_t i) {
  dom::element content;
  dom::element id;
  const bool has_id = object.at_key("id").get(id) == simdjson::SUCCESS;
  if (object.at_key(column).get(content) == simdjson::SUCCESS) {
    return {simdjson::minify(object), {}};
  }
  const bool has_text = object.at_key("text").get(content) == simdjson::SUCCESS;
  if (has_id && object.size() == 1) return {{}, id_text(id, "item", i)};
  if (!has_text) return {simdjson::minify(object), {}};
  std::string line = line_of(column, simdjson::minify(content));
  for (const auto field : object) {
    if (field.key == "text") continue;
    line.back() = ',';
    append_json(field.key, line);
    line += ":" + std::string(simdjson::minify(field.value)) + "}";
  }
  return {std::move(line), {}};
}

BodyItem item_of(dom::element value, std::string_view column, std::size_t i) {
  if (value.is_object()) return item_of(dom::object(value), column, i);
  if (value.is_string() || value.is_array()) {
    return {line_of(column, simdjson::minify(value)), {}};
  }
  refuse(place_of("item", i), "an item is a text, a list or an object");
}

// Name of the option of a field. Throws Error{malformed_input} for one that the route has not.
std::string option_of(const Route& route, std::string_view field) {
  std::string name = option_name(field);
  if (name.find('_') == std::string::npos && field.find('-') == std::string_view::npos &&
      takes_option(route, name)) {
    return name;
  }
  const std::string hint = option_hint(name, kAllVerbs);
  std::vector<std::string> fields;
  if (!route.items.empty()) fields.emplace_back(takes_ids(route) ? "ids" : "items");
  for (const std::string_view option : option_names(route)) fields.push_back(field_name(option));
  refuse(std::string(field), "no field of this request",
         fmt::format("the fields are: {}{}{}", fmt::join(fields, ", "), hint.empty() ? "" : "; ",
                     hint));
}

std::string option_value(std::string_view field, dom::element value) {
  if (value.is_string()) return std::string(std::string_view(value));
  if (value.is_number() || value.is_bool()) return simdjson::minify(value);
  refuse(std::string(field), "takes a string, a number, true or false");
}

dom::parser& parser_of_thread(std::size_t bytes) {
  thread_local std::unique_ptr<dom::parser> parser;
  if (!parser || (parser->capacity() > kKeptBytes && bytes <= kKeptBytes)) {
    parser = std::make_unique<dom::parser>();
  }
  const std::size_t capacity = std::max<std::size_t>(bytes, 4096);
  if (parser->capacity() < capacity &&
      parser->allocate(capacity, kMostNested) != simdjson::SUCCESS) {
    throw std::bad_alloc();
  }
  return *parser;
}

dom::array array_of(dom::element value, std::string_view field) {
  if (value.is_array()) return dom::array(value);
  refuse(std::string(field), "is a list");
}

dom::element parse(dom::parser& parser, std::string_view text, const std::string& place) {
  dom::element json;
  const auto fault = parser.parse(text.data(), text.size()).get(json);
  if (fault == simdjson::DEPTH_ERROR) {
    refuse(place, fmt::format("is nested deeper than {}", kMostNested));
  }
  if (fault != simdjson::SUCCESS) {
    refuse(place, fmt::format("is no JSON: {}", simdjson::error_message(fault)));
  }
  return json;
}

// Behind what the body has: an item or an id.
void take(dom::element value, const Route& route, std::string_view column, Body& body) {
  if (takes_ids(route)) {
    body.ids.push_back(id_text(value, "id", body.ids.size()));
  } else {
    body.items.push_back(item_of(value, column, body.items.size()));
  }
}

void read_json(const Request& request, std::string_view column, Body& body) {
  const Route& route = *request.route;
  const std::string_view list = takes_ids(route) ? "ids" : "items";
  const dom::element json = parse(parser_of_thread(request.body.size()), request.body, "body");
  dom::object fields;
  if (json.get(fields) != simdjson::SUCCESS) refuse("body", "is no JSON object");
  bool has_list = route.items.empty();
  for (const auto field : fields) {
    if (field.key != list || route.items.empty()) {
      std::string name = option_of(route, field.key);
      body.options.emplace_back(std::move(name), option_value(field.key, field.value));
      continue;
    }
    has_list = true;
    for (const dom::element value : array_of(field.value, list)) take(value, route, column, body);
  }
  if (!has_list) refuse(std::string(list), "is missing");
}

void read_lines(const Request& request, std::string_view column, Body& body) {
  if (request.route->items.empty()) refuse("body", "this request takes JSON, not lines of it");
  dom::parser& parser = parser_of_thread(request.body.size());
  std::size_t number = 0;
  for (std::string_view rest = request.body; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    take(parse(parser, line, fmt::format("line {}", number)), *request.route, column, body);
  }
}

}  // namespace

Body read_body(const Request& request, std::string_view column) {
  Body body;
  for (auto& [field, value] : address_fields(request.head.query)) {
    body.options.emplace_back(option_of(*request.route, field), std::move(value));
  }
  if (names_lines(request.head.content_type)) {
    read_lines(request, column, body);
  } else {
    read_json(request, column, body);
  }
  return body;
}

Body body_of(const Service& service, const Request& request) {
  return read_body(request, service.index ? service.built.column : Options{}.column);
}

const std::string& content_of(const BodyItem& item, std::size_t number) {
  if (item.line.empty()) refuse(place_of("item", number), "has an id and no content");
  return item.line;
}

ListAnswer::ListAnswer(const Request& request, std::string_view name)
    : is_lines_(names_lines(request.head.accept) ||
                (names_lines(request.head.content_type) &&
                 request.head.accept.find("json") == std::string::npos)) {
  if (!is_lines_) out_ = fmt::format("{{\"{}\": [", name);
}

std::string& ListAnswer::next() {
  if (!is_empty_) out_ += is_lines_ ? "\n" : ", ";
  is_empty_ = false;
  return out_;
}

Response ListAnswer::done(std::string_view more) && {
  if (is_lines_) {
    if (!is_empty_) out_ += '\n';
    return {200, std::move(out_), std::string(kLines)};
  }
  out_ += more.empty() ? "]}" : fmt::format("], {}}}", more);
  return {200, std::move(out_)};
}

}  // namespace sosie::server
