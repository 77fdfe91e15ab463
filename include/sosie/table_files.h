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

// Sizes that all readers and writers of table files use: the plugin with its own Arrow and the
// Python package with the user's pyarrow. With the same version of Arrow, both write the same bytes
// (docs/decisions/0013).
inline constexpr std::int64_t kTableBatchBytes = std::int64_t{1} << 20;  // per read, about
inline constexpr std::int64_t kRowGroupBytes = std::int64_t{1} << 26;  // maximum, even with a model
inline constexpr std::int64_t kRowGroupRows = std::int64_t{1} << 20;   // maximum, without a model
inline constexpr std::int64_t kArrowBatchRows = std::int64_t{1} << 16;  // maximum for Arrow IPC

// Number of rows to read at a time from a Parquet file whose metadata gives its size as `bytes` and
// `rows`.
[[nodiscard]] constexpr std::int64_t table_batch_rows(std::int64_t bytes,
                                                      std::int64_t rows) noexcept {
  const std::int64_t row_bytes = bytes / std::max<std::int64_t>(1, rows) + 1;
  return std::clamp<std::int64_t>(kTableBatchBytes / row_bytes, 16, 65536);
}

// Decision on some rows of a table file.
struct RowChoice {
  std::vector<std::uint8_t> keep;  // one per row: 1 to keep it, else 0
  ArrowArray added{};              // a struct with further columns of kept rows; or released
};

// Called once for each consecutive block of rows in a file, in order; fills in a decision for each
// of the `rows` rows.
using ChooseRows = std::function<void(std::uint64_t rows, RowChoice& choice)>;
using WriteBytes = std::function<void(std::string_view bytes)>;

// Writes a table file. The message of an exception it throws is shown to the user as the reason.
class TableFileWriter {
 public:
  TableFileWriter() = default;
  TableFileWriter(const TableFileWriter&) = delete;
  TableFileWriter& operator=(const TableFileWriter&) = delete;
  virtual ~TableFileWriter() = default;

  // Copies rows of the file at `path` with all their columns, which must be the columns of the
  // model.
  virtual void copy(const std::string& path, const ChooseRows& choose) = 0;
  // Appends a batch of rows (a struct) and takes ownership of it.
  virtual void append(ArrowArray* batch) = 0;
  // Writes the rest of the file; must be the last call.
  virtual void finish() = 0;
};

// Reads and writes table files in formats that the library does not implement (Parquet, Arrow IPC),
// exchanging data through the Arrow C data interface only. `format` is "parquet" or "arrow". All
// functions are thread-safe and throw a std::exception whose what() is the reason, without the
// path.
class TableFiles {
 public:
  TableFiles() = default;
  TableFiles(const TableFiles&) = delete;
  TableFiles& operator=(const TableFiles&) = delete;
  virtual ~TableFiles() = default;

  // Names of the outermost columns, in order.
  [[nodiscard]] virtual std::vector<std::string> column_names(std::string_view format,
                                                              const std::string& path) const = 0;
  // Reads the rows of these columns in batches, in the order of the file.
  virtual void read(std::string_view format, const std::string& path,
                    const std::vector<std::string>& columns, ArrowArrayStream* out) const = 0;
  // Begins a file with the columns, compression and metadata of the file at `model`, followed by
  // the columns in `added` (a struct; null: no columns), of which it takes ownership. Writes bytes
  // to `sink` in order.
  [[nodiscard]] virtual std::unique_ptr<TableFileWriter> write_like(std::string_view format,
                                                                    const std::string& model,
                                                                    ArrowSchema* added,
                                                                    WriteBytes sink) const = 0;
  // Begins a file with the columns of this struct, of which it takes ownership.
  [[nodiscard]] virtual std::unique_ptr<TableFileWriter> write(std::string_view format,
                                                               ArrowSchema* columns,
                                                               WriteBytes sink) const = 0;
};

// The plugin libsosie_arrow.so in the folder of the running program or in ../lib/sosie relative to
// it. The first call loads the plugin; if it is missing, Error{unsupported} names another way to
// read `path`.
[[nodiscard]] const TableFiles& installed_table_files(const std::string& path);

}  // namespace sosie
