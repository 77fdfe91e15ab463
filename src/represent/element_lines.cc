// Sets and bags from texts with one element per line: hashes, counts and sorted lines.
#include "represent/element_lines.h"

#include <xxhash.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/mix64.h"
#include "kernels/hash_bytes.h"
#include "kernels/intersection_size.h"

namespace sosie {
namespace {

// Calls each(line) for every line, without its end.
template <class Each>
void for_each_line(std::string_view text, const Each& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::size_t hash_element_lines(std::string_view text, std::vector<std::uint64_t>& out) {
  std::size_t count = 0;
  for_each_line(text, [&](std::string_view line) {
    if (count == out.size()) out.resize(std::max<std::size_t>(16, 2 * count));
    out[count++] = hash_bytes(line.data(), line.size());
  });
  return count;
}

Hash128 hash_of_set(std::span<const std::uint64_t> elements) {
  std::vector<std::uint64_t> set(elements.begin(), elements.end());
  std::vector<std::uint64_t> scratch(set.size());
  const std::size_t count = kernels::sort_unique_hashes(set.data(), set.size(), scratch.data());
  const XXH128_hash_t hash = XXH3_128bits(set.data(), count * sizeof(std::uint64_t));
  return {hash.high64, hash.low64};
}

std::string sorted_element_lines(std::string_view text, bool bag) {
  std::vector<std::string_view> lines;
  for_each_line(text, [&](std::string_view line) { lines.push_back(line); });
  std::sort(lines.begin(), lines.end());
  if (!bag) lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::string sorted;
  for (const std::string_view line : lines) {
    sorted += line;
    sorted += '\n';
  }
  return sorted;
}

void number_occurrences(std::span<std::uint64_t> elements) {
  std::vector<std::uint32_t> order(elements.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return elements[a] != elements[b] ? elements[a] < elements[b] : a < b;
  });
  std::uint64_t element = 0;
  std::uint64_t occurrence = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint64_t& place = elements[order[i]];
    occurrence = i > 0 && place == element ? occurrence + 1 : 0;
    element = place;
    if (occurrence > 0) place = random64(element, occurrence);
  }
}

}  // namespace sosie
