#pragma once

#include <atomic>
#include <string>

#include "admission.h"
#include "routes.h"

namespace sosie::server {

// Answers requests by the table of routes, and writes a line of JSON about each to standard error.
class ServerApplication final : public Application {
 public:
  ServerApplication(Service& service, AdmissionRules rules, bool logs)
      : service_(service), rules_(std::move(rules)), logs_(logs) {}

  [[nodiscard]] std::optional<Response> refuse(const RequestHead& head) const override;
  [[nodiscard]] bool is_quick(const Request& request) const override;
  [[nodiscard]] Response answer(Request& request) override;
  [[nodiscard]] Response error(int status, std::string_view reason) const override;
  void note(const Exchange& exchange) noexcept override;

 private:
  [[nodiscard]] static Response preflight(const RequestHead& head);
  void log(const Exchange& exchange, std::string_view route);

  Service& service_;
  AdmissionRules rules_;
  bool logs_;
  std::atomic<std::uint64_t> lost_lines_{0};  // nobody took them from standard error
};

}  // namespace sosie::server
