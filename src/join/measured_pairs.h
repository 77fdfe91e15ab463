#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "corpus/item_rows.h"
#include "corpus/pair_order.h"
#include "join/wanted_pairs.h"
#include "options/bounds.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// Rows [begin, end).
struct RowRange {
  RowId begin = 0;
  RowId end = 0;

  [[nodiscard]] RowId size() const noexcept { return end - begin; }
};

// Rows of two collections (or of one, left < right) and what the measure says of them.
struct MeasuredPair {
  std::uint32_t left;
  std::uint32_t right;
  double value;
};

// Pairs are sorted by (left, right).
[[nodiscard]] inline std::uint64_t sort_key(const MeasuredPair& pair) noexcept {
  return std::uint64_t{pair.left} << 32 | pair.right;
}

// Nearer by value; ties: input order.
struct IsNearer {
  bool is_similarity;

  bool operator()(const MeasuredPair& a, const MeasuredPair& b) const noexcept {
    if (a.value != b.value) return (a.value > b.value) == is_similarity;
    return sort_key(a) < sort_key(b);
  }
};

// Pairs by positions in lists of places, sorted by (left, right), in blocks.
using EachPairs = std::function<void(std::span<const MeasuredPair>)>;

// For pairs of `lefts` rows with those behind them, each counted from 0: hands them on with rights
// counted from the first left. Lives no longer than `each`.
[[nodiscard]] EachPairs counted_from_lefts(std::size_t lefts, const EachPairs& each);

using PairSeen = std::function<void(const MeasuredPair&)>;

// The two collections of pairs (or one of them twice), and how the pairs of a left row follow each
// other.
struct PairSides {
  const ItemIds& left;
  const ItemIds& right;
  PairOrder order = PairOrder::input;
  RowPairs* found = nullptr;  // where a caller wants them
  PairSeen written = {};      // told of each
};

// Takes found pairs sorted by (left, right) and writes those that --top, --top-pairs and --limit
// leave; `out` may be null.
class PairSink {
 public:
  PairSink(const Options& options, BoundFacts facts, PairSides sides, TableWriter* out,
           const PairMemory& memory);

  // Throws Error{limit_exceeded}.
  void add(std::span<const MeasuredPair> pairs) { chooser_.add(pairs); }
  // Writes the rest; returns what was written.
  PairCounts finish();

 private:
  void write(const MeasuredPair& pair);

  BoundFacts facts_;
  PairSides sides_;
  TableWriter* out_;
  PairChooser<MeasuredPair, IsNearer> chooser_;
  std::optional<std::uint32_t> last_left_;
  PairCounts written_;
};

}  // namespace sosie
