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
  std::vector<std::string> names;  // one per row
  std::vector<bool> are_integers;  // true: unquoted in JSON
};

// A file in the caller's memory, or one that is generated while it is read. All functions are
// thread-safe.
class MemoryFile {
 public:
  MemoryFile() = default;
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  virtual ~MemoryFile() = default;

  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  // Copies `size` bytes, starting at `offset`. The range must lie within the file.
  virtual void read(std::uint64_t offset, char* out, std::size_t size) const = 0;
  // Names of the rows if the rows themselves contain none, as in an array; null if there are no
  // names.
  [[nodiscard]] virtual const NamesOfRows* names() const noexcept { return nullptr; }
};

// Files in memory, by the paths that stand for them among the inputs. As for files on disk, the
// extension of the path determines the format. Messages count rows from 0 ("row 3").
using MemoryFiles = std::map<std::string, std::shared_ptr<const MemoryFile>>;

// A file that consists of consecutive pieces of memory, all valid as long as `owner` lives.
[[nodiscard]] std::shared_ptr<const MemoryFile> memory_file_of(
    std::vector<std::span<const char>> pieces, std::shared_ptr<const void> owner);
// Adds names to the rows of a file without names.
[[nodiscard]] std::shared_ptr<const MemoryFile> named_rows_of(
    std::shared_ptr<const MemoryFile> file, NamesOfRows names);

// The rows of a stream of record batches as lines of JSON, limited to the columns that contain the
// given fields ("a", "a.b", "a|b"). Lines are generated anew on each read, so only the buffers of
// the stream stay in memory. Takes ownership of the stream. Throws Error{malformed_input} if the
// stream fails or lacks a column, and Error{unsupported} for a type that JSON cannot represent,
// such as a union.
[[nodiscard]] std::shared_ptr<const MemoryFile> json_lines_of(
    ArrowArrayStream* stream, const std::vector<std::string>& columns);

}  // namespace sosie
