// Turns the batches of Parquet and Arrow files into lines of JSON.
#include "read/columnar_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "core/nearest_name.h"
#include "data/owned_arrow.h"
#include "data/table_note.h"
#include "read/arrow_json.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 18;

[[noreturn]] void refuse(const ColumnarFile& file, const std::string& reason) {
  throw Error(ErrorKind::malformed_input, fmt::format("{}: {}", file.name, reason));
}

void require_regular(const ColumnarFile& file) {
  if (file.path != "-" && File(file.path).is_regular()) return;
  throw Error(ErrorKind::io,
              fmt::format("{}: {} cannot be read from a pipe", file.name, file.format.name),
              "its end has to be read first: name a file");
}

// The rows of a stream, a batch after another. `name`: what messages call it.
class JsonLines {
 public:
  JsonLines(ArrowArrayStream& stream, std::string name) : stream_(stream), name_(std::move(name)) {
    check(stream_.get_schema(&stream_, &schema_.value));
  }

  [[nodiscard]] const ArrowSchema& schema() const noexcept { return schema_.value; }

  // False at the end.
  bool next_batch() {
    batch_.release();
    check(stream_.get_next(&stream_, &batch_.value));
    return batch_.value.release != nullptr;
  }

  // Appends the rows of the batch; of these columns only, if there are any. `full`, called now and
  // then, may take what there is so far.
  void append(const std::vector<std::size_t>& columns, std::string& out,
              const std::function<void()>& full) {
    const ArrowSchema chosen_schema = chosen(schema_.value, columns, schemas_);
    const ArrowArray chosen_batch = chosen(batch_.value, columns, arrays_);
    try {
      const ArrowJson rows(chosen_schema, chosen_batch, 0);
      for (std::int64_t row = 0; row < chosen_batch.length; ++row) {
        rows.append(row, out);
        out += '\n';
        if (out.size() >= kWriteBytes) full();
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsupported) throw;
      throw Error(ErrorKind::unsupported, fmt::format("{}: {}", name_, error.what()));
    }
  }

 private:
  // Copies a structure with some of its children; `pointers` holds them.
  template <typename T>
  static T chosen(const T& all, const std::vector<std::size_t>& columns,
                  std::vector<T*>& pointers) {
    T some = all;
    if (columns.empty()) return some;
    pointers.clear();
    for (const std::size_t column : columns) pointers.push_back(all.children[column]);
    some.children = pointers.data();
    some.n_children = static_cast<std::int64_t>(columns.size());
    return some;
  }

  void check(int error) {
    if (error == 0) return;
    const char* reason = stream_.get_last_error(&stream_);
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: {}", name_, reason != nullptr ? reason : system_message(error)));
  }

  ArrowArrayStream& stream_;
  std::string name_;
  OwnedArrow<ArrowSchema> schema_;
  OwnedArrow<ArrowArray> batch_;
  std::vector<ArrowSchema*> schemas_;
  std::vector<ArrowArray*> arrays_;
};

std::vector<std::size_t> find_columns(const ArrowSchema& schema,
                                      const std::vector<std::string>& names) {
  std::vector<std::string_view> there;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const char* name = schema.children[i]->name;
    there.emplace_back(name == nullptr ? "" : name);
  }
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    const auto found = std::find(there.begin(), there.end(), name);
    if (found == there.end()) {
      const std::string_view nearest = nearest_name(name, there);
      throw Error(ErrorKind::malformed_input, fmt::format("table: column '{}' is missing", name),
                  fmt::format("{}the columns there are: {}",
                              nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                              fmt::join(there, ", ")));
    }
    columns.push_back(static_cast<std::size_t>(found - there.begin()));
  }
  return columns;
}

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

// The value of a key in the metadata of a schema: an i32 count, then keys and values, each an i32
// size and its bytes (the Arrow C data interface). Empty: there is no such key.
std::string value_in(const char* metadata, std::string_view asked) {
  if (metadata == nullptr) return {};
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, metadata, sizeof value);
    metadata += sizeof value;
    return std::max(value, 0);
  };
  const auto text = [&] {
    const std::int32_t size = number();
    const std::string_view bytes(metadata, static_cast<std::size_t>(size));
    metadata += size;
    return bytes;
  };
  for (std::int32_t left = number(); left > 0; --left) {
    const std::string_view key = text();
    const std::string_view value = text();
    if (key == asked) return std::string(value);
  }
  return {};
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
  return value_in(lines.schema().metadata, kTableNoteKey);
}

File rows_as_json(const ColumnarFile& file, const std::vector<std::string>& columns,
                  ScratchFile& scratch, const std::atomic<bool>* cancel) {
  const std::uint64_t begin = scratch.size();
  OwnedArrow<ArrowArrayStream> stream;
  open_stream(file, columns, &stream.value);
  JsonLines lines(stream.value, file.name);
  std::string bytes;
  const auto write = [&] {
    scratch.append(bytes);
    bytes.clear();
  };
  while (lines.next_batch()) {
    if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
    lines.append({}, bytes, write);
  }
  write();
  return scratch.section(begin, file.name);
}

void write_json_lines(ArrowArrayStream* stream, const std::vector<std::string>& columns,
                      const WriteBytes& sink) {
  OwnedArrow<ArrowArrayStream> own;
  std::swap(own.value, *stream);
  JsonLines lines(own.value, "table");
  const std::vector<std::size_t> numbers = find_columns(lines.schema(), columns);
  std::string bytes;
  const auto write = [&] {
    sink(bytes);
    bytes.clear();
  };
  while (lines.next_batch()) lines.append(numbers, bytes, write);
  write();
}

}  // namespace sosie
