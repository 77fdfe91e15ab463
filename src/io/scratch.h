#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace sosie {

// The folder to which a run spills data, and the limit on their size. Files in it are unlinked as
// soon as they are created, so that nothing remains, however the run ends.
class Scratch {
 public:
  explicit Scratch(std::string folder, std::uint64_t limit_bytes = ~std::uint64_t{0})
      : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

  // Counts bytes that are about to be written. Throws Error{limit_exceeded} above the limit.
  void take(std::uint64_t bytes);
  // True if half of the limit would remain for other uses after `bytes` more bytes.
  [[nodiscard]] bool has_space(std::uint64_t bytes) const noexcept {
    return used_bytes_ + bytes <= limit_bytes_ / 2;
  }
  // Releases the bytes of a deleted file.
  void give_back(std::uint64_t bytes) noexcept { used_bytes_ -= bytes; }
  // Maximum number of bytes in use at the same time.
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept { return peak_bytes_; }

 private:
  std::string folder_;
  std::uint64_t limit_bytes_;
  std::atomic<std::uint64_t> used_bytes_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
};

}  // namespace sosie
