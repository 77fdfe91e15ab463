#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace sosie {

// The first element in [first, last) for which `is_before` is false, as in std::partition_point().
// The search starts around `guess`: if the guess is good, it reads only a few elements of a long
// list.
template <class Iterator, class IsBefore>
[[nodiscard]] Iterator partition_point_near(Iterator first, Iterator last, std::size_t guess,
                                            const IsBefore& is_before) {
  using Distance = typename std::iterator_traits<Iterator>::difference_type;
  const Distance size = last - first;
  const Distance at = static_cast<Distance>(std::min(guess, static_cast<std::size_t>(size)));
  Distance low = at;
  Distance high = at;  // after both loops the point is in [low, high]
  for (Distance step = 1; low > 0 && !is_before(first[low - 1]); step *= 2) {
    high = low - 1;
    low = std::max<Distance>(0, low - step);
  }
  if (low == at) {
    for (Distance step = 1; high < size && is_before(first[high]); step *= 2) {
      low = high + 1;
      high = std::min(size, high + step);
    }
  }
  return std::partition_point(first + low, first + high, is_before);
}

}  // namespace sosie
