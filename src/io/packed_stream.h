#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/compression.h"

namespace sosie {

// A position in a compressed file at which decompression can begin: the start of a member (gzip), a
// frame (zstd) or a deflate block; the block also needs the 32 KiB that precede it.
struct AccessPoint {
  std::uint64_t unpacked = 0;
  std::uint64_t packed = 0;
  std::uint64_t window_at = 0;     // offset of the compressed window in the caller's storage
  std::uint32_t window_bytes = 0;  // 0: not needed
  std::uint8_t bits = 0;           // bits of the byte before `packed` that belong to the block
};

// Fills `out` with up to `size` bytes of the compressed file, starting at `offset`; returns the
// number of bytes.
using ReadPacked = std::function<std::size_t(std::uint64_t offset, char* out, std::size_t size)>;

// Decompresses a file sequentially from any access point. For use by one thread at a time.
class PackedStream {
 public:
  // `name`: name of the file in messages.
  PackedStream(Compression compression, ReadPacked source, std::string name,
               const WindowLimit& limit = {});
  ~PackedStream();
  PackedStream(const PackedStream&) = delete;
  PackedStream& operator=(const PackedStream&) = delete;

  // Continues at this access point. `window`: the preceding 32 KiB, if the point needs them.
  void restart(const AccessPoint& point, std::string_view window);

  // Reads the next bytes, at least one and at most `size`; returns 0 at the end. Stops early at
  // possible access points. Throws as unpack() does.
  [[nodiscard]] std::size_t read(char* out, std::size_t size);

  // Decompressed position of the next byte.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  // Number of compressed bytes consumed up to position().
  [[nodiscard]] std::uint64_t packed_position() const noexcept;
  // True if decompression can begin here: at a member, or at a block inside one.
  [[nodiscard]] bool is_at_member() const noexcept;
  [[nodiscard]] bool is_at_block() const noexcept;
  [[nodiscard]] AccessPoint here() const noexcept;
  // Memory of the zstd window and context.
  [[nodiscard]] std::size_t held_bytes() const noexcept;
  // The bytes that restart() needs if decompression is to begin at a block.
  [[nodiscard]] std::string window() const;

 private:
  struct Gzip;
  struct Zstd;

  [[nodiscard]] std::string_view rest();
  void take(std::size_t count) noexcept { at_ += count; }
  void check_inflated(int status, bool is_at_end) const;
  [[nodiscard]] std::size_t read_gzip(char* out, std::size_t size);
  [[nodiscard]] bool begin_member();
  [[nodiscard]] std::size_t read_zstd(char* out, std::size_t size);

  ReadPacked source_;
  std::string name_;
  std::unique_ptr<Gzip> gzip_;
  std::unique_ptr<Zstd> zstd_;
  std::string chunk_;
  std::uint64_t chunk_offset_ = 0;  // in the packed file
  std::size_t at_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace sosie
