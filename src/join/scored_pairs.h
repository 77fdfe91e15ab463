#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/ids.h"
#include "join/pair_selection.h"
#include "options/bounds.h"
#include "sosie/options.h"

namespace sosie {

// Rows [begin, end).
struct RowRange {
  RowId begin = 0;
  RowId end = 0;

  [[nodiscard]] RowId size() const noexcept { return end - begin; }
};

// The rows of a table that a join compares: left rows with right rows or, if there are no right
// rows, left rows with each other.
struct JoinSides {
  RowRange left;
  std::optional<RowRange> right = {};

  [[nodiscard]] bool is_self() const noexcept { return !right; }
  // Average number of partners of a left row.
  [[nodiscard]] double partners() const noexcept {
    return right ? static_cast<double>(right->size()) : (static_cast<double>(left.size()) - 1) / 2;
  }
  [[nodiscard]] bool is_nothing() const noexcept {
    return left.size() == 0 || (right && right->size() == 0);
  }
};

// Two rows (of two collections, or of one with left < right) and the measure's value for them.
struct ScoredPair {
  std::uint32_t left;
  std::uint32_t right;
  double value;
};

// Pairs are sorted by (left, right).
[[nodiscard]] inline std::uint64_t sort_key(const ScoredPair& pair) noexcept {
  return std::uint64_t{pair.left} << 32 | pair.right;
}

// True if a is nearer than b by value; ties are broken by input order.
struct IsNearer {
  bool is_similarity;

  bool operator()(const ScoredPair& a, const ScoredPair& b) const noexcept {
    if (a.value != b.value) return (a.value > b.value) == is_similarity;
    return sort_key(a) < sort_key(b);
  }
};

extern template class SortedRecords<ScoredPair>;
extern template class PairChooser<ScoredPair, IsNearer>;

// Receives pairs of positions in lists of places, sorted by (left, right), in blocks.
using EachPairs = std::function<void(std::span<const ScoredPair>)>;

// Passes pairs on with these numbers added to their rows. The result must not outlive `each`.
[[nodiscard]] EachPairs shifted(RowId left, RowId right, const EachPairs& each);

// Passes on the pairs that --top can list if there is no bound: similarities above 0, and all
// distances. The result must not outlive `each`.
[[nodiscard]] EachPairs above_zero(const BoundFacts& facts, const EachPairs& each);

// Receives the pairs that are found, sorted by (left, right), and passes on those that --top,
// --top-pairs and --limit select: left rows in input order, the pairs of each left row in the
// requested order.
class PairSink {
 public:
  PairSink(const Options& options, const BoundFacts& facts, PairOrder order,
           const PairMemory& memory, EachPairs each);

  // Throws Error{limit_exceeded}.
  void add(std::span<const ScoredPair> pairs) { chooser_.add(pairs); }
  // Must be called after the last add().
  void finish() { chooser_.finish(); }

 private:
  PairChooser<ScoredPair, IsNearer> chooser_;
};

}  // namespace sosie
