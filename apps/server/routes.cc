// TABLE: the routes of the service.
#include "routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "index_routes.h"
#include "json_text.h"
#include "run_routes.h"
#include "sosie/error.h"

namespace sosie::server {
namespace {

Response health(Service& /*service*/, const Request& /*request*/) {
  return {200, R"({"status": "ok"})"};
}

Response readiness(Service& service, const Request& /*request*/) {
  if (service.is_ending) return {503, R"({"status": "ending"})"};
  return {200, R"({"status": "ready"})"};
}

Response metrics(Service& service, const Request& /*request*/) {
  std::string text = service.metrics.text();
  const HttpCounts counts = service.http->counts();
  text += "# TYPE sosie_connections gauge\nsosie_connections " +
          std::to_string(counts.connections) +
          "\n# TYPE sosie_waiting_requests gauge\nsosie_waiting_requests " +
          std::to_string(counts.waiting) + "\n";
  if (service.index) {
    const StoredFacts facts = service.index->facts();
    text += "# TYPE sosie_index_items gauge\nsosie_index_items " + std::to_string(facts.items) +
            "\n# TYPE sosie_index_bytes gauge\nsosie_index_bytes " + std::to_string(facts.bytes) +
            "\n";
  }
  return {200, std::move(text), "text/plain; version=0.0.4"};
}

Response openapi(Service& service, const Request& /*request*/) {
  return {200, openapi_document(service)};
}

constexpr std::array kRoutes = {
    Route{.method = "GET",
          .path = "/healthz",
          .answer = health,
          .summary = "answers as long as the process runs",
          .is_open = true,
          .is_quick = true},
    Route{.method = "GET",
          .path = "/readyz",
          .answer = readiness,
          .summary = "200 while requests are accepted, 503 once the service is stopping",
          .is_open = true,
          .is_quick = true},
    Route{.method = "GET",
          .path = "/metrics",
          .answer = metrics,
          .summary = "counts in the text format of Prometheus",
          .is_quick = true},
    Route{.method = "GET",
          .path = "/openapi.json",
          .answer = openapi,
          .summary = "this document",
          .is_quick = true},
};

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

// The parts of `path` that correspond to the names in braces; empty if the path does not match.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  if (pattern.find('{') == std::string_view::npos) {
    return pattern == path ? std::optional(std::vector<std::string>()) : std::nullopt;
  }
  const auto wanted = parts_of(pattern);
  const auto given = parts_of(path);
  if (wanted.size() != given.size()) return std::nullopt;
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].starts_with('{')) {
      if (wanted[i] != given[i]) return std::nullopt;
      continue;
    }
    auto value = percent_decoded(given[i]);
    if (!value || value->empty()) return std::nullopt;
    parameters.push_back(std::move(*value));
  }
  return parameters;
}

std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    names.push_back(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return names;
}

bool is_served(const Service& service, const Route& route) {
  if (route.serves == Serves::index) return service.index.has_value();
  return route.serves == Serves::anything || !service.index;
}

}  // namespace

std::vector<std::string_view> option_names(const Route& route) {
  std::vector<std::string_view> names = names_in(route.options);
  for (const std::string_view name : names_in(route.more_options)) names.push_back(name);
  return names;
}

std::vector<std::string_view> field_names(const Route& route) { return names_in(route.fields); }

void check_address(const Route& route, std::string_view query) {
  const bool reads_body = !route.items.empty() || !route.options.empty();
  if (reads_body || !route.path.starts_with("/v1/")) return;
  const std::vector<std::string_view> known = field_names(route);
  std::vector<std::string> said;
  for (const auto& one : address_fields(query)) {
    const std::string& field = one.first;
    const auto fail = [&](const std::string& reason, const std::string& hint = {}) {
      throw Error(ErrorKind::malformed_input, BadPlace{field}, reason, hint);
    };
    if (std::find(known.begin(), known.end(), field) == known.end()) {
      fail("not a field of this request",
           known.empty() ? "it has none"
                         : fmt::format("the fields are: {}", fmt::join(known, ", ")));
    }
    if (std::find(said.begin(), said.end(), field) != said.end()) fail("is given twice");
    said.push_back(field);
  }
}

bool takes_option(const Route& route, std::string_view name) {
  const auto names = option_names(route);
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::span<const Route> routes() {
  static const std::vector<Route> all = [] {
    std::vector<Route> rows(kRoutes.begin(), kRoutes.end());
    for (const auto& more : {index_routes(), body_routes(), run_routes(), page_routes()})
      rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return all;
}

MatchedRoute find_route(const Service& service, std::string_view method, std::string_view path) {
  MatchedRoute found;
  if (!path.starts_with('/')) return found;
  if (method == "HEAD") method = "GET";  // which is answered without the body
  for (const Route& route : routes()) {
    if (!is_served(service, route)) continue;
    auto parameters = match(route.path, path);
    if (!parameters) continue;
    if (route.method == method) return {&route, std::move(*parameters), {}};
    found.allowed += (found.allowed.empty() ? "" : ", ") + std::string(route.method);
    if (route.method == "GET") found.allowed += ", HEAD";
  }
  return found;
}

}  // namespace sosie::server
