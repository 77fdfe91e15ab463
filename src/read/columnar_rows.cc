#include "read/columnar_rows.h"

#include <fmt/format.h>

#include "data/owned_arrow.h"
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

// The rows of one file, a batch after another.
class JsonLines {
 public:
  JsonLines(const ColumnarFile& file, const std::vector<std::string>& columns) : file_(file) {
    try {
      file.reader.read(file.format.name, file.path, columns, &stream_.value);
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      refuse(file, error.what());
    }
    check(stream_.value.get_schema(&stream_.value, &schema_.value));
  }

  // False at the end.
  bool next_batch() {
    batch_.release();
    check(stream_.value.get_next(&stream_.value, &batch_.value));
    return batch_.value.release != nullptr;
  }

  // Calls each(line) for the rows of the batch.
  template <typename Each>
  void for_each_line(const Each& each) {
    try {
      const ArrowJson rows(schema_.value, batch_.value, 0);
      for (std::int64_t row = 0; row < batch_.value.length; ++row) {
        line_.clear();
        rows.append(row, line_);
        line_ += '\n';
        each(line_);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsupported) throw;
      throw Error(ErrorKind::unsupported, fmt::format("{}: {}", file_.name, error.what()));
    }
  }

 private:
  void check(int error) {
    if (error == 0) return;
    const char* reason = stream_.value.get_last_error(&stream_.value);
    refuse(file_, reason != nullptr ? reason : system_message(error));
  }

  const ColumnarFile& file_;
  OwnedArrow<ArrowArrayStream> stream_;
  OwnedArrow<ArrowSchema> schema_;
  OwnedArrow<ArrowArray> batch_;
  std::string line_;
};

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

File rows_as_json(const ColumnarFile& file, const std::vector<std::string>& columns,
                  ScratchFile& scratch, const std::atomic<bool>* cancel) {
  const std::uint64_t begin = scratch.size();
  JsonLines lines(file, columns);
  std::string bytes;
  while (lines.next_batch()) {
    if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
    lines.for_each_line([&](std::string_view line) {
      bytes += line;
      if (bytes.size() < kWriteBytes) return;
      scratch.append(bytes);
      bytes.clear();
    });
  }
  scratch.append(bytes);
  return scratch.section(begin, file.name);
}

}  // namespace sosie
