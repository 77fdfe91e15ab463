#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/record.h"

namespace sosie {

// Turns the bytes of one row into a record. One parser serves one thread.
class RowParser {
 public:
  RowParser() = default;
  RowParser(const RowParser&) = delete;
  RowParser& operator=(const RowParser&) = delete;
  virtual ~RowParser() = default;

  // `row` comes without its line end and has kPadding readable bytes after it (of any content).
  // Throws Error{malformed_input} with the reason only; the caller knows the place.
  virtual void parse(std::string_view row, Record& out) = 0;
};

// A row of the table of input formats (read/formats.cc).
struct Format {
  std::string_view name;                       // what --format calls it
  std::array<std::string_view, 2> extensions;  // with the dot; the second may be empty
  bool has_fields;                             // rows have named fields
  bool blank_lines_are_rows;
  std::unique_ptr<RowParser> (*make_parser)(const FieldRequest& request);
  // The names of a row's fields in order; empty when the row cannot be read.
  std::vector<std::string> (*field_names)(std::string_view row);
};

}  // namespace sosie
