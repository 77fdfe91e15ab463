#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// Keeps only the `most` best items, in any order; `better` (a strict total order) puts better items
// first. Linear time.
template <class T, class Better>
void keep_best(std::vector<T>& items, std::uint64_t most, Better better) {
  if (items.size() <= most) return;
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(items.begin(), end, items.end(), better);
  items.erase(end, items.end());
}

}  // namespace sosie
