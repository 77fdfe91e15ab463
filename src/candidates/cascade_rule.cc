// Tells which pairs a cascade of AND- and OR-constructions finds, by the keys of its bands.
#include "candidates/cascade_rule.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::size_t kKeysProbedAtOnce = 8;

// True if two rows agree in any of `count` bands.
bool agree_in_any(const std::uint32_t* left, const std::uint32_t* right,
                  std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + kKeysProbedAtOnce <= count;
       i += kKeysProbedAtOnce) {  // compilers vectorise the inner loop
    std::uint32_t equal = 0;
    for (std::size_t k = i; k < i + kKeysProbedAtOnce; ++k) equal |= left[k] == right[k] ? 1U : 0U;
    if (equal != 0) return true;
  }
  for (; i < count; ++i) {
    if (left[i] == right[i]) return true;
  }
  return false;
}

}  // namespace

CascadeRule::CascadeRule(const Construction& over) {
  for (const ConstructionStep& step : over) {
    const bool all = step.kind == ConstructionStep::Kind::all_agree;
    steps_.push_back({all, step.count, bands_});
    const std::size_t covered = cover_.size();
    for (std::size_t i = 1; !all && i < step.count; ++i) {
      for (std::size_t k = 0; k < covered; ++k) {
        cover_.push_back(static_cast<std::uint32_t>(cover_[k] + i * bands_));
      }
    }
    bands_ *= step.count;
  }
}

bool CascadeRule::holds(std::size_t level, const std::uint32_t* left,
                        const std::uint32_t* right) const noexcept {
  if (level == 0) return *left == *right;
  const Step& step = steps_[level - 1];
  if (step.width == 1) {
    return step.all ? std::equal(left, left + step.count, right)
                    : agree_in_any(left, right, step.count);
  }
  for (std::size_t i = 0; i < step.count; ++i) {
    const std::size_t at = i * step.width;
    if (holds(level - 1, left + at, right + at) != step.all) return !step.all;
  }
  return step.all;
}

}  // namespace sosie
