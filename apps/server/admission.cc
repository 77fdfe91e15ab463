// Decides from the head of a request whether to admit it.
#include "admission.h"

#include <algorithm>

namespace sosie::server {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// "[::1]:80" or "localhost:80" without port and brackets.
std::string name_of(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == std::string_view::npos ? std::string() : lower_case(host.substr(1, end - 1));
  }
  return lower_case(host.substr(0, host.find(':')));
}

std::string_view plain_address(std::string_view address) {
  constexpr std::string_view kMapped = "::ffff:";
  return address.starts_with(kMapped) && address.find('.') != std::string_view::npos
             ? address.substr(kMapped.size())
             : address;
}

}  // namespace

bool is_loopback(std::string_view address) {
  const std::string_view plain = plain_address(address);
  return plain == "::1" || plain == "localhost" ||
         (plain.starts_with("127.") &&
          plain.find_first_not_of("0123456789.") == std::string_view::npos);
}

bool names_service(const RequestHead& head, const AdmissionRules& rules) {
  if (head.hosts.empty()) return true;  // HTTP/1.0, which no browser speaks
  const std::string name = name_of(head.hosts.front());
  const std::string_view local = plain_address(head.local_address);
  if (name.empty()) return false;
  if (name == local || (name == "localhost" && is_loopback(local))) return true;
  return std::any_of(rules.hosts.begin(), rules.hosts.end(),
                     [&](const std::string& host) { return name_of(host) == name; });
}

OriginKind origin_kind(const RequestHead& head, const AdmissionRules& rules) {
  if (!head.origin) return OriginKind::none;
  if (std::find(rules.origins.begin(), rules.origins.end(), *head.origin) != rules.origins.end()) {
    return OriginKind::listed;
  }
  const std::string origin = lower_case(*head.origin);
  const std::string host = head.hosts.empty() ? std::string() : lower_case(head.hosts.front());
  const bool is_own = !host.empty() && (origin == "http://" + host || origin == "https://" + host);
  return is_own ? OriginKind::own : OriginKind::foreign;
}

bool has_token(const RequestHead& head, const AdmissionRules& rules) {
  if (rules.token.empty()) return true;
  constexpr std::string_view kScheme = "bearer ";
  const std::string& given = head.authorization;
  if (given.size() <= kScheme.size() ||
      lower_case(std::string_view(given).substr(0, kScheme.size())) != kScheme) {
    return false;
  }
  const std::string_view token = std::string_view(given).substr(kScheme.size());
  std::size_t differs = token.size() ^ rules.token.size();
  for (std::size_t i = 0; i < token.size(); ++i) {
    const auto one = static_cast<unsigned char>(token[i]);
    const auto other = static_cast<unsigned char>(rules.token[i % rules.token.size()]);
    differs |= static_cast<std::size_t>(one ^ other);
  }
  return differs == 0;
}

}  // namespace sosie::server
