#pragma once

#include <cstdint>
#include <string>

#include "core/rational.h"
#include "data/overlap.h"
#include "read/table_reader.h"

namespace sosie {

// Reads the columns left, right and similarity of a pairs file, as `sosie pairs` writes it. The
// file tells similarities to six decimals, and so do the overlaps made from it: as millionths.
// Pairs below the threshold are passed over as far as six decimals tell: none is lost because its
// similarity was rounded down.
class PairFile {
 public:
  // Throws Error{malformed_input} when a column is missing. A file without any holds no pairs.
  PairFile(TableReader& table, const Rational& threshold);

  // The next pair. False at the end. Throws Error{malformed_input}.
  [[nodiscard]] bool next();

  [[nodiscard]] const std::string& left() const { return table_.cells()[left_]; }
  [[nodiscard]] const std::string& right() const { return table_.cells()[right_]; }
  // Place of the current row, as TableReader::place() says it.
  [[nodiscard]] std::string place() const { return table_.place(); }
  [[nodiscard]] const Overlap& overlap() const noexcept { return overlap_; }

 private:
  bool read();

  TableReader& table_;
  std::size_t left_ = 0;
  std::size_t right_ = 0;
  std::size_t similarity_ = 0;
  std::uint32_t least_millionths_;
  Overlap overlap_;
};

}  // namespace sosie
