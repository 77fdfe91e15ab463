#include "pipeline/measured/hashed_pairs.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/memory_budget.h"
#include "pipeline/measured/equal_items.h"
#include "pipeline/measured/sorted_pairs.h"

namespace sosie {
namespace {

constexpr std::size_t kBlockPairs = 4096;

class Finder {
 public:
  using Check = std::function<void(std::uint64_t pairs)>;

  // `check(pairs so far)` may throw.
  Finder(const HashedJoin& join, SortedPairs& out, Check check)
      : join_(join),
        out_(out),
        check_(std::move(check)),
        next_(join.lefts + join.rights, kNoPlace) {}

  std::uint64_t run() {
    collapse(0, join_.lefts);
    const std::size_t split = join_.rights > 0 ? rows_.size() : 0;
    collapse(join_.lefts, join_.rights);
    std::uint64_t measured = 0;
    if (join_.rights == 0) measured += add_copies();
    const bool nothing = join_.rights > 0 && join_.lefts == 0;
    if (nothing) return measured;
    return measured + join_.join(rows_, split, [this](std::span<const MeasuredPair> pairs) {
      std::vector<MeasuredPair> block;
      for (const MeasuredPair& pair : pairs) expand(pair, block);
      hand_over(block);
    });
  }

 private:
  // Of equal rows the first is joined, and the others are in a list behind it.
  void collapse(std::size_t first, std::size_t count) {
    const auto leader_of =
        leaders_by_bytes(count, [&](std::size_t i) { return join_.bytes_of(first + i); });
    for (std::size_t i = count; i-- > 0;) {
      if (leader_of[i] == kNoPlace) continue;
      std::uint32_t& behind = next_[first + leader_of[i]];
      next_[first + i] = behind;
      behind = static_cast<std::uint32_t>(first + i);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (leader_of[i] == kNoPlace) rows_.push_back(static_cast<std::uint32_t>(first + i));
    }
  }

  void add(std::uint32_t left, std::uint32_t right, double value,
           std::vector<MeasuredPair>& block) {
    if (join_.rights > 0) {
      right -= static_cast<std::uint32_t>(join_.lefts);
    } else if (left > right) {
      std::swap(left, right);
    }
    block.push_back({left, right, value});
    if (block.size() >= kBlockPairs) hand_over(block);
  }

  void hand_over(std::vector<MeasuredPair>& block) {
    check_(out_.add(block));
    block.clear();
  }

  // A pair of leaders is one of all that they lead.
  void expand(const MeasuredPair& pair, std::vector<MeasuredPair>& block) {
    for (std::uint32_t left = rows_[pair.left]; left != kNoPlace; left = next_[left]) {
      for (std::uint32_t right = rows_[pair.right]; right != kNoPlace; right = next_[right]) {
        add(left, right, pair.value, block);
      }
    }
  }

  // Pairs of equal rows; one of them is measured.
  std::uint64_t add_copies() {
    std::uint64_t measured = 0;
    std::vector<MeasuredPair> block;
    for (const std::uint32_t row : rows_) {
      if (next_[row] == kNoPlace) continue;
      ++measured;
      const auto value = join_.measure(row, next_[row]);
      if (!value) continue;
      for (std::uint32_t left = row; left != kNoPlace; left = next_[left]) {
        for (std::uint32_t right = next_[left]; right != kNoPlace; right = next_[right]) {
          add(left, right, *value, block);
        }
      }
    }
    hand_over(block);
    return measured;
  }

  const HashedJoin& join_;
  SortedPairs& out_;
  Check check_;
  std::vector<std::uint32_t> next_;  // equal row behind a row
  std::vector<std::uint32_t> rows_;  // that are joined
};

}  // namespace

std::uint64_t measure_candidates(const BandedJoin& join, ThreadPool& pool,
                                 const MeasurePair& measure,
                                 const std::function<void(std::span<const MeasuredPair>)>& each) {
  std::atomic<std::uint64_t> measured = 0;
  find_candidates(join, pool, [&](std::span<const CandidatePair> pairs) {
    measured += pairs.size();
    std::vector<MeasuredPair> found;
    for (const CandidatePair& pair : pairs) {
      const auto value = measure(join.rows[pair.left], join.rows[pair.right]);
      if (value) found.push_back({pair.left, pair.right, *value});
    }
    if (!found.empty()) each(found);
  });
  return measured;
}

std::uint64_t join_between(const decltype(HashedJoin::join)& join,
                           std::span<const std::uint32_t> lefts,
                           std::span<const std::uint32_t> rights, const HashedJoin::Each& each) {
  if (lefts.empty() || rights.empty()) return 0;
  std::vector<std::uint32_t> rows(lefts.begin(), lefts.end());
  rows.insert(rows.end(), rights.begin(), rights.end());
  const auto split = static_cast<std::uint32_t>(lefts.size());
  return join(rows, split, [&](std::span<const MeasuredPair> pairs) {
    std::vector<MeasuredPair> block(pairs.begin(), pairs.end());
    for (MeasuredPair& pair : block) pair.right -= split;
    each(block);
  });
}

std::uint64_t join_hashed(const HashedJoin& join, const Settings& settings, const Options& options,
                          const BoundFacts& facts, PairSink& sink) {
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  SortedPairs sorted(scratch, MemoryBudget{settings.memory_bytes}.sorts());
  const bool all = options.top == 0 && options.top_pairs == 0;
  const std::uint64_t measured = Finder(join, sorted, [&](std::uint64_t pairs) {
                                   if (all) check_pair_limit(options, facts, pairs);
                                 }).run();
  sorted.drain([&](std::span<const MeasuredPair> pairs) { sink.add(pairs); });
  return measured;
}

}  // namespace sosie
