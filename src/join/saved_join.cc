// Joins that are saved part by part, for --checkpoint.
#include "join/saved_join.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <vector>

#include "sosie/error.h"

namespace sosie {
namespace {

// Number of parts of a join with a cost for every row on both sides, which each part incurs.
constexpr std::size_t kPartsByRow = 8;
constexpr std::size_t kSavedParts = 64;
constexpr std::size_t kDrawn = 8;  // rows of a part that are joined again

std::size_t rows_of_part(std::size_t lefts, const InMemoryJoiner& joiner) {
  const std::size_t parts = joiner.costs_by_row() ? kPartsByRow : kSavedParts;
  return std::max(joiner.least_saved_rows(), (lefts + parts - 1) / parts);
}

bool is_same(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

EachPairs moved(std::size_t left, std::ptrdiff_t right, const EachPairs& each) {
  return [=, &each](std::span<const ScoredPair> pairs) {
    std::vector<ScoredPair> block(pairs.begin(), pairs.end());
    for (ScoredPair& pair : block) {
      pair.left += static_cast<std::uint32_t>(left);
      pair.right = static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(pair.right) + right);
    }
    each(block);
  };
}

}  // namespace

std::uint64_t SavedJoin::find(std::span<const RowId> rows, std::size_t split,
                              const EachPairs& each) {
  const std::size_t lefts = split == 0 ? rows.size() : split;
  const std::size_t step = rows_of_part(lefts, joiner_);
  std::uint64_t measured = 0;
  for (std::size_t begin = 0; begin < lefts; begin += step) {
    measured += find_part({rows, split, begin, std::min(lefts, begin + step)}, each);
  }
  return measured;
}

std::uint64_t SavedJoin::find_part(const Part& part, const EachPairs& each) {
  const std::array<std::uint64_t, 4> key = {XXH3_64bits(part.rows.data(), part.rows.size_bytes()),
                                            part.split, part.begin, part.end};
  const std::uint64_t hash = XXH3_64bits(key.data(), sizeof key);
  std::vector<SavedPair> of_drawn;
  const std::vector<std::size_t> drawn = drawn_lefts(part);
  const SavedPairs::Check check_some = [&](std::span<const SavedPair> pairs) {
    if (!check(part, pairs)) return false;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(of_drawn), [&](const auto& pair) {
      return std::binary_search(drawn.begin(), drawn.end(), std::size_t{pair.left});
    });
    return true;
  };
  bool is_checked = false;
  std::vector<ScoredPair> block;
  const SavedPairs::Each hand_over = [&](std::span<const SavedPair> pairs) {
    if (!is_checked) check_again(part, of_drawn);
    is_checked = true;
    block.clear();
    for (const SavedPair& pair : pairs) block.push_back({pair.left, pair.right, pair.value});
    if (!block.empty()) each(block);
  };
  if (const auto measured = saved_.load(hash, check_some, hand_over)) return *measured;
  SortedPairs<ScoredPair> sorted(scratch_, sort_bytes_);
  const std::uint64_t measured =
      join(part, [&](std::span<const ScoredPair> pairs) { sorted.add(pairs); });
  sorted.finish();
  saved_.begin(hash);
  for_each_block(sorted, [&](std::span<const ScoredPair> pairs) {
    for (const ScoredPair& pair : pairs) saved_.add({pair.left, pair.right, pair.value});
    each(pairs);
    return true;
  });
  saved_.finish(measured);
  return measured;
}

