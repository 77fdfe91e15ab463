// Edit distance of short names, and the nearest known name to a misspelt one.
#include "core/nearest_name.h"

#include <numeric>
#include <utility>
#include <vector>

#include "core/ascii_lower.h"

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

namespace {

bool same_but_for_case(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char left, char right) { return ascii_lower(left) == ascii_lower(right); });
}

// True if two neighbouring characters are swapped and nothing else differs.
bool is_one_swap(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  const auto at =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

}  // namespace

std::string_view nearest_name(std::string_view written, std::span<const std::string_view> names) {
  std::string_view nearest;
  // One edit per three characters: with more, every short name would be similar to any other.
  const std::size_t most = written.size() / 3;
  std::size_t best = std::max<std::size_t>(most, 1) + 1;
  for (const std::string_view name : names) {
    const bool is_slip = same_but_for_case(written, name) || is_one_swap(written, name) ||
                         (written.size() >= 3 && name.starts_with(written));
    const std::size_t edits = edit_distance(written, name, most + 1);
    const std::size_t distance = is_slip ? std::min<std::size_t>(edits, 1) : edits;
    if ((is_slip || edits <= most) && distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace sosie
