// Files of tables by libarrow and libparquet, as sosie/table_files.h asks for them. Everything runs
// in the caller's thread: the library has its own.
#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/util/byte_size.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "arrow_ipc_codec.h"
#include "sosie/table_files.h"

namespace sosie::arrow_files {
namespace {

void check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

template <typename T>
T check(arrow::Result<T> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

arrow::MemoryPool* memory() { return arrow::system_memory_pool(); }

using Batch = std::shared_ptr<arrow::RecordBatch>;
using BatchReader = std::shared_ptr<arrow::RecordBatchReader>;

// The columns of these names, by their numbers. All of them without names.
std::vector<int> numbers_of(const arrow::Schema& schema, const std::vector<std::string>* names) {
  std::vector<int> numbers;
  for (int i = 0; i < schema.num_fields(); ++i) {
    const std::string& name = schema.field(i)->name();
    if (names == nullptr || std::find(names->begin(), names->end(), name) != names->end()) {
      numbers.push_back(i);
    }
  }
  return numbers;
}

// Properties that make a file look like another one.
struct Manner {
  std::shared_ptr<arrow::Schema> schema;
  std::int64_t row_group_rows = kRowGroupRows;
  std::shared_ptr<parquet::FileMetaData> parquet;  // null: none, or another format
  std::string codec;                               // codec of Arrow IPC
};

// Parquet.

std::unique_ptr<parquet::arrow::FileReader> open_parquet(const std::string& path,
                                                         std::int64_t batch_rows = 1) {
  parquet::ReaderProperties properties(memory());
  properties.enable_buffered_stream();  // pages one after another, not a whole row group
  parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
  arrow_properties.set_batch_size(batch_rows);
  arrow_properties.set_pre_buffer(false);
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

// Batches on their way to a file, gathered into the larger parts that it consists of.
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

// Arrow IPC: files, and streams too.

arrow::ipc::IpcReadOptions ipc_options() {
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.memory_pool = memory();
  options.use_threads = false;
  return options;
}

// The batches of a file that can be read by position.
class IpcBatches final : public arrow::RecordBatchReader {
 public:
  explicit IpcBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader)
      : reader_(std::move(reader)) {}

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return reader_->schema(); }
  arrow::Status ReadNext(Batch* batch) override {
    batch->reset();
    if (next_ == reader_->num_record_batches()) return arrow::Status::OK();
    return reader_->ReadRecordBatch(next_++).Value(batch);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
  int next_ = 0;
};

BatchReader open_ipc(const std::string& path, const arrow::ipc::IpcReadOptions& options) {
  auto file = check(arrow::io::ReadableFile::Open(path, memory()));
  const auto magic = check(file->ReadAt(0, 6));
  if (magic->ToString() == "ARROW1") {
    return std::make_shared<IpcBatches>(
        check(arrow::ipc::RecordBatchFileReader::Open(std::move(file), options)));
  }
  check(file->Seek(0));
  return check(arrow::ipc::RecordBatchStreamReader::Open(std::move(file), options));
}

// Texts are read whatever their bytes are, so these are not looked at.
std::shared_ptr<arrow::Array> as_bytes(const std::shared_ptr<arrow::Array>& column) {
  switch (column->type_id()) {
    case arrow::Type::STRING:
      return check(column->View(arrow::binary()));
    case arrow::Type::LARGE_STRING:
      return check(column->View(arrow::large_binary()));
    case arrow::Type::STRING_VIEW:
      return check(column->View(arrow::binary_view()));
    case arrow::Type::DICTIONARY: {
      const auto& coded = static_cast<const arrow::DictionaryArray&>(*column);
      const auto values = as_bytes(coded.dictionary());
      const auto type = arrow::dictionary(coded.indices()->type(), values->type());
      return std::make_shared<arrow::DictionaryArray>(type, coded.indices(), values);
    }
    default:
      return column;
  }
}

// Batches whose numbers (offsets, places in dictionaries, sizes) lie within their buffers: Arrow
// takes them from the file as they are.
class CheckedBatches final : public arrow::RecordBatchReader {
 public:
  explicit CheckedBatches(BatchReader batches) : batches_(std::move(batches)) {}

  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override {
    return batches_->schema();
  }
  arrow::Status ReadNext(Batch* batch) override {
    ARROW_RETURN_NOT_OK(batches_->ReadNext(batch));
    if (*batch == nullptr) return arrow::Status::OK();
    try {
      for (const auto& column : (*batch)->columns()) {
        if (column->length() != (*batch)->num_rows()) {
          return arrow::Status::Invalid("columns of different lengths");
        }
        check(column->Validate());
        check(as_bytes(column)->ValidateFull());
      }
    } catch (const std::runtime_error& error) {
      return arrow::Status::Invalid(error.what());
    }
    return arrow::Status::OK();
  }

 private:
  BatchReader batches_;
};

BatchReader read_ipc(const std::string& path, const std::vector<std::string>* columns) {
  arrow::ipc::IpcReadOptions options = ipc_options();
  options.included_fields = numbers_of(*open_ipc(path, options)->schema(), columns);
  return std::make_shared<CheckedBatches>(open_ipc(path, options));
}

Manner manner_of_ipc(const std::string& path) {
  return {open_ipc(path, ipc_options())->schema(), kArrowBatchRows, nullptr, arrow_ipc_codec(path)};
}

class IpcSink final : public BatchSink {
 public:
  IpcSink(const Manner& manner, const std::shared_ptr<arrow::io::OutputStream>& out) {
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    options.memory_pool = memory();
    options.use_threads = false;
    if (!manner.codec.empty()) {
      options.codec = check(arrow::util::Codec::Create(
          manner.codec == "zstd" ? arrow::Compression::ZSTD : arrow::Compression::LZ4_FRAME));
    }
    writer_ =
        check(arrow::ipc::MakeFileWriter(out, manner.schema, options, manner.schema->metadata()));
  }

  void write(const arrow::Table& part) override { check(writer_->WriteTable(part)); }
  void close() override { check(writer_->Close()); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

template <typename Sink>
std::unique_ptr<BatchSink> open_sink(const Manner& manner,
                                     const std::shared_ptr<arrow::io::OutputStream>& out) {
  return std::make_unique<Sink>(manner, out);
}

// TABLE: the formats.
struct FileKind {
  std::string_view name;
  BatchReader (*read)(const std::string& path, const std::vector<std::string>* columns);
  Manner (*manner)(const std::string& path);
  OpenSink open;
};

constexpr std::array kKinds = {
    FileKind{"parquet", read_parquet, manner_of_parquet, open_sink<ParquetSink>},
    FileKind{"arrow", read_ipc, manner_of_ipc, open_sink<IpcSink>},
};

const FileKind& kind_called(std::string_view name) {
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const FileKind& kind) { return kind.name == name; });
  if (found == kKinds.end()) throw std::runtime_error("no such format: " + std::string(name));
  return *found;
}

// Hands what Arrow writes to the library.
class SinkStream final : public arrow::io::OutputStream {
 public:
  explicit SinkStream(WriteBytes sink) : sink_(std::move(sink)) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, std::int64_t size) override {
    try {
      sink_({static_cast<const char*>(data), static_cast<std::size_t>(size)});
    } catch (const std::exception& error) {
      return arrow::Status::IOError(error.what());
    }
    position_ += size;
    return arrow::Status::OK();
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return position_; }

 private:
  WriteBytes sink_;
  std::int64_t position_ = 0;
  bool closed_ = false;
};

class Writer final : public TableFileWriter {
 public:
  // `added`: the fields behind the model's own.
  Writer(const FileKind& kind, Manner manner, const arrow::FieldVector& added, WriteBytes sink)
      : kind_(kind), model_(manner.schema), row_group_rows_(manner.row_group_rows) {
    arrow::FieldVector fields = model_->fields();
    fields.insert(fields.end(), added.begin(), added.end());
    manner.schema = arrow::schema(fields, model_->metadata());
    schema_ = manner.schema;
    added_ = arrow::struct_(added);
    sink_ = kind.open(manner, std::make_shared<SinkStream>(std::move(sink)));
  }

