#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sosie {

enum class Compression : std::uint8_t { none, gzip, zstd };

// True if a path ends with `extension` (lower case, with the dot), ignoring case.
[[nodiscard]] bool has_extension(std::string_view path, std::string_view extension) noexcept;

// Compression indicated by the extension: .gz, .zst.
[[nodiscard]] Compression compression_by_extension(std::string_view path) noexcept;
[[nodiscard]] std::string_view without_compression_extension(std::string_view path) noexcept;
// Compression indicated by the first bytes; four are enough.
[[nodiscard]] Compression compression_by_magic(std::string_view bytes) noexcept;
// True if there are too few bytes to decide: the beginning of a magic number, but not all of it.
[[nodiscard]] bool is_part_of_magic(std::string_view bytes) noexcept;

// Fills `out` with up to `size` bytes and returns the number of bytes; 0 at the end.
using ByteSource = std::function<std::size_t(char* out, std::size_t size)>;
using ByteSink = std::function<void(std::string_view bytes)>;

// Limit on the windows of zstd frames; each of the concurrent streams has a window.
struct WindowLimit {
  std::uint64_t memory_bytes = 0;  // memory of the run; 0: only zstd's own limit
  unsigned streams = 1;            // read at the same time

  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
  // Windows up to this size are always accepted: `zstd -19` uses it.
  static constexpr std::uint64_t kLeastBytes = std::uint64_t{8} << 20;

  [[nodiscard]] std::uint64_t bytes() const noexcept;
  // The memory limit that allows windows of this size.
  [[nodiscard]] std::uint64_t memory_for(std::uint64_t window_bytes) const noexcept;
};

// Decompresses all members (gzip) or frames (zstd) of a file. Zero bytes after the last gzip member
// are padding. Throws Error{malformed_input} with `name`: "truncated gzip", "bytes after the end of
// gzip", "broken gzip: ...", and the errors of require_packed(); Error{limit_exceeded} for a window
// above the limit; and exceptions of source and sink.
void unpack(Compression compression, const ByteSource& source, const std::string& name,
            const ByteSink& sink, const WindowLimit& limit = {});

// Throws Error{malformed_input} unless the file that begins with `head` is compressed in this way,
// for files whose name alone indicates it.
void require_packed(Compression compression, std::string_view head, const std::string& name);

// Throws Error{malformed_input} about the compressed file `name`, with the hint to leave out its
// end.
[[noreturn]] void refuse_packed(const std::string& name, const std::string& why);

// Compresses `bytes` to one member or frame: gzip at level 6 without name and time, zstd at level
// 3. The result depends on nothing else.
[[nodiscard]] std::string pack(Compression compression, std::string_view bytes);

// A compressed output consists of members with this many bytes of input, so that they can be
// compressed in parallel and are identical for any number of threads.
inline constexpr std::size_t kMemberBytes = std::size_t{4} << 20;

}  // namespace sosie
