// Takes the end of its line off a row.
#include "corpus/row_line.h"

namespace sosie {

std::string_view without_line_end(const Format& format, std::string_view row) {
  if (format.row_ends == RowEnds::file || format.row_ends == RowEnds::cell) return row;
  if (row.ends_with('\n')) row.remove_suffix(1);
  if (row.ends_with('\r')) row.remove_suffix(1);
  return row;
}

}  // namespace sosie
