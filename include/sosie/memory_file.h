#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct ArrowArrayStream;  // defined by the Arrow C stream interface

namespace sosie {

// Names of the rows of a file.
struct NamesOfRows {
  std::vector<std::string> names;  // one a row
  std::vector<bool> are_integers;  // true: JSON has it without quotes
};

// A file that lies in the caller's memory, or is made there as it is read. All functions may be
// called from many threads at once.
class MemoryFile {
 public:
  MemoryFile() = default;
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  virtual ~MemoryFile() = default;

  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  // Copies `size` bytes from `offset` on, all of which are there.
  virtual void read(std::uint64_t offset, char* out, std::size_t size) const = 0;
  // Names of rows that hold no names themselves, such as an array's; null: there are none.
  [[nodiscard]] virtual const NamesOfRows* names() const noexcept { return nullptr; }
};

// Files in memory by the paths that inputs name them by. The extension of a path says the format,
// as that of any file does. Messages count their rows from 0 ("row 3").
using MemoryFiles = std::map<std::string, std::shared_ptr<const MemoryFile>>;

// Pieces of memory behind each other, which live as long as `owner`.
[[nodiscard]] std::shared_ptr<const MemoryFile> memory_file_of(
    std::vector<std::span<const char>> pieces, std::shared_ptr<const void> owner);
// A file with names of its rows, which hold none.
[[nodiscard]] std::shared_ptr<const MemoryFile> named_rows_of(
    std::shared_ptr<const MemoryFile> file, NamesOfRows names);

// The rows of a stream of record batches as lines of JSON, with the columns in it that these
// fields ("a", "a.b", "a|b") are or lie in: made again each time they are read, so that the
// stream's own buffers are all that lies in memory. Takes the stream over. Throws
// Error{malformed_input} when it fails or has no column for one of them,
// Error{unsupported} for a type (a union, say) that has no JSON form here.
[[nodiscard]] std::shared_ptr<const MemoryFile> json_lines_of(
    ArrowArrayStream* stream, const std::vector<std::string>& columns);

}  // namespace sosie
