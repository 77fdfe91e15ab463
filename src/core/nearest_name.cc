#include "core/nearest_name.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sosie {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view written, std::span<const std::string_view> names) {
  constexpr std::size_t kLongest = 200;  // what is longer was no slip of the keyboard
  if (written.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t best = std::max<std::size_t>(2, written.size() / 3) + 1;
  for (const std::string_view name : names) {
    if (name.size() > kLongest) continue;
    const std::size_t distance = edit_distance(written, name);
    const bool starts = written.size() >= 3 && name.starts_with(written);
    if (distance < best || (starts && best > 1)) {
      best = starts ? 1 : distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace sosie
