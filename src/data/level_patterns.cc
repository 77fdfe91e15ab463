// Counts rows of levels in a hash table with open addressing.
#include "data/level_patterns.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/mix64.h"

namespace sosie {
namespace {

std::uint64_t hash_of(std::span<const std::uint8_t> levels) noexcept {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < levels.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    for (std::size_t j = i; j < std::min(levels.size(), i + sizeof(word)); ++j) {
      word = word << 8U | levels[j];
    }
    hash = mix64(hash ^ word);
  }
  return hash;
}

}  // namespace

std::size_t LevelPatterns::place_of(std::span<const std::uint8_t> levels) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash_of(levels) & mask;
  while (slots_[place] != 0 &&
         std::memcmp(&levels_[(slots_[place] - 1) * fields_], levels.data(), fields_) != 0) {
    place = (place + 1) & mask;
  }
  return place;
}

void LevelPatterns::grow() {
  constexpr std::size_t kLeastSlots = 1024;
  slots_.assign(slots_.empty() ? kLeastSlots : 2 * slots_.size(), 0);
  for (std::uint32_t pattern = 0; pattern < size(); ++pattern) {
    slots_[place_of((*this)[pattern])] = pattern + 1;
  }
}

std::uint32_t LevelPatterns::add(std::span<const std::uint8_t> levels, std::uint64_t count) {
  if (2 * counts_.size() >= slots_.size()) grow();
  std::uint32_t& slot = slots_[place_of(levels)];
  if (slot == 0) {
    levels_.insert(levels_.end(), levels.begin(), levels.end());
    counts_.push_back(0);
    slot = size();
  }
  counts_[slot - 1] += count;
  return slot - 1;
}

std::optional<std::uint32_t> LevelPatterns::find(
    std::span<const std::uint8_t> levels) const noexcept {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t slot = slots_[place_of(levels)];
  if (slot == 0) return std::nullopt;
  return slot - 1;
}

std::vector<std::uint32_t> LevelPatterns::ascending() const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    const auto left = (*this)[a];
    const auto right = (*this)[b];
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  return order;
}

MergedPatterns merged(std::span<const LevelPatterns> workers, std::size_t fields) {
  LevelPatterns all(fields);
  for (const LevelPatterns& worker : workers) {
    for (std::uint32_t pattern = 0; pattern < worker.size(); ++pattern) {
      all.add(worker[pattern], worker.count(pattern));
    }
  }
  MergedPatterns result{LevelPatterns(fields), {}};
  for (const std::uint32_t pattern : all.ascending()) {
    result.patterns.add(all[pattern], all.count(pattern));
  }
  result.numbers.reserve(workers.size());
  for (const LevelPatterns& worker : workers) {
    std::vector<std::uint32_t>& numbers = result.numbers.emplace_back();
    numbers.reserve(worker.size());
    for (std::uint32_t pattern = 0; pattern < worker.size(); ++pattern) {
      numbers.push_back(*result.patterns.find(worker[pattern]));
    }
  }
  return result;
}

}  // namespace sosie
