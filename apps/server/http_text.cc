// Text of requests and answers for which no HTTP library is needed.
#include "http_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <random>

namespace sosie::server {
namespace {

// All responses have the same strict rules: the page loads only its own files, and no other page
// may frame it.
constexpr std::string_view kSafety =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

bool is_plain(std::string_view id) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  return !id.empty() && id.size() <= 64 && id.find_first_not_of(kPlain) == std::string_view::npos;
}

}  // namespace

std::string request_id(std::string_view given) {
  static const auto run = std::random_device{}();
  static std::atomic<std::uint64_t> count{0};
  return is_plain(given) ? std::string(given) : fmt::format("{:08x}-{:x}", run, ++count);
}

std::string response_head(const Response& response, std::string_view reason, std::string_view id,
                          bool keeps_alive) {
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\nDate: {:%a, %d %b %Y %H:%M:%S} GMT\r\nContent-Type: {}\r\n"
      "Content-Length: {}\r\nX-Request-Id: {}\r\nConnection: {}\r\n",
      response.status, reason, fmt::gmtime(std::time(nullptr)), response.type, response.body.size(),
      id, keeps_alive ? "keep-alive" : "close");
  out += kSafety;
  for (const auto& [name, value] : response.headers) out += fmt::format("{}: {}\r\n", name, value);
  return out + "\r\n";
}

const char* framing_fault(const Framing& framing) noexcept {
  if (framing.codings > 1) return "two Transfer-Encodings";
  if (framing.codings > 0 && !framing.is_chunked)
    return "Transfer-Encoding: only chunked is supported";
  if (framing.codings > 0 && framing.is_1_0) return "Transfer-Encoding in HTTP/1.0";
  if (framing.codings > 0 && framing.lengths > 0)
    return "both Content-Length and Transfer-Encoding";
  if (framing.lengths > 1) return "two Content-Lengths";
  if (!framing.is_1_0 && framing.hosts != 1) return "exactly one Host header is required";
  return nullptr;
}

}  // namespace sosie::server
