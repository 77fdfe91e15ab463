#include "core/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sosie {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
      least = std::min(least, row[j]);
    }
    if (least >= limit) return limit;
  }
  return std::min(row[b.size()], limit);
}

std::string_view nearest_name(std::string_view written, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t best = std::max<std::size_t>(2, written.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(written, name, best);
    const bool starts = written.size() >= 3 && name.starts_with(written);
    if (distance < best || (starts && best > 1)) {
      best = starts ? 1 : distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace sosie
