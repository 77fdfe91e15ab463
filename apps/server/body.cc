// Reads the JSON of requests.
#include "body.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "json_text.h"
#include "sosie/error.h"

namespace sosie::server {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMostNested = 64;
constexpr std::size_t kKeptBytes = 1 << 20;  // a parser keeps them between requests

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

std::pair<std::string, std::string> option_of(const Route& route, std::string_view field,
                                              dom::element value) {
  const std::string name = option_name(field);
  if (name.find('_') != std::string::npos || field.find('-') != std::string_view::npos ||
      !takes_option(route, name)) {
    const std::string hint = option_hint(name, kAllVerbs);
    refuse(
        std::string(field), "no field of this request",
        fmt::format("the fields are: {}{}", route.items.empty() ? "" : "items, ", route.options) +
            (hint.empty() ? "" : "; " + hint));
  }
  if (value.is_string()) return {name, std::string(std::string_view(value))};
  if (value.is_number() || value.is_bool()) return {name, simdjson::minify(value)};
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

}  // namespace

Body read_body(const Request& request, const Route& route, std::string_view column) {
  Body body;
  dom::element json;
  dom::object fields;
  const auto fault = parser_of_thread(request.body.size()).parse(request.body).get(json);
  if (fault == simdjson::DEPTH_ERROR) {
    refuse("body", fmt::format("is nested deeper than {}", kMostNested));
  }
  if (fault != simdjson::SUCCESS) {
    refuse("body", fmt::format("is no JSON: {}", simdjson::error_message(fault)));
  }
  if (json.get(fields) != simdjson::SUCCESS) refuse("body", "is no JSON object");
  bool has_items = false;
  for (const auto field : fields) {
    if (field.key == route.items && field.key == "ids") {
      has_items = true;
      std::size_t i = 0;
      for (const dom::element id : array_of(field.value, "ids")) {
        body.ids.push_back(id_text(id, "id", i++));
      }
    } else if (field.key == "items" && !route.items.empty() && route.items != "ids") {
      has_items = true;
      std::size_t i = 0;
      for (const dom::element item : array_of(field.value, "items")) {
        body.items.push_back(item_of(item, column, i));
        ++i;
      }
    } else {
      body.options.push_back(option_of(route, field.key, field.value));
    }
  }
  if (!route.items.empty() && !has_items) {
    refuse(route.items == "ids" ? "ids" : "items", "is missing");
  }
  return body;
}

}  // namespace sosie::server
