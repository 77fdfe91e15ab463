#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "data/format.h"
#include "data/padded_bytes.h"
#include "io/file.h"
#include "read/quote_map.h"
#include "read/row_limit.h"
#include "sosie/columns.h"

namespace sosie {

// A file that consists of rows: the rule that determines where they end, and the position of the
// first row (for example, after a header).
struct RowSource {
  const File* file = nullptr;
  RowEnds row_ends = RowEnds::line;
  Dialect dialect = {};
  std::uint64_t begin = 0;       // 0, or for quoted_line after any byte order mark and header
  const Table* table = nullptr;  // for cell: the file holds the cells of a column of it
  std::size_t column = 0;
  RowLimit limit = {};
};

// A range of a file. The rows that start in [begin, end) belong to it; for `cell`, the rows with
// these numbers.
struct BlockRange {
  std::uint32_t file = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  RowEnds row_ends = RowEnds::line;
  Dialect dialect = {};
  QuoteState state = QuoteState::row_start;  // at `begin`; for quoted_line
};

// Divides files into blocks, in input order. The division does not affect results. Files whose rows
// may contain line feeds are scanned once, so that it is known for each boundary whether it is
// inside quotes; WARC files are divided between records. `ends`: exact, or likely. With likely, the
// lines of compressed files that have not been read to their end are divided up to the estimated
// size, and whoever reads the last of these blocks must check for data after it.
enum class FileEnds : std::uint8_t { exact, likely };
[[nodiscard]] std::vector<BlockRange> cut_into_blocks(std::span<const RowSource> sources,
                                                      std::uint64_t block_bytes, ThreadPool& pool,
                                                      FileEnds ends = FileEnds::exact);

// A row in a block. `bytes`: the row without its line end ("\n" or "\r\n"), followed by kPadding
// readable bytes of any content.
struct RowView {
  std::string_view bytes;
  std::uint64_t offset = 0;  // in the file
  std::uint32_t length = 0;  // line end included
  std::uint64_t number = 0;  // in the table; for cell
};

// Reads blocks one after another and divides them into rows. Not thread-safe.
class BlockReader {
 public:
  // Reads the block and the bytes after it that belong to its last row. A byte order mark at the
  // start of a file is not part of a row. Like next(), throws Error{io}, and Error{limit_exceeded}
  // for a row beyond the limit of the source; it reads only as much of it as the limit allows.
  void open(const RowSource& source, const BlockRange& range);

  // Reads the next row that starts in the block, including blank lines. Returns false at the end.
  [[nodiscard]] bool next(RowView& row);

  // Start of the row that follows the last row of the block. Only for quoted_line and record.
  [[nodiscard]] std::uint64_t end_of_rows() const noexcept;

 private:
  void extend(const File& file, std::uint64_t want_end);
  void extend_for_long_row(std::size_t start, QuoteState state);
  [[noreturn]] void refuse_open_row(std::size_t start, QuoteState state) const;
  void skip_byte_order_mark();
  void open_lines(const File& file, const BlockRange& range);
  void open_quoted(const File& file, const BlockRange& range);
  void open_records(const File& file, const BlockRange& range);
  [[nodiscard]] std::size_t start_of_last_line(std::size_t from) const;
  [[nodiscard]] std::size_t length_of_line() const;
  bool next_cell(RowView& row);

  PaddedBytes buffer_;
  std::uint64_t buffer_offset_ = 0;  // offset of buffer_ in the file
  std::size_t at_ = 0;               // next row's start in buffer_
  std::size_t limit_ = 0;            // rows must start before this
  bool whole_file_read_ = false;
  RowEnds row_ends_ = RowEnds::line;
  std::vector<std::size_t> row_stops_;  // quoted_line, record: ends of the block's rows in buffer_
  std::size_t next_stop_ = 0;
  RowSource source_;
  std::uint64_t most_bytes_ = 0;  // most bytes of a row
  std::uint64_t next_cell_ = 0;   // row of the table
  std::uint64_t end_cell_ = 0;
};

// Reads the rows of a file from its beginning, only as far as they are requested.
class RowStream {
 public:
  explicit RowStream(const RowSource& source);
  // Views are valid until the next call.
  [[nodiscard]] bool next(RowView& row);

 private:
  bool open_next();

  RowSource source_;
  BlockRange range_;
  BlockReader reader_;
  bool opened_ = false;
};

}  // namespace sosie
