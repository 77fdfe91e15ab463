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

// A row of a stream. `bytes` is without its line end, followed by kPadding readable bytes of any
// content.
struct FedRow {
  std::string_view bytes;
  std::uint64_t line = 1;  // the physical line that it begins in
};

// Cuts a stream that comes in pieces into rows, each as soon as its line end is there; the same
// rows, blank ones too, that a BlockReader finds in a file of these bytes. Holds the row that is
// not complete and the last piece.
class RowFeed {
 public:
  // `row_ends`: line or quoted_line, then with the dialect.
  // `titles`: lines in front of the first row, which the first add() holds wholly.
  RowFeed(RowEnds row_ends, Dialect dialect, std::uint64_t titles = 0) noexcept
      : row_ends_(row_ends), dialect_(dialect), titles_(titles) {}

  // The rows that end in these bytes. They live until the next call.
  [[nodiscard]] std::span<const FedRow> add(std::string_view bytes);
  // Behind the last add(): the last row, if it has no line end.
  [[nodiscard]] std::span<const FedRow> finish();

  // Bytes of the row that is not complete.
  [[nodiscard]] std::size_t begun_bytes() const noexcept { return buffer_.size() - begun_; }
  // The physical line that it begins in.
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
  std::size_t begun_ = 0;    // where the row that is not complete begins
  std::size_t scanned_ = 0;  // before here it does not end
  QuoteState state_ = QuoteState::row_start;
  std::uint64_t line_ = 1;
  bool at_start_ = true;
  bool has_line_feed_ = false;
  std::vector<FedRow> rows_;
};

}  // namespace sosie
