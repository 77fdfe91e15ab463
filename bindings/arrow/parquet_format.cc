// Parquet, by libparquet.
#include <arrow/io/file.h>
#include <arrow/util/config.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <numeric>

#include "table_format.h"

namespace sosie::arrow_files {
namespace {

std::unique_ptr<parquet::arrow::FileReader> open_parquet(const std::string& path,
                                                         std::int64_t batch_rows = 1) {
  parquet::ReaderProperties properties(memory());
  properties.enable_buffered_stream();  // pages one after another, not a whole row group
  parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
  arrow_properties.set_batch_size(batch_rows);
  arrow_properties.set_pre_buffer(false);
#if ARROW_VERSION_MAJOR >= 21
  arrow_properties.set_arrow_extensions_enabled(true);  // UUID and JSON are written as such, too
#endif
  auto file = check(arrow::io::ReadableFile::Open(path, memory()));
  parquet::arrow::FileReaderBuilder builder;
  check(builder.Open(std::move(file), properties));
  builder.memory_pool(memory())->properties(arrow_properties);
  return check(builder.Build());
}

std::shared_ptr<arrow::Schema> schema_of(parquet::arrow::FileReader& reader) {
  std::shared_ptr<arrow::Schema> schema;
  check(reader.GetSchema(&schema));
  return schema;
}

std::int64_t batch_rows_of(const parquet::FileMetaData& metadata) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;  // whatever the file says
  std::int64_t bytes = 0;
  for (int i = 0; i < metadata.num_row_groups() && bytes < kMostBytes; ++i) {
    bytes += std::clamp<std::int64_t>(metadata.RowGroup(i)->total_byte_size(), 0, kMostBytes);
  }
  return table_batch_rows(bytes, metadata.num_rows());
}

// Keeps the file open while its rows are read.
class ParquetBatches final : public arrow::RecordBatchReader {
 public:
  ParquetBatches(const std::string& path, const std::vector<std::string>* columns) {
    const auto metadata = open_parquet(path)->parquet_reader()->metadata();
    reader_ = open_parquet(path, batch_rows_of(*metadata));
    std::vector<int> groups(static_cast<std::size_t>(reader_->num_row_groups()));
    std::iota(groups.begin(), groups.end(), 0);
    const std::vector<int> outer = numbers_of(*schema_of(*reader_), columns);
    batches_ = check(reader_->GetRecordBatchReader(groups, leaves_of(outer)));
  }

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override {
    return batches_->schema();
  }
  arrow::Status ReadNext(Batch* batch) override { return batches_->ReadNext(batch); }

 private:
  // Parquet numbers the leaves of nested columns.
  [[nodiscard]] std::vector<int> leaves_of(const std::vector<int>& outer) const {
    const auto& schema = *reader_->parquet_reader()->metadata()->schema();
    std::vector<int> leaves;
    for (int i = 0; i < schema.num_columns(); ++i) {
      const int root = schema.group_node()->FieldIndex(*schema.GetColumnRoot(i));
      if (std::find(outer.begin(), outer.end(), root) != outer.end()) leaves.push_back(i);
    }
    return leaves;
  }

  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
};

BatchReader read_parquet(const std::string& path, const std::vector<std::string>* columns) {
  return std::make_shared<ParquetBatches>(path, columns);
}

Manner manner_of_parquet(const std::string& path) {
  const auto reader = open_parquet(path);
  Manner manner{schema_of(*reader), 1, reader->parquet_reader()->metadata(), {}};
  for (int i = 0; i < manner.parquet->num_row_groups(); ++i) {
    manner.row_group_rows =
        std::max(manner.row_group_rows, manner.parquet->RowGroup(i)->num_rows());
  }
  return manner;
}

std::shared_ptr<parquet::WriterProperties> properties_like(const parquet::FileMetaData* model) {
  parquet::WriterProperties::Builder properties;
  properties.memory_pool(memory())->compression(parquet::Compression::SNAPPY);
  properties.enable_write_page_index();  // whatever this Arrow's default is
  if (model == nullptr || model->num_row_groups() == 0) return properties.build();
  const auto group = model->RowGroup(0);
  for (int i = 0; i < group->num_columns(); ++i) {
    const auto column = group->ColumnChunk(i);
    properties.compression(column->path_in_schema(), column->compression());
  }
  return properties.build();
}

class ParquetSink final : public BatchSink {
 public:
  ParquetSink(const Manner& manner, const std::shared_ptr<arrow::io::OutputStream>& out)
      : writer_(check(parquet::arrow::FileWriter::Open(
            *manner.schema, memory(), out, properties_like(manner.parquet.get()),
            parquet::ArrowWriterProperties::Builder().store_schema()->build()))) {}

  void write(const arrow::Table& part) override {
    check(writer_->WriteTable(part, std::max<std::int64_t>(1, part.num_rows())));
  }
  void close() override { check(writer_->Close()); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

}  // namespace

FileKind parquet_kind() {
  return {"parquet", read_parquet, manner_of_parquet, open_sink<ParquetSink>};
}

}  // namespace sosie::arrow_files
