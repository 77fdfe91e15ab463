#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/compression.h"

namespace sosie {

// A place in a packed file that unpacking can begin at: where a member (gzip) or a frame (zstd)
// begins, or where a block of deflate does, which then needs the 32 KiB before it.
struct AccessPoint {
  std::uint64_t unpacked = 0;
  std::uint64_t packed = 0;
  std::uint64_t window_at = 0;     // offset of the packed window, where the caller has put it
  std::uint32_t window_bytes = 0;  // 0: none is needed
  std::uint8_t bits = 0;           // bits of the byte before `packed` that belong to the block
};

// Fills `out` with up to `size` bytes of the packed file from `offset` on; returns how many.
using ReadPacked = std::function<std::size_t(std::uint64_t offset, char* out, std::size_t size)>;

// Unpacks a packed file in order from any access point on. Belongs to one thread at a time.
class PackedStream {
 public:
  // `name`: what messages call the file.
  PackedStream(Compression compression, ReadPacked source, std::string name,
               const WindowLimit& limit = {});
  ~PackedStream();
  PackedStream(const PackedStream&) = delete;
  PackedStream& operator=(const PackedStream&) = delete;

  // Goes on at the point. `window`: the 32 KiB before it, if it needs them.
  void restart(const AccessPoint& point, std::string_view window);

  // The next bytes, at least one and at most `size`; 0 at the end. Returns early where an access
  // point may be. Throws as unpack() does.
  [[nodiscard]] std::size_t read(char* out, std::size_t size);

  // Unpacked bytes before the next one.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  // Packed bytes that these took.
  [[nodiscard]] std::uint64_t packed_position() const noexcept;
  // True if unpacking can begin here: at a member, or at a block of one.
  [[nodiscard]] bool is_at_member() const noexcept;
  [[nodiscard]] bool is_at_block() const noexcept;
  [[nodiscard]] AccessPoint here() const noexcept;
  // Memory of a zstd window and its context.
  [[nodiscard]] std::size_t held_bytes() const noexcept;
  // The bytes that restart() needs at a block.
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
