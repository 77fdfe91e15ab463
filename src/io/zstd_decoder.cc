// Decompresses zstd within a memory limit, and reports the window size that exceeds it.
#include "io/zstd_decoder.h"

#include <fmt/format.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>

#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::uint64_t little_endian(std::string_view bytes) noexcept {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

// Limits of zstd are powers of two.
int log_of(const WindowLimit& limit) noexcept {
  return static_cast<int>(std::bit_width(limit.bytes())) - 1;
}

}  // namespace

std::optional<std::uint64_t> zstd_window_bytes(std::string_view frame) noexcept {
  constexpr std::size_t kMagicBytes = 4;
  if (frame.size() < kMagicBytes + 2) return std::nullopt;
  if (!frame.starts_with("\x28\xB5\x2F\xFD")) return std::nullopt;  // it may be skippable
  const auto descriptor = static_cast<unsigned char>(frame[kMagicBytes]);
  const bool is_single_segment = (descriptor & 0x20) != 0;
  if (!is_single_segment) {
    const auto window = static_cast<unsigned char>(frame[kMagicBytes + 1]);
    const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
    return base + base / 8 * (window & 7U);
  }
  // The window covers the whole content.
  constexpr std::size_t kDictionaryBytes[] = {0, 1, 2, 4};
  constexpr std::size_t kSizeBytes[] = {1, 2, 4, 8};
  constexpr std::uint64_t kLeastOfTwoBytes = 256;
  const std::size_t at = kMagicBytes + 1 + kDictionaryBytes[descriptor & 3];
  const std::size_t bytes = kSizeBytes[descriptor >> 6];
  if (frame.size() < at + bytes) return std::nullopt;
  return little_endian(frame.substr(at, bytes)) + (bytes == 2 ? kLeastOfTwoBytes : 0);
}

ZstdDecoder::ZstdDecoder(std::string name, const WindowLimit& limit)
    : name_(std::move(name)), limit_(limit) {
  if (!context_) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, log_of(limit));
}

void ZstdDecoder::reset() noexcept {
  ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
  head_.clear();
  is_between_ = false;
}

void ZstdDecoder::step(ZSTD_inBuffer& in, ZSTD_outBuffer& out) {
  if (is_between_) head_.clear();
  const std::string_view bytes(static_cast<const char*>(in.src), in.size);
  head_ += bytes.substr(in.pos, kMostZstdHeadBytes - std::min(kMostZstdHeadBytes, head_.size()));
  const std::size_t open = ZSTD_decompressStream(context_.get(), &out, &in);
  if (ZSTD_isError(open) != 0) refuse(open);
  is_between_ = open == 0;
}

void ZstdDecoder::refuse(std::size_t error) const {
  const ZSTD_ErrorCode code = ZSTD_getErrorCode(error);
  if (code == ZSTD_error_frameParameter_windowTooLarge) refuse_window();
  if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
  refuse_packed(name_, fmt::format("broken zstd: {}", ZSTD_getErrorName(error)));
}

void ZstdDecoder::refuse_window() const {
  const std::uint64_t window = zstd_window_bytes(head_).value_or(0);
  const std::string again = "compress the file again without --long or --ultra";
  if (window > WindowLimit::kMostBytes || limit_.memory_bytes == 0) {
    // No amount of memory is sufficient in the first case.
    throw Error(
        window > WindowLimit::kMostBytes ? ErrorKind::malformed_input : ErrorKind::limit_exceeded,
        fmt::format("{}: zstd window of {} bytes is too large", name_, window), again);
  }
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("{}: zstd window of {} bytes is too large for --memory {}", name_, window,
                          limit_text(limit_.memory_bytes)),
              fmt::format("--memory {} is enough for it; or {}",
                          size_text(limit_.memory_for(std::bit_ceil(window))), again));
}

}  // namespace sosie
