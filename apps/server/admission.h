#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http.h"

namespace sosie::server {

// The rules for admitting requests: names by which this service may be called, allowed origins of
// other sites, and the secret.
struct AdmissionRules {
  std::vector<std::string> hosts;    // besides the address that a request came in at
  std::vector<std::string> origins;  // pages of these sites may send requests
  std::string token;                 // empty: none is needed
};

// True if a request names this service. If another site's name was made to resolve to this address
// (DNS rebinding), that site's pages send the other name instead.
[[nodiscard]] bool names_service(const RequestHead& head, const AdmissionRules& rules);

// Origin of the page that sent a request; none if it was not sent by a page.
enum class OriginKind { none, own, listed, foreign };
[[nodiscard]] OriginKind origin_kind(const RequestHead& head, const AdmissionRules& rules);

// True if the request contains the secret. The time taken does not depend on the position of the
// first difference.
[[nodiscard]] bool has_token(const RequestHead& head, const AdmissionRules& rules);

// True for 127.0.0.0/8, ::1 and localhost.
[[nodiscard]] bool is_loopback(std::string_view address);

}  // namespace sosie::server
