#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "data/overlap.h"

namespace sosie {

// Result of verifying two items: the overlap of two sets, from which a measure makes an exact
// fraction, or the value that the measure of other items has computed. 12 bytes; the caller knows
// which one it holds.
class Score {
 public:
  Score() = default;
  explicit Score(const Overlap& overlap) noexcept
      : words_{overlap.shared, overlap.united, overlap.left} {}
  explicit Score(double value) noexcept { std::memcpy(words_.data(), &value, sizeof value); }

  [[nodiscard]] Overlap overlap() const noexcept { return {words_[0], words_[1], words_[2]}; }
  [[nodiscard]] double value() const noexcept {
    double value = 0;
    std::memcpy(&value, words_.data(), sizeof value);
    return value;
  }

 private:
  std::array<std::uint32_t, 3> words_{};
};

}  // namespace sosie
