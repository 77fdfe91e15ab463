#pragma once

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/compression.h"

namespace sosie {

// Bytes of the window that a frame asks for, from how it begins (RFC 8878, 3.1.1.1); nothing when
// the bytes are too few, or no frame. kMostZstdHeadBytes are always enough.
inline constexpr std::size_t kMostZstdHeadBytes = 18;
[[nodiscard]] std::optional<std::uint64_t> zstd_window_bytes(std::string_view frame) noexcept;

// Unpacks frames of zstd that follow each other, whose windows are not larger than the limit: a
// frame says how much memory its window takes, and a hostile one says much. Belongs to one thread.
class ZstdDecoder {
 public:
  // `name`: what messages call the file.
  ZstdDecoder(std::string name, const WindowLimit& limit);

  // Goes on where a frame begins.
  void reset() noexcept;
  // Unpacks as far as `in` and `out` go, or up to the end of the frame. Throws
  // Error{malformed_input} naming the file: "broken zstd: ..."; Error{limit_exceeded} for a window
  // that is too large, and says what --memory is enough.
  void step(ZSTD_inBuffer& in, ZSTD_outBuffer& out);
  // True if a frame has ended and no other one has begun.
  [[nodiscard]] bool is_between() const noexcept { return is_between_; }
  // Bytes held in memory.
  [[nodiscard]] std::size_t held_bytes() const noexcept { return ZSTD_sizeof_DCtx(context_.get()); }

 private:
  [[noreturn]] void refuse(std::size_t error) const;
  [[noreturn]] void refuse_window() const;

  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_{ZSTD_createDCtx(), ZSTD_freeDCtx};
  std::string name_;
  WindowLimit limit_;
  std::string head_;  // header of the frame
  bool is_between_ = false;
};

}  // namespace sosie
