#include "read/columnar_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "data/owned_arrow.h"
#include "data/table_note.h"
#include "read/arrow_json.h"
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

  // Appends the rows of the batch. `full`, called now and then, may take what there is so far.
  void append(std::string& out, const std::function<void()>& full) {
    try {
      const ArrowJson rows(schema_.value, batch_.value, 0);
      for (std::int64_t row = 0; row < batch_.value.length; ++row) {
        rows.append(row, out);
        out += '\n';
        if (out.size() >= kWriteBytes) full();
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsupported) throw;
      throw Error(ErrorKind::unsupported, BadPlace{name_}, error.what());
    }
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
    lines.append(bytes, write);
  }
  write();
  return scratch.section(begin, file.name);
}

}  // namespace sosie
