#include "pipeline/measured/equal_items.h"

#include <xxhash.h>

#include <algorithm>

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
  std::vector<Place> leaders;  // of one hash: nearly always one
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

}  // namespace sosie
