#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http.h"
#include "service.h"

namespace sosie::server {

using Answer = Response (*)(Service& service, const Request& request);

enum class Serves : std::uint8_t { anything, index, run };

// A row of the table of routes. If `answer` throws an Error (sosie/error.h), the response has the
// corresponding status.
struct Route {
  std::string_view method;
  std::string_view path;  // "/v1/groups/{id}": a part in braces is any one, Request::parameters
  Answer answer;
  std::string_view summary;       // one line, for /openapi.json
  std::string_view items = {};    // content of the body's field "items"; empty: it has none
  std::string_view options = {};  // fields of the body, options by their names: "top,threshold"
  std::string_view more_options = {};
  std::string_view fields = {};      // other fields of the address: "sort,offset"
  Serves serves = Serves::anything;  // others answer 404
  bool is_open = false;              // needs no token
  bool changes = false;              // refused with --read-only
  bool lists = false;                // answers NDJSON where the client asks for it
  bool is_quick = false;             // answered in well under a millisecond where the body is small
};

// All rows: from routes.cc, and from the files that routes.cc names.
[[nodiscard]] std::span<const Route> routes();

struct MatchedRoute {
  const Route* route = nullptr;  // null: there is none
  std::vector<std::string> parameters;
  std::string allowed;  // methods of the path, if it has others: "GET, POST"
};
[[nodiscard]] MatchedRoute find_route(const Service& service, std::string_view method,
                                      std::string_view path);

// Names of the options that the body may contain as fields.
[[nodiscard]] std::vector<std::string_view> option_names(const Route& route);
[[nodiscard]] bool takes_option(const Route& route, std::string_view name);

// Names of the other fields that the address may contain.
[[nodiscard]] std::vector<std::string_view> field_names(const Route& route);

// Throws Error{malformed_input} for a field in the address that is repeated, or that a route
// without options in its body does not have.
void check_address(const Route& route, std::string_view query);

// The table as an OpenAPI document; names, types and help of fields come from the option table.
[[nodiscard]] std::string openapi_document(const Service& service);

}  // namespace sosie::server
