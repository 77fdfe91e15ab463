#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace sosie {

// A set of rows, a bit each, that tells how many of its rows come before a given one.
class RowBits {
 public:
  RowBits() = default;
  explicit RowBits(std::uint64_t rows) : words_(rows / 64 + 1) {}

  // Several threads may set bits at once.
  void set(std::uint64_t row) noexcept {
    std::atomic_ref(words_[row / 64])
        .fetch_or(std::uint64_t{1} << row % 64, std::memory_order_relaxed);
  }
  [[nodiscard]] bool test(std::uint64_t row) const noexcept {
    return (words_[row / 64] >> row % 64 & 1) != 0;
  }

  // To be called behind the last set() and before the first rank().
  void count() {
    ranks_.clear();
    rows_ = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (i % kWordsOfRank == 0) ranks_.push_back(static_cast<RowId>(rows_));
      rows_ += static_cast<std::uint64_t>(std::popcount(words_[i]));
    }
  }
  // Number of rows, once counted.
  [[nodiscard]] std::uint64_t size() const noexcept { return rows_; }
  // Number of set rows before `row`.
  [[nodiscard]] RowId rank(std::uint64_t row) const noexcept {
    const std::uint64_t word = row / 64;
    std::uint64_t rank = ranks_[word / kWordsOfRank];
    for (std::uint64_t i = word / kWordsOfRank * kWordsOfRank; i < word; ++i) {
      rank += static_cast<std::uint64_t>(std::popcount(words_[i]));
    }
    const std::uint64_t below = (std::uint64_t{1} << row % 64) - 1;
    return static_cast<RowId>(rank +
                              static_cast<std::uint64_t>(std::popcount(words_[word] & below)));
  }

  // Calls each(row) in rising order.
  template <class Each>
  void for_each(const Each& each) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        each(static_cast<RowId>(64 * i + static_cast<std::uint64_t>(std::countr_zero(word))));
      }
    }
  }

 private:
  static constexpr std::size_t kWordsOfRank = 8;

  std::vector<std::uint64_t> words_;
  std::vector<RowId> ranks_;
  std::uint64_t rows_ = 0;
};

}  // namespace sosie
