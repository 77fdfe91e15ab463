#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/measured/item_rows.h"
#include "pipeline/options/measured_settings.h"
#include "pipeline/rows/pair_order.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// Rows of two collections (or of one, left < right) and what the measure says of them.
struct MeasuredPair {
  std::uint32_t left;
  std::uint32_t right;
  double value;
};

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

// Takes found pairs sorted by left row, leaves those that --top and --top-pairs leave, and writes
// them; `out` may be null. With --limit nothing is written before it is known to be kept.
class PairSink {
 public:
  PairSink(const Options& options, BoundFacts facts, PairSides sides, TableWriter* out);

  // A block of pairs of whole left rows. Throws Error{limit_exceeded}.
  void add(std::span<const MeasuredPair> pairs);
  // Writes the rest; returns what was written.
  PairCounts finish();

 private:
  void add_row(std::span<const MeasuredPair> pairs);
  void keep_nearest(std::vector<MeasuredPair>& pairs, std::uint64_t k) const;
  void sort(std::vector<MeasuredPair>& pairs, PairOrder order) const;
  void write(const MeasuredPair& pair);

  const Options& options_;
  BoundFacts facts_;
  PairSides sides_;
  TableWriter* out_;
  std::vector<MeasuredPair> row_;
  std::vector<MeasuredPair> kept_;
  std::optional<std::uint32_t> last_left_;
  PairCounts written_;
};

// Throws Error{limit_exceeded} when so many pairs, of which none is left out, are more than
// --limit.
void check_pair_limit(const Options& options, const BoundFacts& facts, std::uint64_t pairs);

// Whether `a` is nearer by value; ties: input order.
[[nodiscard]] bool is_nearer(const MeasuredPair& a, const MeasuredPair& b,
                             bool is_similarity) noexcept;

}  // namespace sosie
