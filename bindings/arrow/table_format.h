#pragma once

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/metadata.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/table_files.h"

// The common part of the formats of tables.
namespace sosie::arrow_files {

using Batch = std::shared_ptr<arrow::RecordBatch>;
using BatchReader = std::shared_ptr<arrow::RecordBatchReader>;

// Throws std::runtime_error with Arrow's message.
inline void check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

template <typename T>
T check(arrow::Result<T> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

inline arrow::MemoryPool* memory() { return arrow::system_memory_pool(); }

// Numbers of the columns with these names; all columns if there are no names.
[[nodiscard]] std::vector<int> numbers_of(const arrow::Schema& schema,
                                          const std::vector<std::string>* names);

// Properties that make a file similar to another one.
struct Manner {
  std::shared_ptr<arrow::Schema> schema;
  std::int64_t row_group_rows = kRowGroupRows;
  std::shared_ptr<parquet::FileMetaData> parquet;  // null: none, or another format
  std::string codec;                               // codec of Arrow IPC
};

// Batches to be written to a file, combined into its larger parts.
class BatchSink {
 public:
  BatchSink() = default;
  BatchSink(const BatchSink&) = delete;
  BatchSink& operator=(const BatchSink&) = delete;
  virtual ~BatchSink() = default;
  virtual void write(const arrow::Table& part) = 0;
  virtual void close() = 0;
};

using OpenSink = std::unique_ptr<BatchSink> (*)(
    const Manner& manner, const std::shared_ptr<arrow::io::OutputStream>& out);

template <typename Sink>
std::unique_ptr<BatchSink> open_sink(const Manner& manner,
                                     const std::shared_ptr<arrow::io::OutputStream>& out) {
  return std::make_unique<Sink>(manner, out);
}

// A format.
struct FileKind {
  std::string_view name;
  BatchReader (*read)(const std::string& path, const std::vector<std::string>* columns);
  Manner (*manner)(const std::string& path);
  OpenSink open;
};

[[nodiscard]] FileKind parquet_kind();
[[nodiscard]] FileKind arrow_kind();

}  // namespace sosie::arrow_files
