#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/rational.h"
#include "data/overlap.h"
#include "read/table_reader.h"

namespace sosie {

// Bound that a pair must reach to be taken from a file: a similarity or a distance.
struct PairBound {
  Bound bound;
  bool is_similarity = true;
};

// Reads the columns left, right and similarity (or distance) of a pairs file, as `sosie pairs`
// writes it. The file tells values to six decimals, or to more where others wrote it. Pairs beyond
// the bound are passed over as far as the decimals tell: none is lost because its value was
// rounded.
class PairFile {
 public:
  // Throws Error{malformed_input} when a column is missing. A file without any holds no pairs.
  // `bound`: nothing takes all pairs. A bound of similarities takes distances as 1 - similarity.
  PairFile(TableReader& table, const std::optional<PairBound>& bound);

  // True if the file tells distances; a file without columns tells neither.
  [[nodiscard]] bool tells_distances() const noexcept { return tells_distances_; }

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
  [[nodiscard]] bool is_within_bound() const;

  TableReader& table_;
  std::optional<PairBound> bound_;
  std::size_t left_ = 0;
  std::size_t right_ = 0;
  std::size_t column_ = 0;  // column of the value
  bool tells_distances_ = false;
  double value_ = 0;
};

}  // namespace sosie
