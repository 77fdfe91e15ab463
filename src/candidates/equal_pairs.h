#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// Number of pairs of equal values. Sorts the values.
[[nodiscard]] inline double equal_pairs(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  double pairs = 0;
  for (std::size_t begin = 0, i = 0; i <= values.size(); ++i) {
    if (i < values.size() && values[i] == values[begin]) continue;
    const auto equal = static_cast<double>(i - begin);
    pairs += equal * (equal - 1) / 2;
    begin = i;
  }
  return pairs;
}

}  // namespace sosie
