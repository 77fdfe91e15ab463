#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "data/format.h"
#include "io/output_file.h"
#include "write/columnar_table.h"

namespace sosie {

// Writes a table row by row. The file appears at commit().
class TableWriter {
 public:
  // `format`: a format that supports tables (options/formats.h finds it by the path).
  // `table_files`: writes columnar formats; null: installed_table_files(). `note`: the table's note
  // (data/table_note.h), written if the format has a place for it. Throws Error{invalid_option} for
  // a columnar file whose name requests additional compression, and Error{io} as OutputFile does.
  TableWriter(const std::string& path, const Format& format, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr, const TableFiles* table_files = nullptr,
              std::string_view note = {});
  // Writes TSV to an open descriptor; control characters are escaped if it is a terminal.
  TableWriter(int descriptor, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr);

  // Writes a row with one cell per column.
  void row(std::span<const Cell> cells);
  void row(std::initializer_list<Cell> cells) { row({cells.begin(), cells.size()}); }
  // Writes `count` rows, produced by all threads of the pool. each(i, put) must call put(cells)
  // once.
  using PutRow = std::function<void(std::span<const Cell> cells)>;
  void rows(std::size_t count, ThreadPool& pool,
            const std::function<void(std::size_t row, const PutRow& put)>& each);
  // From now on, discards output to a closed pipe (io/output_file.h).
  void outlive_reader() noexcept { file_->outlive_reader(); }
  // Flushes as OutputFile does. Rows buffered for a columnar format are not flushed.
  void flush();
  void finish();
  void commit();

 private:
  const RowWriter* writer_;  // null: columnar
  std::vector<std::string> columns_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<ColumnarTable> columnar_;  // null unless the format is columnar
  std::string line_;
};

}  // namespace sosie
