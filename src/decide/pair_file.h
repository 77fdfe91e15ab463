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

// The bound that a pair from a file must reach to be accepted: a similarity or a distance.
struct PairBound {
  Bound bound;
  bool is_similarity = true;
};

// True if a value, written as `text`, is within the bound, allowing for the precision of its
// decimals.
[[nodiscard]] bool is_within(double value, std::string_view text, bool is_distance,
                             const PairBound& bound) noexcept;
// Parses a number from 0 to `most`; nullopt for any other text.
[[nodiscard]] std::optional<double> parse_value(std::string_view text, double most);

// Columns that may replace similarities in a file that has none: probabilities, or no column at all
// if there is no bound.
enum class PairValues : std::uint8_t { measured, or_probabilities };

// Reads the columns left, right and similarity (or distance) of a pairs file written by `sosie
// pairs`; with `or_probabilities`, also reads the output of `sosie link` and pairs without values.
// Values have six decimals in files written by Sosie and may have more in other files. Pairs beyond
// the bound are skipped, with allowance for the precision of the decimals, so that no pair is lost
// because its value was rounded.
class PairFile {
 public:
  // Throws Error{malformed_input} if a column is missing. A file without columns has no pairs.
  // `bound`: if empty, all pairs are accepted. Under a similarity bound, a distance in the file is
  // read as 1 - similarity.
  PairFile(TableReader& table, const std::optional<PairBound>& bound,
           PairValues values = PairValues::measured);

  // True if the values are distances; false if a file has no columns.
  [[nodiscard]] bool tells_distances() const noexcept { return tells_distances_; }

  // True for pairs from `sosie link`, whose values are probabilities.
  [[nodiscard]] bool tells_probabilities() const noexcept { return tells_probabilities_; }

  // False if the pairs have no values; in this case, all pairs count.
  [[nodiscard]] bool tells_values() const noexcept { return tells_values_; }

  // Reads the next pair. Returns false at the end. Throws Error{malformed_input}.
  [[nodiscard]] bool next();

  [[nodiscard]] const std::string& left() const { return table_.cells()[left_]; }
  [[nodiscard]] const std::string& right() const { return table_.cells()[right_]; }
  // Place of the current row, as in TableReader::place().
  [[nodiscard]] std::string place() const { return table_.place(); }
  [[nodiscard]] double value() const noexcept { return value_; }
  // The value as an overlap in millionths: the similarity, or 1 - distance; the distance must be at
  // most 1.
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

// The items in a pairs file, and the file's pairs as pairs of places.
struct PairGraph {
  std::vector<std::string> ids;  // by place
  std::unique_ptr<SortedPairs<VerifiedPair>> pairs;
  std::uint64_t pair_count = 0;
};

// Reads the pairs and ranks their items: first the items in the left column in the order of their
// occurrence, then all others in the same way. In a file sorted by (left, right), such as `sosie
// pairs` writes, every item then ranks before its later partners, as in the input. Clustering needs
// no more of the order, so the groups are the same as with dedup --keep first. Ids are in memory;
// throws Error{limit_exceeded} if they need more than half of budget.bytes. Pairs use at most the
// budget's share for sorts; the rest goes to scratch.
[[nodiscard]] PairGraph read_pair_graph(PairFile& file, Scratch& scratch,
                                        const MemoryBudget& budget);

}  // namespace sosie
