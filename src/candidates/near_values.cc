// Expands pairs of near values into pairs of their records.
#include "candidates/near_values.h"

#include <algorithm>

namespace sosie {

NearValues::NearValues(std::vector<std::uint32_t> keys, std::uint32_t split, std::uint32_t most,
                       std::span<const KeyPair> near)
    : blocks_(std::move(keys), split, most, /*keeps_keys=*/true), most_(most) {
  std::vector<KeyPair> small;
  small.reserve(split == 0 ? 2 * near.size() : near.size());
  for (const KeyPair& pair : near) {
    const std::uint64_t records = records_of(pair);
    largest_ = std::max(largest_, records);
    if (records > most_) {
      const bool as_it_is = blocks_.block(pair.first).size() >= blocks_.block(pair.second).size();
      large_.push_back(as_it_is ? pair : KeyPair{pair.second, pair.first});
      continue;
    }
    pairs_ += pairs_of(pair);
    small.push_back(pair);
    if (split == 0 && pair.first != pair.second) small.emplace_back(pair.second, pair.first);
  }
  near_ = lists_of(small, blocks_.keys());
  std::sort(large_.begin(), large_.end());
}

std::uint64_t NearValues::records_of(const KeyPair& pair) const noexcept {
  const std::uint64_t first = blocks_.block(pair.first).size();
  return pair.first == pair.second ? first : first + blocks_.block(pair.second).size();
}

std::uint64_t NearValues::pairs_of(const KeyPair& pair) const noexcept {
  const std::uint64_t first = blocks_.block(pair.first).size();
  if (pair.first == pair.second) return first * (first - 1) / 2;
  return first * blocks_.block(pair.second).size();
}

void NearValues::append(std::uint32_t record, std::vector<std::uint32_t>& partners) const {
  const std::uint32_t key = blocks_.key_of(record);
  if (key == 0) return;
  for (const std::uint32_t other : near_[key]) blocks_.append_from(other, record, partners);
}

void NearValues::for_each_large(const std::function<void(const Large& large)>& each) const {
  for (std::size_t begin = 0, end = 0; begin < large_.size(); begin = end) {
    Large large;
    large.key = large_[begin].first;
    const auto add = [&](std::uint32_t key) {
      const auto block = blocks_.block(key);
      large.records.insert(large.records.end(), block.begin(), block.end());
    };
    add(large.key);
    for (; end < large_.size() && large_[end].first == large.key; ++end) {
      const std::uint32_t other = large_[end].second;
      large.others.push_back(other);
      large.pairs += pairs_of(large_[end]);
      if (other != large.key) add(other);
    }
    std::sort(large.records.begin(), large.records.end());
    each(large);
  }
}

}  // namespace sosie
