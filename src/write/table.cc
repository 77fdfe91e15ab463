// Tables of cells: text lines written by a RowWriter, or columnar files written by TableFiles.
#include "write/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/table_note.h"
#include "io/compression.h"
#include "sosie/error.h"
#include "write/row_writers.h"

namespace sosie {

TableWriter::TableWriter(const std::string& path, const Format& format,
                         std::vector<std::string> columns, const std::atomic<bool>* cancel,
                         const TableFiles* table_files, std::string_view note)
    : writer_(format.writer), columns_(std::move(columns)) {
  if (format.columnar && without_compression_extension(path).size() < path.size()) {
    throw Error(ErrorKind::invalid_option,
                path + ": files of this format are compressed internally: drop the last extension");
  }
  file_ = std::make_unique<OutputFile>(path, cancel);
  if (format.columnar) {
    file_->refuse_terminal(format.name);
    const TableFiles& files = table_files ? *table_files : installed_table_files(path);
    columnar_ = std::make_unique<ColumnarTable>(files, format.name, columns_, *file_, path);
    columnar_->set_note(note);
    return;
  }
  if (writer_->takes_note_line && !note.empty()) {
    line_ = fmt::format("{}{}\n", kTableNoteMark, note);
  }
  writer_->header(line_, columns_);
  file_->write(line_);
}

TableWriter::TableWriter(int descriptor, std::vector<std::string> columns,
                         const std::atomic<bool>* cancel)
    : writer_(&kTsvRowWriter),
      columns_(std::move(columns)),
      file_(std::make_unique<OutputFile>(descriptor, "<stdout>", cancel)) {
  if (file_->is_terminal()) writer_ = &kTerminalTsvRowWriter;
  writer_->header(line_, columns_);
  file_->write(line_);
}

void TableWriter::row(std::span<const Cell> cells) {
  if (columnar_) {
    columnar_->row(cells);
    return;
  }
  line_.clear();
  writer_->row(line_, columns_, cells);
  file_->write(line_);
}

void TableWriter::rows(std::size_t count, ThreadPool& pool,
                       const std::function<void(std::size_t row, const PutRow& put)>& each) {
  constexpr std::size_t kRowsOfPart = 64;
  if (columnar_ || pool.size() == 1) {
    const PutRow put = [this](std::span<const Cell> cells) { row(cells); };
    for (std::size_t i = 0; i < count; ++i) each(i, put);
    return;
  }
  std::vector<std::string> parts(std::size_t{4} * pool.size());
  for (std::size_t first = 0; first < count; first += parts.size() * kRowsOfPart) {
    pool.for_each(parts.size(), [&](unsigned, std::size_t part) {
      parts[part].clear();
      const PutRow put = [&](std::span<const Cell> cells) {
        writer_->row(parts[part], columns_, cells);
      };
      const std::size_t begin = first + part * kRowsOfPart;
      for (std::size_t i = begin; i < std::min(count, begin + kRowsOfPart); ++i) each(i, put);
    });
    for (const std::string& lines : parts) file_->write(lines);
  }
}

void TableWriter::flush() { file_->flush(); }

void TableWriter::finish() {
  if (columnar_) columnar_->finish();
  file_->finish();
}

void TableWriter::commit() { file_->commit(); }

}  // namespace sosie
