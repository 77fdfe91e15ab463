#pragma once

#include <string>
#include <string_view>

#include "http.h"

namespace sosie::server {

// The request's own id if it is a plain word, otherwise a new one.
[[nodiscard]] std::string request_id(std::string_view given);

// The lines before a body, with the headers common to all responses.
[[nodiscard]] std::string response_head(const Response& response, std::string_view reason,
                                        std::string_view id, bool keeps_alive);

// The ways in which a request indicates its end.
struct Framing {
  bool is_1_0 = false;
  bool is_chunked = false;
  std::size_t codings = 0;  // headers Transfer-Encoding
  std::size_t lengths = 0;  // headers Content-Length
  std::size_t hosts = 0;
};

// A fault in a request that a front-end server might interpret differently; null if there is none.
[[nodiscard]] const char* framing_fault(const Framing& framing) noexcept;

}  // namespace sosie::server
