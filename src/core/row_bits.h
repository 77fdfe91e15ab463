#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace sosie {

// A set of rows, one bit per row, that returns how many of its rows come before a given row, and
// which of its rows comes after a given number of others.
class RowBits {
 public:
  RowBits() = default;
  explicit RowBits(std::uint64_t rows) : words_(rows / 64 + 1) {}

  // Several threads may set bits concurrently.
  void set(RowNumber row) noexcept {
    std::atomic_ref(words_[row / 64])
        .fetch_or(std::uint64_t{1} << row % 64, std::memory_order_relaxed);
  }
  [[nodiscard]] bool test(RowNumber row) const noexcept {
    return (words_[row / 64] >> row % 64 & 1) != 0;
  }

  // Must be called after the last set() and before the first rank().
  void count() {
    ranks_.clear();
    rows_ = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (i % kWordsOfRank == 0) ranks_.push_back(rows_);
      rows_ += static_cast<std::uint64_t>(std::popcount(words_[i]));
    }
  }
  // Number of rows, once counted.
  [[nodiscard]] std::uint64_t size() const noexcept { return rows_; }
  // Number of set rows before `row`.
  [[nodiscard]] std::uint64_t rank(RowNumber row) const noexcept {
    const std::uint64_t word = row / 64;
    std::uint64_t rank = ranks_[word / kWordsOfRank];
    for (std::uint64_t i = word / kWordsOfRank * kWordsOfRank; i < word; ++i) {
      rank += static_cast<std::uint64_t>(std::popcount(words_[i]));
    }
    const std::uint64_t below = (std::uint64_t{1} << row % 64) - 1;
    return rank + static_cast<std::uint64_t>(std::popcount(words_[word] & below));
  }

  // The row of the set that `rank` others come before; the inverse of rank().
  [[nodiscard]] RowNumber select(std::uint64_t rank) const noexcept {
    const auto after = std::upper_bound(ranks_.begin(), ranks_.end(), rank);
    auto word = static_cast<std::size_t>(after - ranks_.begin() - 1) * kWordsOfRank;
    std::uint64_t left = rank - *(after - 1);
    while (left >= static_cast<std::uint64_t>(std::popcount(words_[word]))) {
      left -= static_cast<std::uint64_t>(std::popcount(words_[word++]));
    }
    std::uint64_t bits = words_[word];
    for (; left > 0; --left) bits &= bits - 1;
    return 64 * word + static_cast<std::uint64_t>(std::countr_zero(bits));
  }

  // Calls each(row) in ascending order.
  template <class Each>
  void for_each(const Each& each) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        each(RowNumber{64 * i + static_cast<std::uint64_t>(std::countr_zero(word))});
      }
    }
  }

 private:
  static constexpr std::size_t kWordsOfRank = 8;

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> ranks_;
  std::uint64_t rows_ = 0;
};

}  // namespace sosie
