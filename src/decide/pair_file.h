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

// Bound that a pair must reach to be taken from a file: a similarity or a distance.
struct PairBound {
  Bound bound;
  bool is_similarity = true;
};

// True if a value, written as `text`, reaches the bound as far as its decimals tell.
[[nodiscard]] bool is_within(double value, std::string_view text, bool is_distance,
                             const PairBound& bound) noexcept;
// A number from 0 up to `most`; nothing where the text is none.
[[nodiscard]] std::optional<double> parse_value(std::string_view text, double most);

// Columns that stand for similarities where a file has none of them: probabilities, or no column at
// all where no bound asks for values.
enum class PairValues : std::uint8_t { measured, or_probabilities };

// Reads the columns left, right and similarity (or distance) of a pairs file, as `sosie pairs`
// writes it; with `or_probabilities` also what `sosie link` writes, and pairs alone. The file tells
// values to six decimals, or to more where others wrote it. Pairs beyond the bound are passed over
// as far as the decimals tell: none is lost because its value was rounded.
class PairFile {
 public:
  // Throws Error{malformed_input} when a column is missing. A file without any holds no pairs.
  // `bound`: nothing takes all pairs. A bound of similarities takes distances as 1 - similarity.
  PairFile(TableReader& table, const std::optional<PairBound>& bound,
           PairValues values = PairValues::measured);

  // True if the file tells distances; a file without columns tells neither.
  [[nodiscard]] bool tells_distances() const noexcept { return tells_distances_; }

  // True for pairs of `sosie link`, whose values are probabilities.
  [[nodiscard]] bool tells_probabilities() const noexcept { return tells_probabilities_; }

  // False for pairs alone, which all count.
  [[nodiscard]] bool tells_values() const noexcept { return tells_values_; }

  // The next pair. False at the end. Throws Error{malformed_input}.
  [[nodiscard]] bool next();

  [[nodiscard]] const std::string& left() const { return table_.cells()[left_]; }
  [[nodiscard]] const std::string& right() const { return table_.cells()[right_]; }
  // Place of the current row, as TableReader::place() says it.
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

// The items that a pairs file names, and its pairs as pairs of places.
struct PairGraph {
  std::vector<std::string> ids;  // by place
  std::unique_ptr<SortedPairs<VerifiedPair>> pairs;
  std::uint64_t pair_count = 0;
};

// Reads the pairs and ranks their items: items of the left column in the order they come, then all
// others likewise. In a file sorted by (left, right), as `sosie pairs` writes it, every item then
// ranks before its later partners as it does in the input, which is all that clustering asks of the
// order: the groups equal the groups of dedup with --keep first. Ids lie in memory: throws
// Error{limit_exceeded} when they take more than half of budget.bytes. Pairs take no more than its
// share for sorts, and the rest is in scratch.
[[nodiscard]] PairGraph read_pair_graph(PairFile& file, Scratch& scratch,
                                        const MemoryBudget& budget);

}  // namespace sosie
