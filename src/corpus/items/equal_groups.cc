// Groups items with equal bytes by hash, then by comparison.
#include "corpus/items/equal_groups.h"

#include <xxhash.h>

#include <algorithm>
#include <numeric>

namespace sosie {

std::vector<Place> leaders_by_bytes(std::size_t count,
                                    const std::function<std::string_view(std::size_t)>& bytes_of) {
  std::vector<std::pair<std::uint64_t, Place>> by_hash(count);
  for (Place i = 0; i < count; ++i) {
    const std::string_view bytes = bytes_of(i);
    by_hash[i] = {XXH3_64bits(bytes.data(), bytes.size()), i};
  }
  std::sort(by_hash.begin(), by_hash.end());
  std::vector<Place> leader_of(count, kNoPlace);
  std::vector<Place> leaders;  // leaders with one hash: nearly always one
  for (std::size_t i = 0; i < by_hash.size(); ++i) {
    const auto& [hash, item] = by_hash[i];
    if (i > 0 && by_hash[i - 1].first != hash) leaders.clear();
    const std::string_view bytes = bytes_of(item);
    const auto leader = std::find_if(leaders.begin(), leaders.end(),
                                     [&](Place other) { return bytes_of(other) == bytes; });
    if (leader == leaders.end()) {
      leaders.push_back(item);
    } else {
      leader_of[item] = *leader;
    }
  }
  return leader_of;
}

EqualGroups equal_groups(std::size_t first, std::size_t count,
                         const std::function<std::string_view(std::size_t item)>& bytes_of) {
  // A group takes the place of its leader.
  std::vector<Place> group_of =
      leaders_by_bytes(count, [&](std::size_t i) { return bytes_of(first + i); });
  EqualGroups groups;
  groups.starts.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    if (group_of[i] != kNoPlace) {
      group_of[i] = group_of[group_of[i]];
    } else {
      group_of[i] = static_cast<Place>(groups.starts.size() - 1);
      groups.starts.push_back(0);
    }
    ++groups.starts[group_of[i] + 1];
  }
  std::partial_sum(groups.starts.begin(), groups.starts.end(), groups.starts.begin());
  groups.members.resize(count);
  for (std::size_t i = count; i-- > 0;) {
    groups.members[--groups.starts[group_of[i] + 1]] = static_cast<std::uint32_t>(first + i);
  }
  // Each start is now one place too far, at the beginning of its group.
  std::rotate(groups.starts.begin(), groups.starts.begin() + 1, groups.starts.end());
  groups.starts.back() = static_cast<std::uint32_t>(count);
  return groups;
}

}  // namespace sosie
