// Numbers the occurrences of equal elements, so that bags become sets.
#include "represent/number_occurrences.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/mix64.h"

namespace sosie {

void number_occurrences(std::span<std::uint64_t> elements) {
  std::vector<std::uint32_t> order(elements.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return elements[a] != elements[b] ? elements[a] < elements[b] : a < b;
  });
  std::uint64_t element = 0;
  std::uint64_t occurrence = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint64_t& place = elements[order[i]];
    occurrence = i > 0 && place == element ? occurrence + 1 : 0;
    element = place;
    if (occurrence > 0) place = random64(element, occurrence);
  }
}

}  // namespace sosie
