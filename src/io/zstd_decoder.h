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

// The window size that a frame requires, from its first bytes (RFC 8878, 3.1.1.1); nullopt if there
// are too few bytes or they are not a frame. kMostZstdHeadBytes bytes are always enough.
inline constexpr std::size_t kMostZstdHeadBytes = 18;
[[nodiscard]] std::optional<std::uint64_t> zstd_window_bytes(std::string_view frame) noexcept;

// Decompresses consecutive zstd frames whose windows do not exceed the limit. (A frame states the
// size of its window, so a hostile frame could demand a huge one.) For use by one thread at a time.
class ZstdDecoder {
 public:
  // `name`: name of the file in messages.
  ZstdDecoder(std::string name, const WindowLimit& limit);

  // Prepares to continue at the start of a frame.
  void reset() noexcept;
  // Decompresses as far as `in` and `out` allow, or to the end of the frame. Throws
  // Error{malformed_input} with the name of the file ("broken zstd: ...") and, for a window above
  // the limit, Error{limit_exceeded} with the --memory that would suffice.
  void step(ZSTD_inBuffer& in, ZSTD_outBuffer& out);
  // True if a frame has ended and the next one has not begun.
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