std::uint64_t SavedJoin::join(const Part& part, const EachPairs& each) const {
  const std::size_t lefts = part.end - part.begin;
  if (part.split == 0) {
    const auto shift = static_cast<std::ptrdiff_t>(part.begin);
    const EachPairs behind = moved(part.begin, shift, each);
    const auto rest = part.rows.subspan(part.begin);
    const std::uint64_t within = joiner_.find(rest.first(lefts), 0, behind);
    return within + (rest.size() > lefts ? joiner_.find(rest, lefts, behind) : 0);
  }
  std::vector<RowId> rows(part.rows.begin() + static_cast<std::ptrdiff_t>(part.begin),
                          part.rows.begin() + static_cast<std::ptrdiff_t>(part.end));
  rows.insert(rows.end(), part.rows.begin() + static_cast<std::ptrdiff_t>(part.split),
              part.rows.end());
  const auto shift = static_cast<std::ptrdiff_t>(part.split) - static_cast<std::ptrdiff_t>(lefts);
  return joiner_.find(rows, lefts, moved(part.begin, shift, each));
}

// True if the pairs can belong to the part. Throws if their values are wrong.
bool SavedJoin::check(const Part& part, std::span<const SavedPair> pairs) const {
  constexpr std::size_t kPairsATask = 1024;
  const auto is_of_part = [&](const SavedPair& pair) {
    const std::size_t first_right = part.split == 0 ? std::size_t{pair.left} + 1 : part.split;
    return pair.left >= part.begin && pair.left < part.end && pair.right >= first_right &&
           pair.right < part.rows.size();
  };
  if (!std::all_of(pairs.begin(), pairs.end(), is_of_part)) return false;
  std::atomic<bool> is_right = true;
  pool_.for_each(
      (pairs.size() + kPairsATask - 1) / kPairsATask, [&](unsigned /*worker*/, std::size_t task) {
        const std::size_t begin = task * kPairsATask;
        const auto some = pairs.subspan(begin, std::min(kPairsATask, pairs.size() - begin));
        for (const SavedPair& pair : some) {
          const auto value = joiner_.measure(part.rows[pair.left], part.rows[pair.right]);
          if (!value || !is_same(*value, pair.value)) is_right = false;
        }
      });
  if (!is_right) refuse();
  return true;
}

// Pairs missing from the folder can only be detected by joining some rows again.
void SavedJoin::check_again(const Part& part, const std::vector<SavedPair>& known) {
  if (joiner_.hashes() && has_checked_) return;
  has_checked_ = true;
  const std::vector<std::size_t> drawn = drawn_lefts(part);
  const std::size_t first_right = part.split == 0 ? part.begin : part.split;
  std::vector<RowId> rows;
  rows.reserve(drawn.size() + part.rows.size() - first_right);
  for (const std::size_t left : drawn) rows.push_back(part.rows[left]);
  rows.insert(rows.end(), part.rows.begin() + static_cast<std::ptrdiff_t>(first_right),
              part.rows.end());
  SortedPairs<ScoredPair> found(scratch_, sort_bytes_);
  (void)joiner_.find(rows, drawn.size(), [&](std::span<const ScoredPair> pairs) {
    std::vector<ScoredPair> block;
    for (const ScoredPair& pair : pairs) {
      const std::size_t left = drawn[pair.left];
      const std::size_t right = pair.right - drawn.size() + first_right;
      if (part.split == 0 && right <= left) continue;
      block.push_back(
          {static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right), pair.value});
    }
    found.add(block);
  });
  found.finish();
  std::size_t next = 0;
  bool agree = true;
  found.for_each([&](const ScoredPair& pair) {
    agree = agree && next < known.size() && known[next].left == pair.left &&
            known[next].right == pair.right;
    ++next;
    return agree;
  });
  if (!agree || next != known.size()) refuse();
}

std::vector<std::size_t> SavedJoin::drawn_lefts(const Part& part) {
  const std::size_t lefts = part.end - part.begin;
  const std::size_t count = std::min(kDrawn, lefts);
  std::vector<std::size_t> drawn;
  drawn.reserve(count);
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(part.begin + lefts * i / count);
  return drawn;
}

void SavedJoin::refuse() const {
  throw Error(ErrorKind::malformed_input, saved_.path() + ": does not match the items",
              "remove the folder to begin again, or name another one");
}

}  // namespace sosie
