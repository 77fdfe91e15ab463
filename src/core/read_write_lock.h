#pragma once

#include <mutex>
#include <shared_mutex>

namespace sosie {

// Many read, or one writes. A writer that waits comes before readers who come later, so that
// neither waits long for the other.
class ReadWriteLock {
 public:
  [[nodiscard]] std::shared_lock<std::shared_mutex> reading() {
    const std::lock_guard turn(turn_);
    return std::shared_lock(state_);
  }
  [[nodiscard]] std::unique_lock<std::shared_mutex> writing() {
    const std::lock_guard turn(turn_);
    return std::unique_lock(state_);
  }

 private:
  std::mutex turn_;
  std::shared_mutex state_;
};

}  // namespace sosie
