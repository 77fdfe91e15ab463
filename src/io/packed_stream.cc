// Decompresses gzip and zstd from any access point: gzip like zran of zlib, zstd frame by frame.
#include "io/packed_stream.h"

#include <zlib.h>

#include <algorithm>
#include <functional>
#include <new>

#include "io/zlib_bytes.h"
#include "io/zstd_decoder.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;
constexpr std::size_t kTrailerBytes = 8;  // trailer of a member: checksum and size
constexpr int kInGzip = 15 + 16;
constexpr int kRaw = -15;

}  // namespace

struct PackedStream::Gzip {
  Gzip() {
    if (::inflateInit2(&stream, kInGzip) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() { ::inflateEnd(&stream); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  z_stream stream{};
  bool is_first = true;     // no member has begun
  bool is_between = true;   // members
  bool is_padded = false;   // zeros came: no member may follow
  bool is_raw = false;      // began inside a member, whose trailer is skipped
  bool at_block = false;    // a block of deflate begins here
  std::size_t to_skip = 0;  // bytes of a trailer left to skip
};

struct PackedStream::Zstd {
  Zstd(const std::string& name, const WindowLimit& limit) : decoder(name, limit) {}

  ZstdDecoder decoder;
  bool is_between = false;  // frames; not before the first
  bool has_more = false;    // unpacked bytes that did not fit
};

PackedStream::PackedStream(Compression compression, ReadPacked source, std::string name,
                           const WindowLimit& limit)
    : source_(std::move(source)), name_(std::move(name)) {
  if (compression == Compression::gzip) {
    gzip_ = std::make_unique<Gzip>();
  } else {
    zstd_ = std::make_unique<Zstd>(name_, limit);
  }
}

PackedStream::~PackedStream() = default;

void PackedStream::restart(const AccessPoint& point, std::string_view window) {
  position_ = point.unpacked;
  chunk_.clear();
  at_ = 0;
  chunk_offset_ = point.packed - (point.bits > 0 ? 1 : 0);
  const bool at_begin = point.packed == 0;
  if (zstd_) {
    zstd_->decoder.reset();
    zstd_->is_between = !at_begin;
    zstd_->has_more = false;
    return;
  }
  Gzip& gzip = *gzip_;
  gzip.is_first = at_begin;
  gzip.is_between = point.window_bytes == 0;
  gzip.is_raw = !gzip.is_between;
  gzip.is_padded = gzip.at_block = false;
  gzip.to_skip = 0;
  gzip.stream.avail_in = 0;
  if (!gzip.is_raw) return;
  ::inflateReset2(&gzip.stream, kRaw);
  if (point.bits > 0) {
    const int byte = rest().empty() ? 0 : static_cast<unsigned char>(rest().front());
    take(1);
    ::inflatePrime(&gzip.stream, point.bits, byte >> (8 - point.bits));
  }
  ::inflateSetDictionary(&gzip.stream, zlib_bytes(window.data()), static_cast<uInt>(window.size()));
}

std::size_t PackedStream::read(char* out, std::size_t size) {
  const std::size_t count = gzip_ ? read_gzip(out, size) : read_zstd(out, size);
  position_ += count;
  return count;
}

// The rest of the chunk, or the next chunk; empty at the end.
std::string_view PackedStream::rest() {
  if (at_ == chunk_.size()) {
    chunk_offset_ += chunk_.size();
    chunk_.resize(kReadBytes);
    chunk_.resize(source_(chunk_offset_, chunk_.data(), chunk_.size()));
    at_ = 0;
    if (chunk_offset_ == 0) {
      require_packed(gzip_ ? Compression::gzip : Compression::zstd, chunk_, name_);
    }
  }
  return std::string_view(chunk_).substr(at_);
}

std::uint64_t PackedStream::packed_position() const noexcept { return chunk_offset_ + at_; }

bool PackedStream::is_at_member() const noexcept {
  return gzip_ ? gzip_->is_between && gzip_->to_skip == 0 : zstd_->is_between;
}

bool PackedStream::is_at_block() const noexcept { return gzip_ && gzip_->at_block; }

AccessPoint PackedStream::here() const noexcept {
  AccessPoint point{position_, packed_position()};
  if (is_at_block()) point.bits = static_cast<std::uint8_t>(gzip_->stream.data_type & 7);
  return point;
}

std::size_t PackedStream::held_bytes() const noexcept {
  return zstd_ ? zstd_->decoder.held_bytes() : 0;
}

std::string PackedStream::window() const {
  constexpr uInt kWindowBytes = 1U << 15;
  std::string window(kWindowBytes, '\0');
  uInt size = kWindowBytes;
  ::inflateGetDictionary(&gzip_->stream, reinterpret_cast<Bytef*>(window.data()), &size);
  window.resize(size);
  return window;
}

// After a member: skips its trailer and padding. Returns false at the end of the file.
bool PackedStream::begin_member() {
  Gzip& gzip = *gzip_;
  for (std::string_view bytes = rest(); !bytes.empty(); bytes = rest()) {
    if (gzip.to_skip > 0) {
      const std::size_t skipped = std::min(gzip.to_skip, bytes.size());
      gzip.to_skip -= skipped;
      take(skipped);
    } else if (bytes.front() == '\0' && !gzip.is_first) {
      gzip.is_padded = true;
      take(std::min(bytes.find_first_not_of('\0'), bytes.size()));
    } else if (!gzip.is_first && (gzip.is_padded || bytes.front() != '\x1F')) {
      refuse_packed(name_, "data after the end of the gzip stream");
    } else {
      ::inflateReset2(&gzip.stream, kInGzip);
      gzip.is_first = gzip.is_between = gzip.is_raw = false;
      return true;
    }
  }
  if (gzip.is_first) refuse_packed(name_, "truncated gzip");
  return false;
}

// Throws unless inflate() made progress or the member ended.
void PackedStream::check_inflated(int status, bool is_at_end) const {
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status == Z_BUF_ERROR && is_at_end) refuse_packed(name_, "truncated gzip");
  if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) return;
  const char* message = gzip_->stream.msg;
  refuse_packed(name_,
                std::string("broken gzip: ") + (message != nullptr ? message : "not in gzip"));
}

std::size_t PackedStream::read_gzip(char* out, std::size_t size) {
  Gzip& gzip = *gzip_;
  z_stream& stream = gzip.stream;
  while (true) {
    if (gzip.is_between && !begin_member()) return 0;
    const std::string_view bytes = rest();
    stream.next_in = zlib_bytes(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out);
    stream.avail_out = static_cast<uInt>(size);
    const int status = ::inflate(&stream, Z_BLOCK);
    check_inflated(status, bytes.empty());
    take(bytes.size() - stream.avail_in);
    const bool ends_block = (stream.data_type & 128) != 0 && (stream.data_type & 64) == 0;
    gzip.at_block = status == Z_OK && ends_block;
    if (status == Z_STREAM_END) {
      gzip.is_between = true;
      gzip.to_skip = gzip.is_raw ? kTrailerBytes : 0;
    }
    if (stream.avail_out < size) return size - stream.avail_out;
  }
}

// NOLINTNEXTLINE(readability-non-const-parameter): zstd writes there
std::size_t PackedStream::read_zstd(char* out, std::size_t size) {
  Zstd& zstd = *zstd_;
  while (true) {
    const std::string_view bytes = zstd.has_more && at_ == chunk_.size() ? "" : rest();
    if (bytes.empty() && !zstd.has_more) {
      if (!zstd.is_between) refuse_packed(name_, "truncated zstd");
      return 0;
    }
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer unpacked{out, size, 0};
    zstd.decoder.step(in, unpacked);
    zstd.is_between = zstd.decoder.is_between();
    take(in.pos);
    zstd.has_more = unpacked.pos == size && !zstd.is_between;
    if (unpacked.pos > 0) return unpacked.pos;
  }
}

}  // namespace sosie