  void copy(const std::string& path, const ChooseRows& choose) override {
    const BatchReader rows = kind_.read(path, nullptr);
    if (!rows->schema()->Equals(*model_, /*check_metadata=*/false)) {
      throw std::runtime_error("its columns are not those of the first file");
    }
    RowChoice choice;
    while (const Batch batch = check(rows->Next())) {
      choice.keep.assign(static_cast<std::size_t>(batch->num_rows()), 0);
      choose(choice.keep.size(), choice);
      gather(with_added(kept_of(batch, choice.keep), choice));
    }
  }

  void append(ArrowArray* batch) override {
    gather(check(arrow::ImportRecordBatch(batch, schema_)));
  }

  void finish() override {
    flush();
    sink_->close();
  }

 private:
  static Batch kept_of(const Batch& batch, const std::vector<std::uint8_t>& keep) {
    if (std::find(keep.begin(), keep.end(), 0) == keep.end()) return batch;
    arrow::BooleanBuilder mask(memory());
    check(mask.AppendValues(keep.data(), static_cast<std::int64_t>(keep.size())));
    const auto filter = check(mask.Finish());
    arrow::compute::ExecContext context(memory());
    const auto kept =
        arrow::compute::Filter(batch, filter, arrow::compute::FilterOptions::Defaults(), &context);
    // Arrow has no filter for columns of views.
    if (kept.status().IsNotImplemented()) return joined_runs(*batch, keep);
    return check(kept).record_batch();
  }

