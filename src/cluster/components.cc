#include "cluster/components.h"

#include <numeric>

namespace sosie {

std::uint64_t count_components(const Buckets& buckets, Place items) {
  std::vector<Place> parent(items);
  std::iota(parent.begin(), parent.end(), Place{0});
  const auto root_of = [&parent](Place p) {
    while (parent[p] != p) {
      parent[p] = parent[parent[p]];
      p = parent[p];
    }
    return p;
  };
  std::uint64_t components = items;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const Place first = buckets[i].front();
    for (const Place member : buckets[i].subspan(1)) {
      const Place a = root_of(first);
      const Place b = root_of(member);
      if (a == b) continue;
      parent[a > b ? a : b] = a > b ? b : a;
      --components;
    }
  }
  return components;
}

}  // namespace sosie
