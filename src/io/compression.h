#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sosie {

enum class Compression : std::uint8_t { none, gzip, zstd };

// True if a path ends with `extension` (lower case, with the dot), in letters of whatever case.
[[nodiscard]] bool has_extension(std::string_view path, std::string_view extension) noexcept;

// By the end of a path: .gz, .zst.
[[nodiscard]] Compression compression_by_extension(std::string_view path) noexcept;
[[nodiscard]] std::string_view without_compression_extension(std::string_view path) noexcept;
// By how the bytes begin; four are enough.
[[nodiscard]] Compression compression_by_magic(std::string_view bytes) noexcept;
// True if the bytes are too few to tell: the first bytes of a magic number, but not all.
[[nodiscard]] bool is_part_of_magic(std::string_view bytes) noexcept;

// Fills `out` with up to `size` bytes and returns how many; 0 at the end.
using ByteSource = std::function<std::size_t(char* out, std::size_t size)>;
using ByteSink = std::function<void(std::string_view bytes)>;

// The largest window that a frame of zstd may ask for: each stream that is read at a time has one.
struct WindowLimit {
  std::uint64_t memory_bytes = 0;  // memory of the run; 0: no cap but zstd's own
  unsigned streams = 1;            // at a time

  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
  // Smaller ones are taken whatever the memory: `zstd -19` makes windows of this size.
  static constexpr std::uint64_t kLeastBytes = std::uint64_t{8} << 20;

  [[nodiscard]] std::uint64_t bytes() const noexcept;
  // The memory that allows windows of so many bytes.
  [[nodiscard]] std::uint64_t memory_for(std::uint64_t window_bytes) const noexcept;
};

// Unpacks all members (gzip) or frames (zstd) of a file. Zero bytes behind the last gzip member are
// padding. Throws Error{malformed_input} naming `name`: "truncated gzip", "bytes after the end of
// gzip", "broken gzip: ..." and as require_packed(); Error{limit_exceeded} for a window beyond the
// limit; and what source and sink throw.
void unpack(Compression compression, const ByteSource& source, const std::string& name,
            const ByteSink& sink, const WindowLimit& limit = {});

// Throws Error{malformed_input} about a file that begins with `head`, unless it is packed so: its
// name alone says it.
void require_packed(Compression compression, std::string_view head, const std::string& name);

// Throws Error{malformed_input} about the packed file `name`; the way out is to leave out its end.
[[noreturn]] void refuse_packed(const std::string& name, const std::string& why);

// One member or frame that holds `bytes`: gzip at level 6 without name and time, zstd at level 3.
// The result depends on nothing else.
[[nodiscard]] std::string pack(Compression compression, std::string_view bytes);

// A packed output is made of members of this many bytes, so that they can be made in parallel and
// come out the same for any number of threads.
inline constexpr std::size_t kMemberBytes = std::size_t{4} << 20;

}  // namespace sosie
