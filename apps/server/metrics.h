#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sosie::server {

// Counts of answered requests, by route and status, and how long they took.
class Metrics {
 public:
  void count(const std::string& route, int status, std::chrono::microseconds took);
  // The counts in the Prometheus format.
  [[nodiscard]] std::string text() const;

 private:
  // Upper bounds of the histogram's buckets, in microseconds.
  static constexpr std::array<std::int64_t, 12> kBounds = {
      100, 250, 500, 1000, 2500, 5000, 10000, 25000, 100000, 500000, 2500000, 10000000};
  struct Times {
    std::array<std::uint64_t, kBounds.size()> at_most{};
    std::uint64_t count = 0;
    std::uint64_t sum_us = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Times> times_;
};

}  // namespace sosie::server
