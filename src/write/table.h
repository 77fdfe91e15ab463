#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/output_file.h"

namespace sosie {

// A number written with 6 decimals.
struct Decimal {
  double value;
};

// A row's id: in JSON it has the type it has in the input.
struct IdText {
  std::string_view text;
  bool is_integer = false;
};

// One value of a table row.
using Cell = std::variant<std::string_view, std::uint64_t, Decimal, bool, IdText>;

// A row of the table of output formats (write/table_formats.cc).
struct TableFormat {
  std::string_view extension;  // with the dot
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
  TableWriter(const std::string& path, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr);
  // TSV to an open descriptor.
  TableWriter(int descriptor, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr);

  // As many cells as columns.
  void row(std::span<const Cell> cells);
  void row(std::initializer_list<Cell> cells) { row({cells.begin(), cells.size()}); }
  // As of an OutputFile (io/output_file.h).
  void finish();
  void commit();

 private:
  const TableFormat* format_;
  std::vector<std::string> columns_;
  std::unique_ptr<OutputFile> file_;
  std::string line_;
};

}  // namespace sosie
