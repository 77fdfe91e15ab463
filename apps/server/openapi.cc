// The table of routes as an OpenAPI document.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_text.h"
#include "routes.h"
#include "sosie/version.h"

namespace sosie::server {
namespace {

using Json = nlohmann::ordered_json;

Json type_of(const OptionRow& row) {
  Json schema;
  switch (row.type) {
    case OptionType::integer:
      schema["type"] = "integer";
      schema["minimum"] = row.name == "seed" ? 0 : 1;
      break;
    case OptionType::flag:
      schema["type"] = "boolean";
      break;
    case OptionType::fraction:
      schema["type"] = {"number", "string"};
      break;
    case OptionType::choice:
      schema["type"] = "string";
      for (std::string_view rest = row.choices; !rest.empty();) {
        const std::size_t end = std::min(rest.find('|'), rest.size());
        schema["enum"].push_back(std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(rest.size(), end + 1));
      }
      break;
    default:
      schema["type"] = {"string", "number"};
  }
  schema["description"] = std::string(row.help);
  if (!row.default_text.empty()) schema["x-default"] = std::string(row.default_text);
  return schema;
}

Json item_type(std::string_view items) {
  if (items == "ids") return {{"type", {"string", "integer"}}};
  return {{"type", {"string", "array", "object"}}};
}

Json body_of(const Route& route) {
  Json fields = Json::object();
  Json required = Json::array();
  if (!route.items.empty()) {
    const std::string name = route.items == "ids" ? "ids" : "items";
    fields[name] = {{"type", "array"},
                    {"description", std::string(route.items)},
                    {"items", item_type(route.items)}};
    required.push_back(name);
  }
  for (const std::string_view name : option_names(route)) {
    const OptionRow* row = find_option(name);
    if (row != nullptr) fields[field_name(row->name)] = type_of(*row);
  }
  const Json schema = {{"type", "object"},
                       {"properties", fields},
                       {"required", required},
                       {"additionalProperties", false}};
  Json content = {{"application/json", {{"schema", schema}}}};
  if (!route.items.empty()) {
    content["application/x-ndjson"] = {
        {"schema",
         {{"type", "string"},
          {"description", "JSON lines, each one of: " + std::string(route.items)}}}};
  }
  return {{"required", true}, {"content", content}};
}

Json parameters_of(const Route& route) {
  const std::string_view path = route.path;
  Json parameters = Json::array();
  for (const std::string_view name : option_names(route)) {
    parameters.push_back(
        {{"name", field_name(name)}, {"in", "query"}, {"schema", type_of(*find_option(name))}});
  }
  for (const std::string_view name : field_names(route)) {
    const bool is_count = name == "offset" || name == "limit";
    parameters.push_back({{"name", std::string(name)},
                          {"in", "query"},
                          {"schema", {{"type", is_count ? "integer" : "string"}}}});
  }
  for (std::size_t at = path.find('{'); at != std::string_view::npos; at = path.find('{', at + 1)) {
    const std::string name(path.substr(at + 1, path.find('}', at) - at - 1));
    parameters.push_back(
        {{"name", name}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
  }
  return parameters;
}

Json responses_of(const Route& route) {
  const Json error = {{"description", "an error: its reason, place, option and hint"}};
  Json done = {{"description", "done"}};
  if (route.lists) {
    done["content"] = {{"application/json", Json::object()},
                       {"application/x-ndjson", Json::object()}};
  }
  Json responses = {{"200", done}};
  for (const char* status : {"400", "403", "413", "421", "429", "500", "503"}) {
    responses[status] = error;
  }
  if (!route.is_open) responses["401"] = error;
  if (route.path.find('{') != std::string_view::npos) responses["404"] = error;
  return responses;
}

}  // namespace

std::string openapi_document(const Service& service) {
  Json paths = Json::object();
  for (const Route& route : routes()) {
    if (find_route(service, route.method, route.path).route == nullptr) continue;
    Json operation = {{"summary", std::string(route.summary)}, {"responses", responses_of(route)}};
    if (route.method == "POST") operation["requestBody"] = body_of(route);
    const Json parameters = parameters_of(route);
    if (!parameters.empty()) operation["parameters"] = parameters;
    if (route.is_open) operation["security"] = Json::array();
    Json& operations = paths[std::string(route.path)];
    if (route.method == "GET") {
      operations["get"] = operation;
      operation["summary"] = "the headers of the answer to GET";
      operations["head"] = operation;
    } else {
      operations["post"] = operation;
    }
  }
  Json document = {{"openapi", "3.1.0"},
                   {"info", {{"title", "Sosie"}, {"version", std::string(version())}}},
                   {"paths", paths}};
  if (!service.options.token_file.empty()) {
    document["components"]["securitySchemes"]["token"] = {{"type", "http"}, {"scheme", "bearer"}};
    document["security"] = Json::array({Json{{"token", Json::array()}}});
  }
  return document.dump();
}

}  // namespace sosie::server
