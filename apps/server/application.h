#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "admission.h"
#include "routes.h"

namespace sosie::server {

// The requests that are logged on standard error. A terminal, which shows the address, gets only
// failed requests.
enum class Logged : std::uint8_t { nothing, failures, everything };

// Answers requests according to the table of routes, and writes a line about each request to
// standard error, in JSON if everything is logged.
class ServerApplication final : public Application {
 public:
  ServerApplication(Service& service, AdmissionRules rules, Logged logged)
      : service_(service), rules_(std::move(rules)), logged_(logged) {}

  [[nodiscard]] std::optional<Response> refuse(const RequestHead& head) const override;
  [[nodiscard]] bool is_quick(const Request& request) const override;
  [[nodiscard]] Response answer(Request& request) override;
  [[nodiscard]] Response error(int status, std::string_view reason) const override;
  void note(const Exchange& exchange) noexcept override;

 private:
  [[nodiscard]] static Response preflight(const RequestHead& head);
  [[nodiscard]] std::string line_of(const Exchange& exchange, std::string_view route);
  void write_log(const std::string& line);

  Service& service_;
  AdmissionRules rules_;
  Logged logged_;
  std::atomic<std::uint64_t> lost_lines_{0};  // nobody took them from standard error
};

}  // namespace sosie::server
