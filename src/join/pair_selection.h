#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/keep_best.h"
#include "io/nth_best.h"
#include "io/sorted_records.h"
#include "options/bounds.h"
#include "sosie/options.h"

namespace sosie {

// Order of the pairs of a left row.
enum class PairOrder : std::uint8_t {
  input,       // by right row
  best_first,  // the most similar first; ties: by right row
};

// Counts of written pairs.
struct PairCounts {
  std::uint64_t pairs = 0;
  std::uint64_t lefts = 0;  // rows on the left side of a pair
};

// Number of pairs that a joiner collects before it reports them.
inline constexpr std::size_t kBlockPairs = 4096;

// Determines which of the found pairs a run lists.
struct PairSelection {
  std::uint64_t top = 0;        // the best of each left row; 0: all
  std::uint64_t top_pairs = 0;  // the best of these; 0: all
  std::uint64_t limit = 0;      // more are an error; 0: any number

  [[nodiscard]] bool all() const noexcept { return top == 0 && top_pairs == 0; }
  // Maximum number of equally similar right rows that may be needed for a left row.
  [[nodiscard]] std::uint64_t most_equal() const noexcept {
    return top > 0 ? top : top_pairs > 0 ? top_pairs : ~std::uint64_t{0};
  }
};

[[nodiscard]] PairSelection pair_selection(const Options& options);

// Throws Error{limit_exceeded} if no pairs are left out and this number of pairs exceeds the limit.
void check_pair_limit(const PairSelection& wanted, const BoundFacts& facts, std::uint64_t pairs);

// Memory for pairs, and scratch for the pairs beyond it.
struct PairMemory {
  Scratch& scratch;
  std::uint64_t bytes;
};

// Pairs of any kind, sorted by (left, right).
template <class Pair>
using SortedPairs = SortedRecords<Pair>;

// Removes pairs that --top and --top-pairs will not list, to save memory. `better`: a strict total
// order. The result is empty if all pairs are needed.
template <class Pair, class Better>
[[nodiscard]] typename SortedPairs<Pair>::Prune prune_unwanted(const PairSelection& wanted,
                                                               Better better) {
  if (wanted.all()) return {};
  if (wanted.top == 0) {
    return [wanted, better](std::vector<Pair>& sorted) {
      keep_best(sorted, wanted.top_pairs, better);
      std::vector<Pair> spare;
      sort_by_key(sorted, spare);
    };
  }
  return [wanted, better](std::vector<Pair>& sorted) {
    std::size_t kept = 0;
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      while (end < sorted.size() && sorted[end].left == sorted[begin].left) ++end;
      const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begin);
      auto last = sorted.begin() + static_cast<std::ptrdiff_t>(end);
      if (end - begin > wanted.top) {
        const auto past = first + static_cast<std::ptrdiff_t>(wanted.top);
        std::nth_element(first, past, last, better);
        last = past;
        std::sort(first, last,
                  [](const Pair& a, const Pair& b) { return sort_key(a) < sort_key(b); });
      }
      std::move(first, last, sorted.begin() + static_cast<std::ptrdiff_t>(kept));
      kept += static_cast<std::size_t>(last - first);
    }
    sorted.resize(kept);
  };
}

// Calls each(block) with sorted pairs, thousands at a time, until it returns false. A block may end
// in the middle of a left row's pairs.
template <class Pair, class Each>
void for_each_block(const SortedPairs<Pair>& pairs, const Each& each) {
  std::vector<Pair> block;
  block.reserve(kBlockPairs);
  bool goes_on = true;
  pairs.for_each([&](const Pair& pair) {
    block.push_back(pair);
    if (block.size() < kBlockPairs) return true;
    goes_on = each(std::span<const Pair>(block));
    block.clear();
    return goes_on;
  });
  if (goes_on && !block.empty()) each(std::span<const Pair>(block));
}

// Receives sorted pairs and passes on the selected ones: left rows in input order, the pairs of
// each left row in the requested order. With a limit, nothing is passed on until the number of
// pairs is known; until then they are in memory or scratch. --top-pairs keeps up to twice that
// number of pairs in memory; if they do not fit, all pairs go to scratch.
template <class Pair, class Better>
class PairChooser {
 public:
  using Each = std::function<void(std::span<const Pair>)>;
  using Check = std::function<void(std::uint64_t pairs)>;  // throws if there are too many

