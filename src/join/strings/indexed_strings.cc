// Strings of an index: laid out once, and searched by code points.
#include "join/strings/indexed_strings.h"

#include <utility>

namespace sosie {

void CodePointRows::add(std::span<const char32_t> code_points, bool is_null_row) {
  points.insert(points.end(), code_points.begin(), code_points.end());
  starts.push_back(points.size());
  is_null.push_back(is_null_row);
  ++rows;
}

CodePointRows code_point_rows(const StringItems& items) {
  CodePointRows out;
  auto next_null = items.left_out.begin();
  for (std::size_t row = 0; row < items.column.rows(); ++row) {
    const bool is_null = next_null != items.left_out.end() && *next_null == row;
    if (is_null) ++next_null;
    out.add(code_points_of(items.column, items.symbols, row), is_null);
  }
  return out;
}

IndexedStrings::IndexedStrings(const CodePointRows& rows, const StringSearch& search)
    : column_(column_of(rows)),
      searched_(column_, {0, static_cast<RowId>(column_.rows())}, search) {}

StringColumn IndexedStrings::column_of(const CodePointRows& rows) {
  StringColumn column;
  column.alphabet = symbols_.size();
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (rows.is_null[row]) continue;
    append_string(rows.row(row), symbols_, column);
    row_of_.push_back(row);
  }
  return column;
}

std::uint64_t IndexedStrings::find(const CodePointRows& asked, std::uint64_t most, ThreadPool& pool,
                                   std::vector<NearPairs>& found) const {
  // Code points that these strings lack share one symbol.
  StringColumn column;
  column.width = column_.width;
  column.alphabet = column_.alphabet;
  for (std::size_t row = 0; row < asked.rows; ++row) {
    append_known(asked.row(row), symbols_, column);
  }
  const std::uint64_t checked = searched_.find(column, most, pool, found);
  for (std::size_t row = 0; row < asked.rows; ++row) {
    if (asked.is_null[row]) found[row].clear();
    for (NearPair& pair : found[row]) pair.right = static_cast<RowId>(row_of_[pair.right]);
  }
  return checked;
}

}  // namespace sosie
