// Counts requests, and writes the counts in Prometheus's text format.
#include "metrics.h"

#include <fmt/format.h>

namespace sosie::server {

void Metrics::count(const std::string& route, int status, std::chrono::microseconds took) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  Times& times = times_[route];
  ++times.count;
  times.sum_us += static_cast<std::uint64_t>(took.count());
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (took.count() <= kBounds[i]) ++times.at_most[i];
  }
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out = "# TYPE sosie_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    out += fmt::format("sosie_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                       key.second, count);
  }
  out += "# TYPE sosie_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      out += fmt::format("sosie_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                         static_cast<double>(kBounds[i]) / 1e6, times.at_most[i]);
    }
    out += fmt::format("sosie_request_seconds_bucket{{route=\"{}\",le=\"+Inf\"}} {}\n", route,
                       times.count);
    out += fmt::format("sosie_request_seconds_sum{{route=\"{}\"}} {}\n", route,
                       static_cast<double>(times.sum_us) / 1e6);
    out += fmt::format("sosie_request_seconds_count{{route=\"{}\"}} {}\n", route, times.count);
  }
  return out;
}

}  // namespace sosie::server
