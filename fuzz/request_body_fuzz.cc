// Reading any request body gives items or an Error. Each item's line can be read by JSON parsers,
// so nothing in it can begin another line. The first two lines are the host and the path of the
// request.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "admission.h"
#include "body.h"
#include "fuzz/input.h"
#include "json_text.h"
#include "sosie/error.h"

namespace {

using namespace sosie;
using fuzz::require;

void check_host(std::string_view host) {
  server::RequestHead head;
  head.local_address = "127.0.0.1";
  head.hosts = {std::string(host)};
  const server::AdmissionRules rules;
  if (server::names_service(head, rules)) {
    const std::string_view name = host.substr(0, host.find_first_of(":]"));
    require(name == "127.0.0.1" || name == "[127.0.0.1" || name.size() == 9);
  }
  head.origin = "http://" + std::string(host) + "x";
  require(server::origin_kind(head, rules) == server::OriginKind::foreign);
}

void check_body(const server::Request& request) {
  try {
    const server::Body body = server::read_body(request, "text");
    for (const server::BodyItem& item : body.items) {
      if (item.line.empty()) continue;
      require(item.line.find('\n') == std::string::npos);
      require(nlohmann::json::accept(item.line));
    }
  } catch (const Error& error) {
    require(nlohmann::json::accept(server::error_json(error, {})));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  check_host(input.line());
  const std::string_view path = input.line();
  if (const auto decoded = server::percent_decoded(path)) {
    require(decoded->size() <= path.size());
  }
  server::Request request;
  request.body = std::string(input.rest());
  request.head.query = std::string(path.substr(std::min(path.find('?'), path.size())));
  for (const server::Route& route : server::routes()) {
    if (route.method != "POST") continue;
    request.route = &route;
    for (const char* type : {"application/json", "application/x-ndjson"}) {
      request.head.content_type = type;
      check_body(request);
    }
  }
  return 0;
}
