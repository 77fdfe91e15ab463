#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace sosie {

// The folder for what a run puts aside, and how much of it the run may take. Files in it have no
// name from the moment they are made, so that nothing stays behind, however the run ends.
class Scratch {
 public:
  explicit Scratch(std::string folder, std::uint64_t limit_bytes = ~std::uint64_t{0})
      : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

  // Counts bytes that are about to be written. Throws Error{limit_exceeded} when they are too many.
  void take(std::uint64_t bytes);
  // True if `bytes` more would leave half of the limit for others.
  [[nodiscard]] bool has_space(std::uint64_t bytes) const noexcept {
    return used_bytes_ + bytes <= limit_bytes_ / 2;
  }
  // Counts bytes of a file that is gone.
  void give_back(std::uint64_t bytes) noexcept { used_bytes_ -= bytes; }
  // The most that was there at a time.
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept { return peak_bytes_; }

 private:
  std::string folder_;
  std::uint64_t limit_bytes_;
  std::atomic<std::uint64_t> used_bytes_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
};

}  // namespace sosie
