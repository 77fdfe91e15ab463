// Converts batches of Parquet and Arrow files to lines of JSON.
#include "read/columnar_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "data/owned_arrow.h"
#include "data/table_note.h"
#include "read/arrow_json.h"
#include "read/arrow_layout.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 18;

[[noreturn]] void refuse(const ColumnarFile& file, const std::string& reason) {
  throw Error(ErrorKind::malformed_input, BadPlace{file.name}, reason);
}

void require_regular(const ColumnarFile& file) {
  if (file.path != "-" && File(file.path).is_regular()) return;
  throw Error(ErrorKind::io, BadPlace{file.name},
              fmt::format("{} cannot be read from a pipe", file.format.name),
              "the end of the file is read first: name a file");
}

// The rows of a stream, batch by batch. `name`: the name used in messages.
class JsonLines {
 public:
  JsonLines(ArrowArrayStream& stream, std::string name) : stream_(stream), name_(std::move(name)) {
    check(stream_.get_schema(&stream_, &schema_.value));
  }

  [[nodiscard]] const ArrowSchema& schema() const noexcept { return schema_.value; }

  // Returns false at the end.
  bool next_batch() {
    batch_.release();
    check(stream_.get_next(&stream_, &batch_.value));
    return batch_.value.release != nullptr;
  }

  // Appends the rows of the batch. Calls `full` from time to time; it may remove what has been
  // appended. Returns the bytes of their `counted` columns.
  std::uint64_t append(const std::vector<bool>& counted, std::string& out,
                       const std::function<void()>& full) {
    std::uint64_t bytes = 0;
    try {
      const ArrowJson rows(schema_.value, batch_.value, 0);
      for (std::int64_t row = 0; row < batch_.value.length; ++row) {
        bytes += rows.append_counted(row, counted, out);
        out += '\n';
        if (out.size() >= kWriteBytes) full();
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsupported) throw;
      throw Error(ErrorKind::unsupported, BadPlace{name_}, error.what());
    }
    return bytes;
  }

 private:
  void check(int error) {
    if (error == 0) return;
    const char* reason = stream_.get_last_error(&stream_);
    throw Error(ErrorKind::malformed_input, BadPlace{name_},
                reason != nullptr ? reason : system_message(error));
  }

  ArrowArrayStream& stream_;
  std::string name_;
  OwnedArrow<ArrowSchema> schema_;
  OwnedArrow<ArrowArray> batch_;
};

void open_stream(const ColumnarFile& file, const std::vector<std::string>& columns,
                 ArrowArrayStream* stream) {
  try {
    file.reader.read(file.format.name, file.path, columns, stream);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    refuse(file, error.what());
  }
}

// By column of the schema.
std::vector<bool> are_among(const std::vector<std::string>& names, const ArrowSchema& schema) {
  std::vector<bool> out;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const char* name = schema.children[i]->name;
    const std::string_view column = name == nullptr ? "" : name;
    out.push_back(std::find(names.begin(), names.end(), column) != names.end());
  }
  return out;
}

}  // namespace

std::vector<std::string> column_names(const ColumnarFile& file) {
  require_regular(file);
  try {
    return file.reader.column_names(file.format.name, file.path);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    refuse(file, error.what());
  }
}

std::string note_of(const ColumnarFile& file, const std::vector<std::string>& columns) {
  OwnedArrow<ArrowArrayStream> stream;
  open_stream(file, columns, &stream.value);
  const JsonLines lines(stream.value, file.name);
  return arrow_metadata(lines.schema().metadata, kTableNoteKey);
}

File rows_as_json(const ColumnarFile& file, const ColumnChoice& columns, ScratchFile& scratch,
                  const std::atomic<bool>* cancel) {
  const std::uint64_t begin = scratch.size();
  OwnedArrow<ArrowArrayStream> stream;
  open_stream(file, columns.names, &stream.value);
  JsonLines lines(stream.value, file.name);
  const std::vector<bool> counted = are_among(columns.compared, lines.schema());
  std::uint64_t counted_bytes = 0;
  std::string bytes;
  const auto write = [&] {
    scratch.append(bytes);
    bytes.clear();
  };
  while (lines.next_batch()) {
    if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
    counted_bytes += lines.append(counted, bytes, write);
  }
  write();
  File rows = scratch.section(begin, file.name);
  rows.count_as(counted_bytes);
  return rows;
}

}  // namespace sosie
