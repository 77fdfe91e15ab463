#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "sosie/join.h"

namespace sosie {

// Adds up the bytes that the workers have read, and tells the caller of the run now and then.
class ByteProgress {
 public:
  ByteProgress(const RunHooks& hooks, std::uint64_t total) : hooks_(hooks), total_(total) {}

  void add(std::uint64_t bytes) {
    const std::uint64_t done = done_ += bytes;
    if (!hooks_.on_progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) hooks_.on_progress({"reading", done, total_});
  }

 private:
  const RunHooks& hooks_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
};

}  // namespace sosie
