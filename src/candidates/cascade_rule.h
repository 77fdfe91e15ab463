#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/construction.h"

namespace sosie {

// A cascade over bands as a join takes it: bands in whose buckets every pair that the cascade finds
// stands together, and the rule that tells such a pair. Bands are numbered so that the functions of
// an inner step follow each other.
class CascadeRule {
 public:
  // No steps: the OR of one band.
  explicit CascadeRule(const Construction& over);

  // Number of bands.
  [[nodiscard]] std::size_t bands() const noexcept { return bands_; }
  // Bands to be bucketed, ascending: all of an OR, the first of an AND.
  [[nodiscard]] std::span<const std::uint32_t> cover() const noexcept { return cover_; }

  // True if the cascade finds two rows with these keys, one a band.
  [[nodiscard]] bool finds(const std::uint32_t* left, const std::uint32_t* right) const noexcept {
    return holds(steps_.size(), left, right);
  }

 private:
  struct Step {
    bool all;
    std::size_t count;
    std::size_t width;  // bands of one of them
  };
  // True if the first `level` steps find the rows in the bands from `left` and `right` on.
  [[nodiscard]] bool holds(std::size_t level, const std::uint32_t* left,
                           const std::uint32_t* right) const noexcept;

  std::vector<Step> steps_;
  std::size_t bands_ = 1;
  std::vector<std::uint32_t> cover_{0};
};

}  // namespace sosie
