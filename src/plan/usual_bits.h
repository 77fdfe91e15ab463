#pragma once

#include <cstdint>
#include <span>

#include "plan/fit_model.h"
#include "plan/match_families.h"

namespace sosie {

// Typical bits of the levels of a pair, before anything is learnt.
class UsualBits {
 public:
  explicit UsualBits(const FitTask& task);

  [[nodiscard]] const LevelBits& by_level() const noexcept { return bits_; }
  [[nodiscard]] double of(std::span<const std::uint8_t> levels) const;
  // Bits at which a pair is as likely to match as not.
  [[nodiscard]] static double likely(const FitTask& task);

 private:
  LevelBits bits_;
};

// Probability at this number of bits.
[[nodiscard]] double probability_of(double bits);

}  // namespace sosie
