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

// A file as rows: what ends them, and where the first one begins (behind a header, say).
struct RowSource {
  const File* file = nullptr;
  RowEnds row_ends = RowEnds::line;
  Dialect dialect = {};
  std::uint64_t begin = 0;       // 0, or for quoted_line behind any byte order mark and header
  const Table* table = nullptr;  // for cell: the file holds the cells of one of its columns
  std::size_t column = 0;
  RowLimit limit = {};
};

// A stretch of one file; it owns the rows that start in [begin, end), for `cell` those so numbered.
struct BlockRange {
  std::uint32_t file = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  RowEnds row_ends = RowEnds::line;
  Dialect dialect = {};
  QuoteState state = QuoteState::row_start;  // at `begin`; for quoted_line
};

// Cuts files into blocks, in input order. How they are cut decides no result. Files whose rows may
// hold line feeds are read through once, to know at each cut whether it lies inside quotes; files
// of records are cut between them.
// `ends`: exact, or likely: lines of packed files whose end was not reached yet are then cut up to
// their likely size, and who reads the last of these blocks must look what comes behind it.
enum class FileEnds : std::uint8_t { exact, likely };
[[nodiscard]] std::vector<BlockRange> cut_into_blocks(std::span<const RowSource> sources,
                                                      std::uint64_t block_bytes, ThreadPool& pool,
                                                      FileEnds ends = FileEnds::exact);

// One row of a block. `bytes` is without its line end ("\n" or "\r\n"), followed by kPadding
// readable bytes of any content.
struct RowView {
  std::string_view bytes;
  std::uint64_t offset = 0;  // in the file
  std::uint32_t length = 0;  // line end included
  std::uint64_t number = 0;  // in the table; for cell
};

// Reads blocks one after another and cuts them into rows. Belongs to one thread.
class BlockReader {
 public:
  // Reads the block and as much behind it as its last row needs. A byte order mark at the start of
  // a file belongs to no row. Throws Error{io}; Error{limit_exceeded} for a row beyond the limit of
  // the source, once as much of it was taken as that allows. So does next().
  void open(const RowSource& source, const BlockRange& range);

  // The next row that starts in the block, blank lines too. False at the end.
  [[nodiscard]] bool next(RowView& row);

  // Where the row behind the last one of the block begins. Only for quoted_line and record.
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

// Reads the rows of one file from its beginning, as far as they are asked for.
class RowStream {
 public:
  explicit RowStream(const RowSource& source);
  // Views live until the next call.
  [[nodiscard]] bool next(RowView& row);

 private:
  bool open_next();

  RowSource source_;
  BlockRange range_;
  BlockReader reader_;
  bool opened_ = false;
};

}  // namespace sosie
