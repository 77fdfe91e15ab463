// Takes the end of its line off a row.
#include "corpus/rows/row_line.h"

#include "core/line_end.h"

namespace sosie {

std::string_view row_line(const Format& format, std::string_view row) {
  if (format.row_ends == RowEnds::file || format.row_ends == RowEnds::cell) return row;
  return without_line_end(row);
}

}  // namespace sosie
