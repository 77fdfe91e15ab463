#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace sosie::reference {

struct WeightedLink {
  std::size_t left = 0;
  std::size_t right = 0;
  double weight = 0;
};

// The largest total weight of links of which no two share a left or a right record, by trying all
// choices: with or without each link.
inline double largest_assignment(const std::vector<WeightedLink>& links, std::size_t next,
                                 std::set<std::size_t>& lefts, std::set<std::size_t>& rights) {
  if (next == links.size()) return 0;
  const WeightedLink& link = links[next];
  double best = largest_assignment(links, next + 1, lefts, rights);
  if (link.weight > 0 && !lefts.contains(link.left) && !rights.contains(link.right)) {
    lefts.insert(link.left);
    rights.insert(link.right);
    best = std::max(best, link.weight + largest_assignment(links, next + 1, lefts, rights));
    lefts.erase(link.left);
    rights.erase(link.right);
  }
  return best;
}

inline double largest_assignment(const std::vector<WeightedLink>& links) {
  std::set<std::size_t> lefts;
  std::set<std::size_t> rights;
  return largest_assignment(links, 0, lefts, rights);
}

}  // namespace sosie::reference
