#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace sosie::reference {

// Connected components of the items 0, 1, ..., in which similar pairs are linked: each item's
// survivor is the lowest item that can be reached from it.
inline std::vector<std::size_t> components(
    std::size_t items, const std::function<bool(std::size_t, std::size_t)>& similar) {
  std::vector<std::size_t> survivor(items);
  for (std::size_t item = 0; item < items; ++item) survivor[item] = item;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t left = 0; left < items; ++left) {
      for (std::size_t right = left + 1; right < items; ++right) {
        if (!similar(left, right) || survivor[left] == survivor[right]) continue;
        const std::size_t least = std::min(survivor[left], survivor[right]);
        survivor[left] = survivor[right] = least;
        changed = true;
      }
    }
  }
  return survivor;
}

}  // namespace sosie::reference
