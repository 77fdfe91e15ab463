// The best link of each left record.
#include "decide/best_links.h"

namespace sosie {

std::vector<std::size_t> best_links(std::span<const ScoredLink> links, double floor) {
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!(links[i].score > floor)) continue;
    if (best.empty() || links[best.back()].left != links[i].left) {
      best.push_back(i);
    } else if (links[i].score > links[best.back()].score) {
      best.back() = i;
    }
  }
  return best;
}

}  // namespace sosie