  // The rows that stay, put together from runs of them.
  static Batch joined_runs(const arrow::RecordBatch& batch, const std::vector<std::uint8_t>& keep) {
    arrow::RecordBatchVector runs = {batch.Slice(0, 0)};
    for (auto begin = keep.begin(); begin != keep.end();) {
      begin = std::find(begin, keep.end(), 1);
      const auto end = std::find(begin, keep.end(), 0);
      if (begin != end) runs.push_back(batch.Slice(begin - keep.begin(), end - begin));
      begin = end;
    }
    return check(arrow::ConcatenateRecordBatches(runs, memory()));
  }

  [[nodiscard]] Batch with_added(const Batch& kept, RowChoice& choice) const {
    if (choice.added.release == nullptr) return kept;
    const auto added = check(arrow::ImportArray(&choice.added, added_));
    arrow::ArrayVector columns = kept->columns();
    for (const auto& column : static_cast<const arrow::StructArray&>(*added).fields()) {
      columns.push_back(column);
    }
    return arrow::RecordBatch::Make(schema_, kept->num_rows(), std::move(columns));
  }

  void gather(const Batch& batch) {
    for (std::int64_t begin = 0; begin < batch->num_rows();) {
      const std::int64_t rows =
          std::min(batch->num_rows() - begin, row_group_rows_ - gathered_rows_);
      gathered_.push_back(batch->Slice(begin, rows));
      gathered_rows_ += rows;
      gathered_bytes_ += check(arrow::util::ReferencedBufferSize(*gathered_.back()));
      begin += rows;
      if (gathered_rows_ == row_group_rows_ || gathered_bytes_ >= kRowGroupBytes) flush();
    }
  }

  void flush() {
    if (gathered_rows_ > 0) {
      sink_->write(*check(arrow::Table::FromRecordBatches(schema_, gathered_)));
    }
    gathered_.clear();
    gathered_rows_ = gathered_bytes_ = 0;
  }

  const FileKind& kind_;
  std::shared_ptr<arrow::Schema> model_;
  std::shared_ptr<arrow::Schema> schema_;  // with what is added
  std::shared_ptr<arrow::DataType> added_;
  std::int64_t row_group_rows_;
  std::unique_ptr<BatchSink> sink_;
  arrow::RecordBatchVector gathered_;
  std::int64_t gathered_rows_ = 0;
  std::int64_t gathered_bytes_ = 0;
};

class ArrowFiles final : public TableFiles {
 public:
  [[nodiscard]] std::vector<std::string> column_names(std::string_view format,
                                                      const std::string& path) const override {
    return kind_called(format).manner(path).schema->field_names();
  }

  void read(std::string_view format, const std::string& path,
            const std::vector<std::string>& columns, ArrowArrayStream* out) const override {
    check(arrow::ExportRecordBatchReader(kind_called(format).read(path, &columns), out));
  }

  [[nodiscard]] std::unique_ptr<TableFileWriter> write_like(std::string_view format,
                                                            const std::string& model,
                                                            ArrowSchema* added,
                                                            WriteBytes sink) const override {
    const FileKind& kind = kind_called(format);
    arrow::FieldVector fields;
    if (added != nullptr) fields = check(arrow::ImportSchema(added))->fields();
    return std::make_unique<Writer>(kind, kind.manner(model), fields, std::move(sink));
  }

  [[nodiscard]] std::unique_ptr<TableFileWriter> write(std::string_view format,
                                                       ArrowSchema* columns,
                                                       WriteBytes sink) const override {
    Manner manner;
    manner.schema = check(arrow::ImportSchema(columns));
    return std::make_unique<Writer>(kind_called(format), manner, arrow::FieldVector{},
                                    std::move(sink));
  }
};

}  // namespace
}  // namespace sosie::arrow_files

extern "C" __attribute__((visibility("default"))) const sosie::TableFiles* sosie_table_files_1() {
  static const sosie::arrow_files::ArrowFiles files;
  return &files;
}
