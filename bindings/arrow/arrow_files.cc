// Table files through libarrow and libparquet, as required by sosie/table_files.h. Everything runs
// in the caller's thread, because the library has its own.
#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/exec.h>
#include <arrow/util/byte_size.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sosie/table_files.h"
#include "table_format.h"

namespace sosie::arrow_files {

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

namespace {

// TABLE: the formats.
const FileKind& kind_called(std::string_view name) {
  static const std::array kinds = {parquet_kind(), arrow_kind()};
  const auto* found = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const FileKind& kind) { return kind.name == name; });
  if (found == kinds.end()) throw std::runtime_error("no such format: " + std::string(name));
  return *found;
}

// Passes what Arrow writes to the library.
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
  // `added`: the fields after the model's own.
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
    // Arrow cannot filter columns of views.
    if (kept.status().IsNotImplemented()) return joined_runs(*batch, keep);
    return check(kept).record_batch();
  }

  // The remaining rows, assembled from runs of them.
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
