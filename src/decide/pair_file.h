#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/memory_budget.h"
#include "core/rational.h"
#include "data/clusters.h"
#include "data/overlap.h"
#include "join/pair_selection.h"
#include "read/table_reader.h"

namespace sosie {

// Bound that a pair must reach to be accepted from a file: a similarity or a distance.
struct PairBound {
  Bound bound;
  bool is_similarity = true;
};

// True if a value, written as `text`, reaches the bound within the precision of its decimals.
[[nodiscard]] bool is_within(double value, std::string_view text, bool is_distance,
                             const PairBound& bound) noexcept;
// A number from 0 to `most`; nullopt for other texts.
[[nodiscard]] std::optional<double> parse_value(std::string_view text, double most);

// Columns that replace similarities in a file without them: probabilities, or no column at all if
// no bound needs values.
enum class PairValues : std::uint8_t { measured, or_probabilities };

// Reads the columns left, right and similarity (or distance) of a pairs file, as written by `sosie
// pairs`; with `or_probabilities` also the output of `sosie link`, and pairs alone. Values have six
// decimals in files by Sosie, possibly more in others. Pairs beyond the bound are skipped within
// the precision of the decimals: none is lost because its value was rounded.
class PairFile {
 public:
  // Throws Error{malformed_input} if a column is missing. A file without columns has no pairs.
  // `bound`: if empty, all pairs are accepted. Under a similarity bound, a distance in the file is
  // read as 1 - similarity.
  PairFile(TableReader& table, const std::optional<PairBound>& bound,
           PairValues values = PairValues::measured);

  // True if the file contains distances; a file without columns contains neither.
  [[nodiscard]] bool tells_distances() const noexcept { return tells_distances_; }

  // True for pairs by `sosie link`, whose values are probabilities.
  [[nodiscard]] bool tells_probabilities() const noexcept { return tells_probabilities_; }

  // False for pairs without values, all of which count.
  [[nodiscard]] bool tells_values() const noexcept { return tells_values_; }

  // Reads the next pair. Returns false at the end. Throws Error{malformed_input}.
  [[nodiscard]] bool next();

  [[nodiscard]] const std::string& left() const { return table_.cells()[left_]; }
  [[nodiscard]] const std::string& right() const { return table_.cells()[right_]; }
  // Place of the current row, as in TableReader::place().
  [[nodiscard]] std::string place() const { return table_.place(); }
  [[nodiscard]] double value() const noexcept { return value_; }
  // Overlap in millionths: a similarity, or 1 - a distance of at most 1.
  [[nodiscard]] Overlap overlap() const noexcept;

 private:
  void read_value();

  TableReader& table_;
  std::optional<PairBound> bound_;
  std::size_t left_ = 0;
  std::size_t right_ = 0;
  std::size_t column_ = 0;  // column of the value
  bool tells_distances_ = false;
  bool tells_probabilities_ = false;
  bool tells_values_ = true;
  double value_ = 0;
};

// The items in a pairs file, and its pairs as pairs of places.
struct PairGraph {
  std::vector<std::string> ids;  // by place
  std::unique_ptr<SortedPairs<VerifiedPair>> pairs;
  std::uint64_t pair_count = 0;
};

// Reads the pairs and ranks their items: items of the left column in the order of occurrence, then
// all others likewise. In a file sorted by (left, right), as written by `sosie pairs`, every item
// then ranks before its later partners as in the input, which is all that clustering needs of the
// order: the groups equal the groups of dedup with --keep first. Ids are in memory: throws
// Error{limit_exceeded} if they take more than half of budget.bytes. Pairs take at most its share
// for sorts; the rest goes to scratch.
[[nodiscard]] PairGraph read_pair_graph(PairFile& file, Scratch& scratch,
                                        const MemoryBudget& budget);

}  // namespace sosie
