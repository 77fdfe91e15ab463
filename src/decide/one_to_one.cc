// Assigns one partner to each record, best links first, or the best link to each left record.
#include "decide/one_to_one.h"

#include <algorithm>
#include <cstdint>

namespace sosie {

std::vector<std::size_t> one_to_one(std::span<const ScoredLink> links, double floor,
                                    std::size_t most) {
  struct Ranked {
    double score;
    std::size_t link;
  };
  std::vector<Ranked> order;
  order.reserve(links.size());
  std::uint32_t records = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!(links[i].score > floor)) continue;
    order.push_back({links[i].score, i});
    records = std::max({records, links[i].left + 1, links[i].right + 1});
  }
  std::sort(order.begin(), order.end(), [](const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score > b.score : a.link < b.link;
  });
  std::vector<bool> left_taken(records);
  std::vector<bool> right_taken(records);
  std::vector<std::size_t> chosen;
  for (const Ranked& ranked : order) {
    if (chosen.size() >= most) break;
    const ScoredLink& link = links[ranked.link];
    if (left_taken[link.left] || right_taken[link.right]) continue;
    left_taken[link.left] = right_taken[link.right] = true;
    chosen.push_back(ranked.link);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

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
