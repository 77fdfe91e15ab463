#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "options/settings.h"
#include "sketch/minhash.h"

namespace sosie {

// Short signatures of some rows, from which the planner estimates the similarity of any two. Not
// thread-safe.
class RowSketches {
 public:
  explicit RowSketches(const Settings& settings);

  // `shingles`: at least one; duplicates are allowed.
  void add(std::span<const std::uint64_t> shingles);
  [[nodiscard]] std::size_t size() const noexcept { return filters_.size() / kComponents; }

  // 64 times the similarity of row i to each of the rows first .. size() - 1, rounded down. Valid
  // until the next call.
  [[nodiscard]] std::span<const std::uint32_t> similarities(std::size_t i, std::size_t first);

 private:
  static constexpr int kComponents = 128;

  MinHasher hasher_;
  std::vector<std::uint32_t> signature_;
  std::vector<std::uint8_t> filters_;
  std::vector<std::uint32_t> others_;
  std::vector<std::uint32_t> agreements_;
};

}  // namespace sosie
