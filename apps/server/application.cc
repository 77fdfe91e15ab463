// Decides which requests to admit, answers them according to the table of routes, and counts them.
#include "application.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <new>

#include "json_text.h"

namespace sosie::server {
namespace {

constexpr std::size_t kQuickBytes = 64 << 10;

}  // namespace

std::optional<Response> ServerApplication::refuse(const RequestHead& head) const {
  if (!names_service(head, rules_)) {
    return error(
        421,
        "Host: this service does not answer to that name; sosie serve --allow-host NAME adds one");
  }
  const OriginKind origin = origin_kind(head, rules_);
  if (origin == OriginKind::foreign) {
    return error(403, "Origin: not allowed; sosie serve --allow-origin URL adds one");
  }
  if (head.method == "OPTIONS" && origin == OriginKind::listed && !head.preflight.empty()) {
    return preflight(head);
  }
  const MatchedRoute found = find_route(service_, head.method, head.path);
  const bool is_open = found.route != nullptr && found.route->is_open;
  if (!is_open && !has_token(head, rules_)) {
    Response refused = error(401, "Authorization: Bearer TOKEN is required");
    refused.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refused;
  }
  if (found.route == nullptr && found.allowed.empty()) return error(404, "no such path");
  if (found.route == nullptr) {
    Response refused = error(405, "this path accepts other methods: " + found.allowed);
    refused.headers.emplace_back("Allow", found.allowed);
    return refused;
  }
  if (found.route->changes && service_.options.read_only) {
    return error(403, "the service is read-only");
  }
  if (found.route->changes && service_.index && service_.index->is_read_only()) {
    return error(403, service_.index->folder() +
                          ": several indexes are served, so they are read-only; to make changes, "
                          "serve just the one to change");
  }
  return std::nullopt;
}

Response ServerApplication::preflight(const RequestHead& head) {
  Response response{204};
  response.headers = {{"Access-Control-Allow-Origin", *head.origin},
                      {"Access-Control-Allow-Methods", "GET, POST"},
                      {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                      {"Vary", "Origin"}};
  return response;
}

bool ServerApplication::is_quick(const Request& request) const {
  const MatchedRoute found = find_route(service_, request.head.method, request.head.path);
  return found.route != nullptr && found.route->is_quick && request.body.size() <= kQuickBytes;
}

Response ServerApplication::answer(Request& request) {
  Response response;
  try {
    MatchedRoute found = find_route(service_, request.head.method, request.head.path);
    request.route = found.route;
    request.parameters = std::move(found.parameters);
    check_address(*found.route, request.head.query);
    response = found.route->answer(service_, request);
  } catch (const Error& failed) {
    response = {status_of(failed), error_json(failed, option_names(*request.route))};
  } catch (const std::bad_alloc&) {
    response = error(503, "out of memory");
  } catch (const std::exception& failed) {
    response = error(500, fmt::format("internal error: {}", failed.what()));
  }
  if (origin_kind(request.head, rules_) == OriginKind::listed) {
    response.headers.emplace_back("Access-Control-Allow-Origin", *request.head.origin);
    response.headers.emplace_back("Vary", "Origin");
  }
  return response;
}

Response ServerApplication::error(int status, std::string_view reason) const {
  return {status, error_json(reason)};
}

void ServerApplication::note(const Exchange& exchange) noexcept {
  try {
    const MatchedRoute found = find_route(service_, exchange.method, exchange.path);
    const std::string route(found.route == nullptr ? "other" : found.route->path);
    service_.metrics.count(route, exchange.status, exchange.took);
    const bool has_failed = exchange.status >= 500 || exchange.status == 429;
    if (logged_ == Logged::everything) write_log(line_of(exchange, route));
    if (logged_ == Logged::failures && has_failed) {
      write_log(fmt::format("sosie: {} {}: {}, request {}\n", exchange.method, route,
                            exchange.status, exchange.id));
    }
  } catch (const std::exception&) {
    ++lost_lines_;
  }
}

// Drops a line that standard error does not accept immediately, so that no request waits for the
// reader of the log.
void ServerApplication::write_log(const std::string& line) {
  struct pollfd ready = {STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1 || ::write(STDERR_FILENO, line.data(), line.size()) < 0) {
    ++lost_lines_;
  }
}

// Contains the route instead of the path, because the path may contain an id.
std::string ServerApplication::line_of(const Exchange& exchange, std::string_view route) {
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  std::string line = fmt::format(
      R"({{"time": "{:%Y-%m-%dT%H:%M:%S}.{:03}Z", "request": "{}", "peer": "{}", "method": {}, )"
      R"("route": "{}", "status": {}, "bytes_in": {}, "bytes_out": {}, "us": {})",
      fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms.count() % 1000, exchange.id,
      exchange.peer, json_text(exchange.method), route, exchange.status, exchange.bytes_in,
      exchange.bytes_out, exchange.took.count());
  const std::uint64_t lost = lost_lines_.exchange(0);
  if (lost > 0) line += fmt::format(R"(, "lines_lost_before": {})", lost);
  return line + "}\n";
}

}  // namespace sosie::server