  PairChooser(const PairSelection& wanted, PairOrder order, Better better, const PairMemory& memory,
              Check check, Each each)
      : wanted_(wanted),
        order_(order),
        better_(better),
        check_(std::move(check)),
        each_(std::move(each)) {
    // Growing vectors reserve half as many elements again.
    constexpr std::uint64_t kBytesOfBest = 4 * sizeof(Pair);
    is_top_held_ = wanted.top_pairs > memory.bytes / kBytesOfBest;
    most_drawn_ = memory.bytes / kBytesOfBest;
    if (is_top_held_ || (wanted.limit > 0 && wanted.top_pairs == 0)) {
      held_ = std::make_unique<SortedPairs<Pair>>(memory.scratch, memory.bytes);
    }
  }

  // The pairs of a left row may be divided among several calls.
  void add(std::span<const Pair> pairs) {
    if (wanted_.top == 0 && (order_ == PairOrder::input || held_)) {
      take(pairs);
      return;
    }
    for (const Pair& pair : pairs) {
      if (!of_left_.empty() && of_left_.front().left != pair.left) end_left();
      of_left_.push_back(pair);
      if (wanted_.top > 0) keep_some(of_left_, wanted_.top);
    }
  }

  // Call it after the last add().
  void finish() {
    end_left();
    if (held_) held_->finish();
    if (wanted_.top_pairs > 0) {
      hand_on_best();
      return;
    }
    if (!held_) return;
    for_each_block(*held_, [&](std::span<const Pair> pairs) {
      hand_on_held(pairs);
      return true;
    });
    hand_on_left();
  }

 private:
  // Not done on every call, so that the cost stays low.
  void keep_some(std::vector<Pair>& pairs, std::uint64_t most) {
    constexpr std::uint64_t kMore = 4096;
    if (pairs.size() > kMore && pairs.size() - kMore > 2 * most) keep_best(pairs, most, better_);
  }

  void end_left() {
    if (of_left_.empty()) return;
    if (wanted_.top > 0) keep_best(of_left_, wanted_.top, better_);
    sort(of_left_, held_ ? PairOrder::input : order_);
    take(of_left_);
    of_left_.clear();
  }

  void take(std::span<const Pair> pairs) {
    if (held_) {
      count_ += pairs.size();
      if (!is_top_held_) check_(count_);
      held_->add(pairs);
    } else if (wanted_.top_pairs > 0) {
      best_.insert(best_.end(), pairs.begin(), pairs.end());
      keep_some(best_, wanted_.top_pairs);
    } else {
      each_(pairs);
    }
  }

  // Passes on the pairs of --top-pairs.
  void hand_on_best() {
    if (!is_top_held_) {
      keep_best(best_, wanted_.top_pairs, better_);
      sort(best_, PairOrder::input);
      if (wanted_.limit > 0) check_(best_.size());
      hand_on_held(best_);
      hand_on_left();
      return;
    }
    if (wanted_.limit > 0) check_(std::min(count_, wanted_.top_pairs));
    std::optional<Pair> last;
    if (count_ > wanted_.top_pairs) {
      last = NthBest<Pair, Better>(*held_, better_, most_drawn_).find(wanted_.top_pairs - 1);
    }
    std::vector<Pair> best;
    for_each_block(*held_, [&](std::span<const Pair> pairs) {
      best.assign(pairs.begin(), pairs.end());
      if (last) std::erase_if(best, [&](const Pair& pair) { return better_(*last, pair); });
      hand_on_held(best);
      return true;
    });
    hand_on_left();
  }

  void hand_on_held(std::span<const Pair> pairs) {
    if (order_ == PairOrder::input) {
      each_(pairs);
      return;
    }
    for (const Pair& pair : pairs) {
      if (!of_left_.empty() && of_left_.front().left != pair.left) hand_on_left();
      of_left_.push_back(pair);
    }
  }

  void hand_on_left() {
    if (of_left_.empty()) return;
    sort(of_left_, order_);
    each_(of_left_);
    of_left_.clear();
  }

  void sort(std::vector<Pair>& pairs, PairOrder order) const {
    const auto by_key = [](const Pair& a, const Pair& b) { return sort_key(a) < sort_key(b); };
    if (order == PairOrder::best_first) {
      std::sort(pairs.begin(), pairs.end(), better_);
    } else if (!std::is_sorted(pairs.begin(), pairs.end(), by_key)) {
      std::sort(pairs.begin(), pairs.end(), by_key);
    }
  }

  PairSelection wanted_;
  PairOrder order_;
  Better better_;
  Check check_;
  Each each_;
  std::vector<Pair> of_left_;                // pairs of the current left row
  std::vector<Pair> best_;                   // --top-pairs
  std::unique_ptr<SortedPairs<Pair>> held_;  // --limit, or --top-pairs beyond memory
  bool is_top_held_ = false;
  std::uint64_t most_drawn_ = 0;  // pairs that NthBest may have in memory
  std::uint64_t count_ = 0;       // number of pairs in held_
};

}  // namespace sosie
