#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "sosie/join.h"

namespace sosie {

// Adds up the bytes that the workers of a stage process and reports the sum to the caller of the
// run from time to time.
class ByteProgress {
 public:
  ByteProgress(const RunHooks& hooks, std::string_view stage, std::uint64_t total)
      : hooks_(hooks), stage_(stage), total_(total) {}

  void add(std::uint64_t bytes) {
    const std::uint64_t done = done_ += bytes;
    if (!hooks_.on_progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) hooks_.on_progress({stage_, done, total_});
  }

 private:
  const RunHooks& hooks_;
  std::string_view stage_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
};

}  // namespace sosie
