// Arrow IPC (Feather V2) through libarrow: files and streams.
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/util/compression.h>

#include "arrow_ipc_codec.h"
#include "table_format.h"

namespace sosie::arrow_files {
namespace {

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

// Texts are read regardless of their bytes, so they are not validated.
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

// Checks that the numbers in batches (offsets, dictionary indexes, sizes) are within their buffers,
// because Arrow reads them from the file unchecked.
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

}  // namespace

FileKind arrow_kind() { return {"arrow", read_ipc, manner_of_ipc, open_sink<IpcSink>}; }

}  // namespace sosie::arrow_files
