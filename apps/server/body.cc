// Reads the JSON in requests.
#include "body.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "json_slices.h"
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

std::string id_text(std::string_view value, std::string_view list, std::size_t i) {
  if (is_string(value)) {
    if (with_whole_characters(value) == value) return decoded(value);
    refuse(place_of(list, i), "an id must be Unicode text; this one holds a lone surrogate");
  }
  if (is_whole_number(value)) return std::string(value);
  refuse(place_of(list, i), "an id must be a string or a whole number");
}

// Reads an object that contains either the content, in its own field or in "text" or "vector", or
// only an id.
BodyItem item_of_object(std::string_view object, std::string_view column, std::size_t i) {
  bool has_content = false;
  std::size_t count = 0;
  std::string_view text;
  std::string text_name;
  std::string_view id;
  for_each_member(object, [&](const std::string& name, std::string_view value) {
    ++count;
    if (name == column) has_content = true;
    if (name == "text" || (name == "vector" && text_name != "text")) {
      text = value;
      text_name = name;
    }
    if (name == "id") id = value;
  });
  if (has_content) return {on_one_line(object), {}};
  if (!id.empty() && count == 1) return {{}, id_text(id, "item", i)};
  if (text.empty()) return {on_one_line(object), {}};
  std::string line = line_of(column, text);
  for_each_member(object, [&](const std::string& name, std::string_view value) {
    if (name == text_name) return;
    line.back() = ',';
    append_json(name, line);
    line += ':';
    line += value;
    line += '}';
  });
  return {on_one_line(line), {}};
}

BodyItem item_of(std::string_view value, std::string_view column, std::size_t i) {
  if (is_object(value)) return item_of_object(value, column, i);
  if (is_string(value) || is_list(value)) return {on_one_line(line_of(column, value)), {}};
  refuse(place_of("item", i), "an item must be a text, a list or an object");
}

// Name of the option for a field. Throws Error{malformed_input} if the route does not have it.
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
  refuse(std::string(field), "not a field of this request",
         fmt::format("the fields are: {}{}{}", fmt::join(fields, ", "), hint.empty() ? "" : "; ",
                     hint));
}

// Adds the option for a field. Throws Error{malformed_input} if it is already present.
void add_option(std::string_view field, std::string name, std::string value, Body& body) {
  const bool is_there = std::any_of(body.options.begin(), body.options.end(),
                                    [&](const auto& option) { return option.first == name; });
  if (is_there) refuse(std::string(field), "is given twice");
  body.options.emplace_back(std::move(name), std::move(value));
}

std::string option_value(std::string_view field, std::string_view value) {
  if (is_string(value)) return decoded(value);
  if (is_number(value) || is_boolean(value)) return std::string(value);
  refuse(std::string(field), "must be a string, a number, true or false");
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

// Throws Error{malformed_input} for invalid JSON. Returns its only value.
std::string_view checked(std::string_view text, const std::string& place) {
  dom::parser& parser = parser_of_thread(text.size());
  auto fault = parser.parse(text.data(), text.size()).error();
  if (fault == simdjson::NUMBER_ERROR || fault == simdjson::STRING_ERROR) {
    const std::string readable = with_whole_characters(with_short_numbers(text));
    fault = parser.parse(readable).error();
  }
  if (fault == simdjson::DEPTH_ERROR) {
    refuse(place, fmt::format("is nested deeper than {}", kMostNested));
  }
  if (fault != simdjson::SUCCESS) {
    refuse(place, fmt::format("is not JSON: {}", simdjson::error_message(fault)));
  }
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Appends an item or an id to the body.
void take(std::string_view value, const Route& route, std::string_view column, Body& body) {
  if (takes_ids(route)) {
    body.ids.push_back(id_text(value, "id", body.ids.size()));
  } else {
    body.items.push_back(item_of(value, column, body.items.size()));
  }
}

void read_json(const Request& request, std::string_view column, Body& body) {
  const Route& route = *request.route;
  const std::string_view list = takes_ids(route) ? "ids" : "items";
  const std::string_view json = checked(request.body, "body");
  if (!is_object(json)) refuse("body", "is not a JSON object");
  bool has_list = false;
  for_each_member(json, [&](const std::string& name, std::string_view value) {
    if (name != list || route.items.empty()) {
      std::string option = option_of(route, name);
      add_option(name, std::move(option), option_value(name, value), body);
      return;
    }
    if (has_list) refuse(name, "is given twice");
    if (!is_list(value)) {
      refuse(name, "must be a list",
             fmt::format("put even a single item in a list: {{\"{}\": [{}]}}", name,
                         takes_ids(route) ? "\"ID\"" : "\"TEXT\""));
    }
    has_list = true;
    for_each_element(value, [&](std::string_view item) { take(item, route, column, body); });
  });
  if (!has_list && !route.items.empty()) refuse(std::string(list), "is missing");
}

void read_lines(const Request& request, std::string_view column, Body& body) {
  if (request.route->items.empty())
    refuse("body", "this request expects a single JSON value, not JSON lines");
  std::size_t number = 0;
  for (std::string_view rest = request.body; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    take(checked(line, fmt::format("line {}", number)), *request.route, column, body);
  }
}

}  // namespace

Body read_body(const Request& request, std::string_view column) {
  Body body;
  for (auto& [field, value] : address_fields(request.head.query)) {
    add_option(field, option_of(*request.route, field), std::move(value), body);
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
  if (item.line.empty()) refuse(place_of("item", number), "has an id but no content");
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
