// TABLE: the files of the page, which are built into the program (web/, apps/server/page).
#include <algorithm>
#include <array>

#include "page_files.h"
#include "run_routes.h"

namespace sosie::server {
namespace {

Response file_of(const PageFile& file) {
  return {200, std::string(file.bytes, file.size), std::string(file.type)};
}

Response start(Service& /*service*/, const Request& /*request*/) { return file_of(kPageStart); }
Response script(Service& /*service*/, const Request& /*request*/) { return file_of(kPageScript); }
Response style(Service& /*service*/, const Request& /*request*/) { return file_of(kPageStyle); }

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
