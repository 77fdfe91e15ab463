#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace sosie::reference {

// Star clustering as defined in CLI.md: items 0, 1, ... are in rank order. Each item is compared
// with the earlier survivors that are candidates, best rank first; the first similar survivor
// removes it. The first `fixed` items are never removed. Returns each item's survivor, which is the
// item itself if it survives.
inline std::vector<std::size_t> star(
    std::size_t items, const std::function<bool(std::size_t, std::size_t)>& candidates,
    const std::function<bool(std::size_t, std::size_t)>& similar, std::size_t fixed = 0) {
  std::vector<std::size_t> survivor(items);
  std::vector<std::size_t> survivors;
  for (std::size_t item = 0; item < items; ++item) {
    survivor[item] = item;
    for (const std::size_t earlier : survivors) {
      if (item >= fixed && candidates(earlier, item) && similar(earlier, item)) {
        survivor[item] = earlier;
        break;
      }
    }
    if (survivor[item] == item) survivors.push_back(item);
  }
  return survivor;
}

}  // namespace sosie::reference
