#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sosie {

enum class Compression : std::uint8_t { none, gzip, zstd };

// True if the path ends with `extension` (lower case, with the dot) regardless of the path's case.
[[nodiscard]] bool has_extension(std::string_view path, std::string_view extension) noexcept;

// The compression that the extension indicates: .gz, .zst.
[[nodiscard]] Compression compression_by_extension(std::string_view path) noexcept;
[[nodiscard]] std::string_view without_compression_extension(std::string_view path) noexcept;
// The compression that the first bytes indicate; four bytes are enough.
[[nodiscard]] Compression compression_by_magic(std::string_view bytes) noexcept;
// True if more bytes are needed to decide: these are the beginning of a magic number but not all of
// it.
[[nodiscard]] bool is_part_of_magic(std::string_view bytes) noexcept;

// Fills `out` with up to `size` bytes and returns the number of bytes; 0 at the end.
using ByteSource = std::function<std::size_t(char* out, std::size_t size)>;
using ByteSink = std::function<void(std::string_view bytes)>;

// Limits the windows of zstd frames; each of the concurrent streams has its own window.
struct WindowLimit {
  std::uint64_t memory_bytes = 0;  // memory of the run; 0: only zstd's own limit
  unsigned streams = 1;            // read at the same time

  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
  // Windows up to this size, which `zstd -19` uses, are always accepted.
  static constexpr std::uint64_t kLeastBytes = std::uint64_t{8} << 20;

  [[nodiscard]] std::uint64_t bytes() const noexcept;
  // The memory limit that allows windows of this size.
  [[nodiscard]] std::uint64_t memory_for(std::uint64_t window_bytes) const noexcept;
};

// Decompresses all members (gzip) or frames (zstd) of a file. Zero bytes after the last gzip member
// are padding. Throws Error{malformed_input} with `name` ("truncated gzip", "bytes after the end of
// gzip", "broken gzip: ...") and as require_packed() does; Error{limit_exceeded} for a window above
// the limit; exceptions of source and sink pass through.
void unpack(Compression compression, const ByteSource& source, const std::string& name,
            const ByteSink& sink, const WindowLimit& limit = {});

// Throws Error{malformed_input} unless the file, which begins with `head`, is really compressed in
// this way. For files whose compression only the name indicates.
void require_packed(Compression compression, std::string_view head, const std::string& name);

// Throws Error{malformed_input} about the compressed file `name`; the hint suggests leaving out its
// damaged end.
[[noreturn]] void refuse_packed(const std::string& name, const std::string& why);

// Compresses `bytes` into a single member or frame: gzip at level 6 without name and time, or zstd
// at level 3. The result depends only on these arguments.
[[nodiscard]] std::string pack(Compression compression, std::string_view bytes);

// A compressed output is divided into members with this many bytes of input, so that members can be
// compressed in parallel and the output is identical for any number of threads.
inline constexpr std::size_t kMemberBytes = std::size_t{4} << 20;

}  // namespace sosie
