#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/arrow_c_data.h"

namespace sosie {

// Sizes that all who read and write files of tables keep: the plugin with an Arrow of its own, the
// Python package with the user's pyarrow. With equal Arrows they write equal bytes
// (docs/decisions/0013).
inline constexpr std::int64_t kTableBatchBytes = std::int64_t{1} << 20;  // about so much is read
inline constexpr std::int64_t kRowGroupBytes = std::int64_t{1}
                                               << 26;  // at most, whatever a model has
inline constexpr std::int64_t kRowGroupRows = std::int64_t{1} << 20;    // at most, without a model
inline constexpr std::int64_t kArrowBatchRows = std::int64_t{1} << 16;  // at most, of Arrow IPC

// Rows to read at a time from a Parquet file that says it has `bytes` and `rows`, true or not.
[[nodiscard]] constexpr std::int64_t table_batch_rows(std::int64_t bytes,
                                                      std::int64_t rows) noexcept {
  const std::int64_t row_bytes = bytes / std::max<std::int64_t>(1, rows) + 1;
  return std::clamp<std::int64_t>(kTableBatchBytes / row_bytes, 16, 65536);
}

// What is to become of some rows of a table's file.
struct RowChoice {
  std::vector<std::uint8_t> keep;  // one a row: 1 for those that stay, else 0
  ArrowArray added{};              // a struct: further columns of those that stay; or released
};

// Asked once for each stretch of a file's rows, in their order: fills in as many as `rows`.
using ChooseRows = std::function<void(std::uint64_t rows, RowChoice& choice)>;
using WriteBytes = std::function<void(std::string_view bytes)>;

// A file of a table that is being written. What it throws is told to the user as the reason.
class TableFileWriter {
 public:
  TableFileWriter() = default;
  TableFileWriter(const TableFileWriter&) = delete;
  TableFileWriter& operator=(const TableFileWriter&) = delete;
  virtual ~TableFileWriter() = default;

  // Copies rows of the file at `path`, with all their columns. Its columns must be those of the
  // model.
  virtual void copy(const std::string& path, const ChooseRows& choose) = 0;
  // Takes over a batch of rows (a struct).
  virtual void append(ArrowArray* batch) = 0;
  // Writes what is left; nothing may follow.
  virtual void finish() = 0;
};

// Reads and writes files of tables in formats that the library itself does not know (Parquet, Arrow
// IPC): it only knows the Arrow C data interface. `format` is "parquet" or "arrow". All functions
// may be called from many threads at once and throw a std::exception whose what() is the reason,
// without the path.
class TableFiles {
 public:
  TableFiles() = default;
  TableFiles(const TableFiles&) = delete;
  TableFiles& operator=(const TableFiles&) = delete;
  virtual ~TableFiles() = default;

  // Of the outermost columns, in order.
  [[nodiscard]] virtual std::vector<std::string> column_names(std::string_view format,
                                                              const std::string& path) const = 0;
  // Hands out the rows of these columns, in the file's order, some at a time.
  virtual void read(std::string_view format, const std::string& path,
                    const std::vector<std::string>& columns, ArrowArrayStream* out) const = 0;
  // Begins a file with the columns, compression and metadata of the one at `model`, and behind them
  // the columns `added` (a struct, taken over; null: none). Its bytes go to `sink`, in order.
  [[nodiscard]] virtual std::unique_ptr<TableFileWriter> write_like(std::string_view format,
                                                                    const std::string& model,
                                                                    ArrowSchema* added,
                                                                    WriteBytes sink) const = 0;
  // Begins a file with these columns (a struct, taken over).
  [[nodiscard]] virtual std::unique_ptr<TableFileWriter> write(std::string_view format,
                                                               ArrowSchema* columns,
                                                               WriteBytes sink) const = 0;
};

// Those of the plugin libsosie_arrow.so, which lies beside the running program or in
// ../lib/sosie from it; loaded when it is first asked for. Throws Error{unsupported} naming what
// reads `path` where there is no such plugin.
[[nodiscard]] const TableFiles& installed_table_files(const std::string& path);

}  // namespace sosie
