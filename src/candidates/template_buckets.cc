// Finds templates: groups of large buckets that hold about the same items.
#include "candidates/template_buckets.h"

#include <algorithm>

namespace sosie {

TemplateBuckets find_templates(const Buckets& buckets, std::size_t items, std::size_t most) {
  std::vector<std::uint32_t> large;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (buckets[i].size() > most) large.push_back(static_cast<std::uint32_t>(i));
  }
  TemplateBuckets templates;
  if (large.empty()) return templates;
  std::stable_sort(large.begin(), large.end(), [&](std::uint32_t a, std::uint32_t b) {
    return buckets[a].size() > buckets[b].size();
  });
  templates.of_item.resize(items);
  for (const std::uint32_t bucket : large) {
    std::uint8_t number = templates.of_item[buckets[bucket].front()];
    if (number == 0) {
      if (templates.largest.size() == kMostTemplates) continue;
      templates.largest.push_back(bucket);
      number = static_cast<std::uint8_t>(templates.largest.size());
    }
    for (const Place item : buckets[bucket]) {
      if (templates.of_item[item] == 0) templates.of_item[item] = number;
    }
  }
  return templates;
}

}  // namespace sosie
