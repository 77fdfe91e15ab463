#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipeline/item_rows.h"
#include "sosie/options.h"
#include "write/table.h"

namespace sosie {

// Rows of two collections (or of one, left < right) and what the measure says of them.
struct MeasuredPair {
  std::uint32_t left;
  std::uint32_t right;
  double value;
};

// What pairs were measured by.
struct BoundFacts {
  std::string measure;
  std::string bound;  // as written
  bool is_similarity = true;

  // "similarity" or "distance".
  [[nodiscard]] std::string value_name() const { return is_similarity ? "similarity" : "distance"; }
};

// Takes found pairs sorted by (left, right), leaves those that --top and --top-pairs leave, and
// writes them. With --limit nothing is written before it is known to be kept.
class PairSink {
 public:
  PairSink(const Options& options, BoundFacts facts, const ItemIds& left, const ItemIds& right,
           TableWriter& out);

  // A block of pairs of whole left rows. Throws Error{limit_exceeded}.
  void add(std::span<const MeasuredPair> pairs);
  // Writes the rest; returns how many pairs were written.
  std::uint64_t finish();

 private:
  void add_row(std::span<const MeasuredPair> pairs);
  void check_limit() const;
  void keep_nearest(std::vector<MeasuredPair>& pairs, std::uint64_t k) const;
  void write(const MeasuredPair& pair);

  const Options& options_;
  BoundFacts facts_;
  const ItemIds& left_;
  const ItemIds& right_;
  TableWriter& out_;
  std::vector<MeasuredPair> row_;
  std::vector<MeasuredPair> kept_;
  std::uint64_t written_ = 0;
};

}  // namespace sosie
