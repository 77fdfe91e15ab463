// Counts the lines of bad rows.
#include "corpus/bad_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "corpus/ill_formed.h"

namespace sosie {

std::uint64_t lines_of_row(std::string_view row) noexcept {
  if (row.ends_with('\n')) row.remove_suffix(1);
  return 1 + static_cast<std::uint64_t>(std::count(row.begin(), row.end(), '\n'));
}

std::uint64_t lines_of_bad_rows(const Inputs& inputs, std::span<const BadRow> rows,
                                bool with_ill_formed) {
  std::uint64_t lines = 0;
  std::string bytes;
  for (const BadRow& bad : rows) {
    if (!with_ill_formed && is_ill_formed(bad)) continue;
    if (inputs.list[bad.row.file].format->row_ends == RowEnds::quoted_line) {
      bytes.resize(bad.row.length);
      inputs.files[bad.row.file].read_at(bad.row.offset, bytes.data(), bytes.size());
    } else {
      bytes.clear();
    }
    lines += lines_of_row(bytes);
  }
  return lines;
}

std::string bad_rows_text(std::span<const BlockFacts> facts) {
  std::uint64_t rows = 0;
  std::uint64_t lines = 0;
  for (const BlockFacts& block : facts) {
    rows += block.skipped + block.unmatched;
    lines += block.bad_lines;
  }
  if (rows == 0) return {};
  return fmt::format(", {}{}", plural_text(rows, "bad row left out", "bad rows left out"),
                     bad_lines_text(rows, lines));
}

}  // namespace sosie
