// Writes tables of cells as Parquet or Arrow files through TableFiles.
#include "write/columnar_table.h"

#include <fmt/format.h>

#include <stdexcept>

#include "data/owned_arrow.h"
#include "data/table_note.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kFlushBytes = std::uint64_t{4} << 20;

}  // namespace

struct ColumnarOutput::State {
  OutputFile* file;
  std::exception_ptr failed = {};

  void guard(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      failed = std::current_exception();
      throw std::runtime_error("stopped");  // the way back through the writer
    }
  }
};

ColumnarOutput::ColumnarOutput(OutputFile& file, std::string name)
    : state_(std::make_shared<State>(State{&file})), name_(std::move(name)) {}

ColumnarOutput::~ColumnarOutput() { state_->file = nullptr; }

WriteBytes ColumnarOutput::sink() {
  return [state = state_](std::string_view bytes) {
    if (state->file == nullptr || state->failed != nullptr) throw std::runtime_error("stopped");
    state->guard([&] { state->file->write(bytes); });
  };
}

void ColumnarOutput::guard(const std::function<void()>& work) { state_->guard(work); }

void ColumnarOutput::step(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (state_->failed != nullptr) std::rethrow_exception(state_->failed);
    throw Error(ErrorKind::io, fmt::format("{}: {}", name_, error.what()));
  }
  if (state_->failed != nullptr) std::rethrow_exception(state_->failed);
}

ColumnarTable::ColumnarTable(const TableFiles& files, std::string_view format,
                             const std::vector<std::string>& columns, OutputFile& file,
                             const std::string& name)
    : files_(files), format_(format), output_(file, name), columns_(columns) {}

void ColumnarTable::set_note(std::string_view note) {
  metadata_.clear();
  if (note.empty()) return;
  const auto add_number = [&](std::size_t number) {
    const auto value = static_cast<std::int32_t>(number);
    metadata_.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add_number(1);  // pair of key and value
  for (const std::string_view text : {kTableNoteKey, note}) {
    add_number(text.size());
    metadata_ += text;
  }
}

void ColumnarTable::row(std::span<const Cell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) columns_.add(i, cells[i]);
  if (columns_.bytes() >= kFlushBytes) flush();
}

void ColumnarTable::flush() {
  output_.step([&] {
    if (!writer_) {
      OwnedArrow<ArrowSchema> schema;
      columns_.schema(&schema.value);
      if (!metadata_.empty()) schema.value.metadata = metadata_.data();
      writer_ = files_.write(format_, &schema.value, output_.sink());
    }
    OwnedArrow<ArrowArray> batch;
    columns_.take(&batch.value);
    writer_->append(&batch.value);
  });
}

void ColumnarTable::finish() {
  flush();
  output_.step([&] { writer_->finish(); });
}

}  // namespace sosie
