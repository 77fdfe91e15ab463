#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Two ascending lists without duplicates, and the minimum number of elements that they must share.
struct OverlapTask {
  const std::uint32_t* left = nullptr;
  const std::uint32_t* right = nullptr;
  std::uint32_t left_count = 0;
  std::uint32_t right_count = 0;
  std::uint32_t least = 0;
  std::uint32_t shared = 0;  // out: |left and right|, or any lower number if below `least`
};

// Counts the elements that the two lists of each task share. Abandons a task as soon as too many
// elements have no partner.
void count_overlaps(OverlapTask* tasks, std::size_t count) noexcept;

}  // namespace sosie::kernels
