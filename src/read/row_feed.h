#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/format.h"
#include "data/padded_bytes.h"
#include "read/quote_map.h"

namespace sosie {

// A row of a stream. `bytes`: the row without its line end, followed by kPadding readable bytes of
// any content.
struct FedRow {
  std::string_view bytes;
  std::uint64_t line = 1;  // the physical line where it begins
};

// Divides a stream that arrives in pieces into rows; each row is available as soon as its line end
// arrives. The rows, including blank ones, are the same as a BlockReader finds in a file with these
// bytes. Keeps the incomplete row and the last piece.
class RowFeed {
 public:
  // `row_ends`: line, or quoted_line with its dialect. `titles`: number of lines before the first
  // row; the first add() must contain all of them.
  RowFeed(RowEnds row_ends, Dialect dialect, std::uint64_t titles = 0) noexcept
      : row_ends_(row_ends), dialect_(dialect), titles_(titles) {}

  // The rows that end in these bytes; they are valid until the next call.
  [[nodiscard]] std::span<const FedRow> add(std::string_view bytes);
  // Must be called after the last add(). Returns the last row if it has no line end.
  [[nodiscard]] std::span<const FedRow> finish();

  // Bytes of the incomplete row.
  [[nodiscard]] std::size_t begun_bytes() const noexcept { return buffer_.size() - begun_; }
  // The physical line on which the incomplete row begins.
  [[nodiscard]] std::uint64_t begun_line() const noexcept { return line_; }

 private:
  void forget_rows();
  [[nodiscard]] bool waits_for_byte_order_mark() const noexcept;
  void cut();
  void skip_titles();
  [[nodiscard]] const char* find_end();
  void take_row(std::size_t stop);

  RowEnds row_ends_;
  Dialect dialect_;
  std::uint64_t titles_;
  PaddedBytes buffer_;
  std::size_t begun_ = 0;    // start of the incomplete row
  std::size_t scanned_ = 0;  // it does not end before this position
  QuoteState state_ = QuoteState::row_start;
  std::uint64_t line_ = 1;
  bool at_start_ = true;
  bool has_line_feed_ = false;
  std::vector<FedRow> rows_;
};

}  // namespace sosie
