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

// Writes a table, a row at a time. The file appears at commit().
class TableWriter {
 public:
  // `format`: one that writes tables (options/formats.h finds it by the path). Throws
  // Error{invalid_option} for a columnar file under a name that packs it once more, Error{io} as
  // OutputFile does.
  // `table_files`: who writes columnar formats; null: installed_table_files(). `note`: what the
  // table says of itself (data/table_note.h), where the format has a place for it.
  TableWriter(const std::string& path, const Format& format, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr, const TableFiles* table_files = nullptr,
              std::string_view note = {});
  // TSV to an open descriptor; on a terminal what could steer it is written out.
  TableWriter(int descriptor, std::vector<std::string> columns,
              const std::atomic<bool>* cancel = nullptr);

  // Writes a row: one cell for each column.
  void row(std::span<const Cell> cells);
  void row(std::initializer_list<Cell> cells) { row({cells.begin(), cells.size()}); }
  // Writes `count` rows, which all threads of the pool make: each(i, put) calls put(cells) once.
  using PutRow = std::function<void(std::span<const Cell> cells)>;
  void rows(std::size_t count, ThreadPool& pool,
            const std::function<void(std::size_t row, const PutRow& put)>& each);
  // Drops what a reader that has gone does not take (io/output_file.h).
  void outlive_reader() noexcept { file_->outlive_reader(); }
  // Flushes like OutputFile (io/output_file.h). Rows that a columnar format holds back are not
  // flushed.
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
