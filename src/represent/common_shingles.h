#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sosie {

// Shingles that so many items share that they say nothing of two of them: a set by hash. Safe for
// many threads at once.
class CommonShingles {
 public:
  // `hashes` in any order, each once.
  explicit CommonShingles(std::vector<std::uint64_t> hashes);

  [[nodiscard]] bool contains(std::uint64_t hash) const noexcept {
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == hash) return hash != kFree || has_free_;
      if (slots_[at] == kFree) return false;
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // 16 hexadecimal digits; equal for equal sets.
  [[nodiscard]] const std::string& fingerprint() const noexcept { return fingerprint_; }

 private:
  static constexpr std::uint64_t kFree =
      0;                              // marks an empty slot; has_free_: it is in the set, too
  std::vector<std::uint64_t> slots_;  // open addressing, at most half full
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  bool has_free_ = false;
  std::string fingerprint_;
};

}  // namespace sosie
