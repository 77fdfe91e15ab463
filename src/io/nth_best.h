#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/mix64.h"
#include "io/sorted_records.h"

namespace sosie {

// Finds the record with a given rank (0: the best) among more records than fit in memory, by
// reading them several times. Each round samples the remaining records, selects two sampled records
// that enclose the target, and counts how many records come before each. The result is exact and
// does not depend on the sample. `better`: a strict total order.
template <class T, class Better>
class NthBest {
 public:
  // `most_drawn`: maximum number of sampled records in memory.
  NthBest(const SortedRecords<T>& records, Better better, std::size_t most_drawn)
      : records_(records), better_(better), most_drawn_(std::max<std::size_t>(most_drawn, 1024)) {}

  // There must be more than `rank` records.
  [[nodiscard]] T find(std::uint64_t rank) {
    while (true) {
      draw();
      if (inside_ <= most_drawn_) {
        const auto at = drawn_.begin() + static_cast<std::ptrdiff_t>(rank);
        std::nth_element(drawn_.begin(), at, drawn_.end(), better_);
        return *at;
      }
      rank -= narrow(rank);
    }
  }

 private:
  // True if the record may be the target, because it is after above_ and not after last_.
  [[nodiscard]] bool is_inside(const T& record) const {
    return (!above_ || better_(*above_, record)) && (!last_ || !better_(*last_, record));
  }

  // Samples the remaining records, each with the same probability.
  void draw() {
    inside_ = 0;
    drawn_.clear();
    records_.for_each([&](const T& record) {
      if (!is_inside(record)) return true;
      if (drawn_.size() < most_drawn_) {
        drawn_.push_back(record);
      } else if (const std::uint64_t at = random64(kSeed, inside_) % (inside_ + 1);
                 at < most_drawn_) {
        drawn_[at] = record;
      }
      ++inside_;
      return true;
    });
  }

  // Narrows the range; returns how many better records have been excluded.
  std::uint64_t narrow(std::uint64_t rank) {
    std::sort(drawn_.begin(), drawn_.end(), better_);
    const auto size = static_cast<double>(drawn_.size());
    const double expected = size * static_cast<double>(rank) / static_cast<double>(inside_);
    const double reach = 2 * std::sqrt(size);
    const auto place = [&](double at) {
      return drawn_[static_cast<std::size_t>(std::clamp(at, 0.0, size - 1))];
    };
    const T first = place(expected - reach);
    const T second = place(expected + reach);
    std::uint64_t up_to_first = 0;
    std::uint64_t up_to_second = 0;
    records_.for_each([&](const T& record) {
      if (!is_inside(record)) return true;
      up_to_first += better_(first, record) ? 0U : 1U;
      up_to_second += better_(second, record) ? 0U : 1U;
      return true;
    });
    if (rank < up_to_first) {
      last_ = first;
      return 0;
    }
    if (rank < up_to_second) {
      above_ = first;
      last_ = second;
      return up_to_first;
    }
    above_ = second;
    return up_to_second;
  }

  static constexpr std::uint64_t kSeed = 0x9E3779B97F4A7C15ULL;

  const SortedRecords<T>& records_;
  Better better_;
  std::size_t most_drawn_;
  std::optional<T> above_;
  std::optional<T> last_;
  std::uint64_t inside_ = 0;
  std::vector<T> drawn_;
};

}  // namespace sosie
