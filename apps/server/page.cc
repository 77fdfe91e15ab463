// TABLE: the files of the page, which are compiled into the library (web/, src/write/page).
#include <algorithm>
#include <array>

#include "run_routes.h"
#include "sosie/page_files.h"

namespace sosie::server {
namespace {

Response file_of(const PageFile& file) {
  return {200, std::string(file.bytes), std::string(file.type)};
}

Response start(Service& /*service*/, const Request& /*request*/) {
  return file_of(page_files().start);
}
Response script(Service& /*service*/, const Request& /*request*/) {
  return file_of(page_files().script);
}
Response style(Service& /*service*/, const Request& /*request*/) {
  return file_of(page_files().style);
}

constexpr std::array kPageRows = {
    Route{.method = "GET",
          .path = "/",
          .answer = start,
          .summary = "the page",
          .is_open = true,
          .is_quick = true},
    Route{.method = "GET",
          .path = "/page.js",
          .answer = script,
          .summary = "its program",
          .is_open = true,
          .is_quick = true},
    Route{.method = "GET",
          .path = "/page.css",
          .answer = style,
          .summary = "its style",
          .is_open = true,
          .is_quick = true},
};

}  // namespace

std::span<const Route> page_routes() { return kPageRows; }

}  // namespace sosie::server
