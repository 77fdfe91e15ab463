#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.h"
#include "sosie/table_files.h"
#include "write/cell_columns.h"

namespace sosie {

// Lets TableFiles write into an output file, whose errors come back as they were thrown.
class ColumnarOutput {
 public:
  // `name`: what messages call what is written. The file must outlive this.
  ColumnarOutput(OutputFile& file, std::string name);
  ColumnarOutput(const ColumnarOutput&) = delete;
  ColumnarOutput& operator=(const ColumnarOutput&) = delete;
  ~ColumnarOutput();

  // Where the bytes go. It may be called after this is gone (a writer that is let go of may want to
  // write its end), and then only throws.
  [[nodiscard]] WriteBytes sink();
  // Runs a step of the writer. Throws what the output file, or a function under guard(), threw;
  // else Error{io} with the writer's reason.
  void step(const std::function<void()>& work);
  // Calls `work` from within a step, in the middle of the writer's own code.
  void guard(const std::function<void()>& work);

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::string name_;
};

// Writes rows of cells into a columnar file, many at a time.
class ColumnarTable {
 public:
  ColumnarTable(const TableFiles& files, std::string_view format,
                const std::vector<std::string>& columns, OutputFile& file, const std::string& name);

  // Sets the note in the table's metadata; call it before the first row.
  void set_note(std::string_view note);
  void row(std::span<const Cell> cells);
  void finish();

 private:
  void flush();

  std::string metadata_;  // metadata in ArrowSchema's form; empty: none
  const TableFiles& files_;
  std::string_view format_;
  ColumnarOutput output_;
  CellColumns columns_;
  std::unique_ptr<TableFileWriter> writer_;  // from the first flush on, which knows the types
};

}  // namespace sosie
