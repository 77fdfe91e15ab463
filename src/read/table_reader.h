#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/format.h"
#include "io/file.h"
#include "read/row_limit.h"

namespace sosie {

using TableCells = std::vector<std::string>;

// Reads a table in the form that write/table.h writes, one record at a time. Blank lines are not
// records. CRLF, a byte order mark and a note before the header are accepted.
class TableReader {
 public:
  // `path`: used in messages. `format`: a format with tables (options/formats.h finds it by the
  // path); for columnar formats, the rows must be lines of JSON. Throws Error{malformed_input} for
  // a broken header. An empty file has no columns. A record longer than 1/256 of `memory_bytes`
  // (unless this is 0) throws Error{limit_exceeded}, because each cell is a separate string and a
  // record takes many times its length.
  TableReader(const File& file, const std::string& path, const Format& format,
              std::uint64_t memory_bytes = 0);

  [[nodiscard]] const TableCells& columns() const noexcept { return columns_; }
  // Note of the table (data/table_note.h); empty: none.
  [[nodiscard]] const std::string& note() const noexcept { return note_; }
  [[nodiscard]] bool has_column(std::string_view name) const noexcept;
  // The position of the column with this name. If there is none, throws Error{malformed_input} with
  // the existing names.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  // Reads the next record into cells(), one cell per column. Returns false at the end. Throws
  // Error{malformed_input} and Error{limit_exceeded}.
  [[nodiscard]] bool next();
  [[nodiscard]] const TableCells& cells() const noexcept { return cells_; }

  // "pairs.tsv:17": the line on which the record began.
  [[nodiscard]] std::string place() const;

 private:
  // `had`: number of bytes of the record that precede this line.
  bool next_line(std::string& line, std::size_t had);
  bool next_record();
  [[nodiscard]] std::uint64_t position() const noexcept {
    return read_end_ - (buffer_.size() - at_);
  }
  [[noreturn]] void refuse_record();
  void split(const TableCells& columns, TableCells& out);

  const File& file_;
  std::string name_;
  const Format& format_;
  RowLimit limit_;
  std::string buffer_;
  std::size_t at_ = 0;            // next line's start in buffer_
  std::uint64_t read_end_ = 0;    // end of buffer_ in the file
  std::uint64_t lines_ = 0;       // read so far
  std::uint64_t first_line_ = 0;  // first line of the record, from 1
  std::string record_;
  std::uint64_t record_begin_ = 0;  // in the file
  bool unread_ = false;             // record_ has not been returned yet
  std::string note_;
  TableCells columns_;
  TableCells cells_;
};

}  // namespace sosie
