#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Two ascending lists without repetitions, and the number of elements that they must share.
struct OverlapTask {
  const std::uint32_t* left = nullptr;
  const std::uint32_t* right = nullptr;
  std::uint32_t left_count = 0;
  std::uint32_t right_count = 0;
  std::uint32_t least = 0;
  std::uint32_t shared = 0;  // out: |left and right|, or less than `least` if that is not reached
};

// Counts the shared elements of the lists of each task, and abandons a task as soon as too many of
// its elements have no partner.
void count_overlaps(OverlapTask* tasks, std::size_t count) noexcept;

}  // namespace sosie::kernels
