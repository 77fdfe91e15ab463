#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.h"
#include "write/cell.h"
#include "write/columnar_table.h"

namespace sosie {

// A row of the table of output formats (write/table.cc).
struct TableFormat {
  std::string_view extension;  // with the dot
  std::string_view columnar;   // as TableFiles calls the format, which then has no functions here
  bool takes_note_line;        // before the header (data/table_note.h)
  void (*header)(std::string& out, std::span<const std::string> columns);
  void (*row)(std::string& out, std::span<const std::string> columns, std::span<const Cell> cells);
};

[[nodiscard]] std::span<const TableFormat> table_formats() noexcept;

// By a path's extension (that of a compression may stand behind it); nullptr when there is none.
[[nodiscard]] const TableFormat* table_format_for(std::string_view path) noexcept;

// Writes a table, a row at a time. The file appears at commit().
class TableWriter {
 public:
  // Throws Error{invalid_option} for an extension no format has, Error{io} as OutputFile does.
  // `table_files`: who writes columnar formats; null: installed_table_files(). `note`: what the
  // table says of itself (data/table_note.h), where the format has a place for it.
  TableWriter(const std::string& path, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr, const TableFiles* table_files = nullptr,
              std::string_view note = {});
  // TSV to an open descriptor; on a terminal what could steer it is written out.
  TableWriter(int descriptor, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr);

  // As many cells as columns.
  void row(std::span<const Cell> cells);
  void row(std::initializer_list<Cell> cells) { row({cells.begin(), cells.size()}); }
  // As of an OutputFile (io/output_file.h). What a columnar format holds is not flushed.
  void flush();
  void finish();
  void commit();

 private:
  const TableFormat* format_;
  std::vector<std::string> columns_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<ColumnarTable> columnar_;  // of columnar formats only
  std::string line_;
};

}  // namespace sosie
