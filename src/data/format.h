#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns.h"
#include "data/kinds.h"
#include "data/record.h"
#include "data/row_writer.h"
#include "sosie/error.h"

namespace sosie {

// Parses the bytes of a row into a record. Not thread-safe.
class RowParser {
 public:
  RowParser() = default;
  RowParser(const RowParser&) = delete;
  RowParser& operator=(const RowParser&) = delete;
  virtual ~RowParser() = default;

  // `row`: the row without its line end, followed by kPadding readable bytes of any content. Throws
  // RowError with only the reason, because the caller knows the place.
  virtual void parse(std::string_view row, Record& out) = 0;
};

// The error for a row that cannot be read. `offset`: position of the fault in the row, for rows
// that span many lines.
class RowError : public Error {
 public:
  explicit RowError(const std::string& reason, std::size_t offset = 0)
      : Error(ErrorKind::malformed_input, reason), offset_(offset) {}
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }

 private:
  std::size_t offset_;
};

class File;

// The rule that determines where a row ends.
enum class RowEnds : std::uint8_t {
  line,         // at the next line feed
  quoted_line,  // at the next line feed outside quotes
  file,         // at the end of the file: each file is one row
  record,       // after its content, whose length is in its headers: a WARC record
  cell,         // at the end of a cell of a table in memory
};

// Position of the rows in a vector file: consecutive rows that begin at `begin` or, if numbers are
// stored column by column, columns.
struct VectorRows {
  std::uint64_t begin = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t by_columns = 0;  // bytes per component of such a file; 0: row by row
};

// A row of the table of formats (options/formats.h), which defines how files are read and written.
struct Format {
  std::string_view name;                       // name for --format and TableFiles
  std::array<std::string_view, 2> extensions;  // with the dot; either may be empty
  std::string_view looked_into = {};           // extension of files that may have it; may be empty
  KindBit kind = kTextItems;                   // kind of its rows if --kind is not given
  std::string_view row_words = {};             // Markdown that defines a row and an item
  std::string_view item_words = {};
  RowEnds row_ends = RowEnds::line;
  Dialect dialect = {};          // for quoted_line
  bool has_dialects = false;     // the dialect is detected unless options give it
  std::uint64_t skip_lines = 0;  // lines before the header
  bool has_fields = false;       // rows have named fields
  bool only_read = false;        // has fields, but is not used to write tables
  bool has_header = false;       // the first row of each file holds the field names
  bool numbers_columns = false;  // the fields are named 1, 2, ...: --no-header
  bool columnar = false;         // TableFiles reads and writes it; its rows become lines of JSON
  bool declares_bits = false;    // a line above the rows may declare their size: #num_bits=N
  bool (*is_blank)(std::string_view row) = nullptr;  // such lines are not rows; null: all are rows
  // `header`: names of the fields for formats with a header; otherwise, empty.
  std::unique_ptr<RowParser> (*make_parser)(const FieldRequest& request,
                                            std::span<const std::string> header) = nullptr;
  // The names of a row's fields, in order: for a header, the names in it; for a row with numbered
  // columns, its values. Empty if the row cannot be read.
  std::vector<std::string> (*field_names)(std::string_view row, Dialect dialect) = nullptr;
  // The bytes of a field's value in a row, including quotes; if a name is repeated, the field that
  // is read. Empty if there is no value. Null for formats whose rows are not edited.
  std::string_view (*written_value)(std::string_view row, std::string_view name,
                                    std::span<const std::string> header, Dialect dialect) = nullptr;
  // For vector files, which have no rows of text; a vector format sets only these functions.
  // `spare`: number of additional components for which to reserve memory.
  VectorColumn (*read_vectors)(const File& file, std::size_t spare) = nullptr;
  VectorRows (*vector_rows)(const File& file) = nullptr;
  KindBit (*kind_of)(const File& file) = nullptr;  // kind of this file; null: `kind`
  // Header for a file of `rows` vectors of the same kind as this file; null: no header.
  std::string (*vector_header)(const File& file, std::uint64_t rows) = nullptr;
  // Writes tables and adds fields to kept rows; null if this is not supported or the format is
  // columnar.
  const RowWriter* writer = nullptr;

  // True if each file is a single row, a document.
  [[nodiscard]] bool is_document() const noexcept {
    return row_ends == RowEnds::file && read_vectors == nullptr;
  }
  // True if all rows of a file have the same fields, which are named in its FileHeader.
  [[nodiscard]] bool has_columns() const noexcept { return has_header || numbers_columns; }
  // True if tables (pairs, clusters) can be written and read in this format.
  [[nodiscard]] constexpr bool has_tables() const noexcept { return has_fields && !only_read; }
};

}  // namespace sosie
