// Writes rows that were skipped or passed through, with the reason.
#include "corpus/rows/rejects.h"

namespace sosie {

const std::vector<std::string>& reject_columns() {
  static const std::vector<std::string> columns = {"file", "line", "reason", "row"};
  return columns;
}

void write_rejects(const Inputs& inputs, const Corpus& corpus, TableWriter& out) {
  LineCounter lines(inputs);
  std::string bytes;
  auto damaged = inputs.damaged.begin();
  const auto write_damaged_before = [&](std::uint32_t file) {
    for (; damaged != inputs.damaged.end() && damaged->file < file; ++damaged) {
      const bool is_read = !damaged->left_out;
      const std::uint64_t line =
          is_read ? lines.line_of(damaged->file, inputs.files[damaged->file].size()) : 1;
      out.row({damaged->name, line, damaged->reason, ""});
    }
  };
  corpus.for_each_bad_row([&](const BadRow& bad) {
    write_damaged_before(bad.row.file);
    if (const auto place = vector_row_of(inputs, bad.row)) {
      out.row({inputs.list[bad.row.file].name, *place + 1, bad.reason, ""});
      return;
    }
    bytes.resize(bad.row.length);
    inputs.files[bad.row.file].read_at(bad.row.offset, bytes.data(), bytes.size());
    std::string_view row = bytes;
    if (row.ends_with('\n')) row.remove_suffix(1);
    if (row.ends_with('\r')) row.remove_suffix(1);
    const TableColumns* table = inputs.table_of(bad.row.file);
    const std::uint64_t line = table != nullptr ? table->row_of_byte(bad.trouble)
                                                : lines.line_of(bad.row.file, bad.trouble);
    out.row({inputs.list[bad.row.file].name, line, bad.reason, row});
  });
  write_damaged_before(~std::uint32_t{0});
}

}  // namespace sosie
