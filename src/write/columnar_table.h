#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/row_writer.h"
#include "io/output_file.h"
#include "sosie/arrow_c_data.h"
#include "sosie/table_files.h"

namespace sosie {

// Rows of cells as columns of the Arrow C data interface. The first value of a column determines
// its type: text (64-bit offsets), 64-bit integer, double or boolean. In a column that does not
// contain texts, an empty text is a null.
class CellColumns {
 public:
  explicit CellColumns(const std::vector<std::string>& names);

  // Adds a value to the column with this number. Throws Error{unsupported} if its type differs from
  // the type that schema() declared. Before schema(), a column of integers becomes a column of
  // texts if necessary.
  void add(std::size_t number, const Cell& cell);
  void add_null(std::size_t number);

  // Number of rows added since take(). All columns must have the same length.
  [[nodiscard]] std::uint64_t rows() const noexcept { return columns_.front().length; }
  // Approximate memory of the columns.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  // The columns as a struct; fixes their types. Columns that contain only nulls become text
  // columns.
  void schema(ArrowSchema* out);
  // The rows, as a struct owned by the caller.
  void take(ArrowArray* out);

 private:
  enum class Type : std::uint8_t { unknown, text, integer, number, flag };
  struct Column {
    std::string name;
    Type type = Type::unknown;
    std::uint64_t length = 0;
    std::uint64_t nulls = 0;
    std::vector<std::uint8_t> validity;  // bits
    std::vector<std::int64_t> integers;  // or the end offsets of texts
    std::vector<double> numbers;
    std::vector<std::uint8_t> flags;  // bits
    std::string texts;
  };
  struct Batch;

  static Type type_of(const Cell& cell) noexcept;
  static void push(Column& column, bool valid);
  static void integers_to_texts(Column& column);
  void settle(Column& column, Type type) const;

  std::vector<Column> columns_;
  bool settled_ = false;
};

// Lets TableFiles write to an output file, whose exceptions are rethrown unchanged.
class ColumnarOutput {
 public:
  // `name`: the output's name in messages. The file must outlive this object.
  ColumnarOutput(OutputFile& file, std::string name);
  ColumnarOutput(const ColumnarOutput&) = delete;
  ColumnarOutput& operator=(const ColumnarOutput&) = delete;
  ~ColumnarOutput();

  // The destination of the bytes. A writer may write its footer when it is destroyed, so the sink
  // may be called after this object's end; it then only throws.
  [[nodiscard]] WriteBytes sink();
  // Runs a step of the writer. Exceptions of the output file, or of a function under guard(), are
  // rethrown; for any other exception, throws Error{io} with the writer's reason.
  void step(const std::function<void()>& work);
  // Calls `work` on behalf of the writer's own code, during a step.
  void guard(const std::function<void()>& work);

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::string name_;
};

// Writes rows of cells to a columnar file in large batches.
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
  std::unique_ptr<TableFileWriter> writer_;  // created by the first flush, which knows the types
};

}  // namespace sosie
