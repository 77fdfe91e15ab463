// Detects compression by extension or magic number; compresses and decompresses gzip and zstd
// streams.
#include "io/compression.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/ascii_lower.h"
#include "core/memory_budget.h"
#include "core/read_buffer.h"
#include "io/foreign_format.h"
#include "io/zlib_bytes.h"
#include "io/zstd_decoder.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;
constexpr int kGzipWindow = 15 + 16;  // the largest, in a gzip wrapping
constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

struct Extension {
  std::string_view text;
  Compression compression;
};
constexpr std::array kExtensions = {Extension{".gz", Compression::gzip},
                                    Extension{".zst", Compression::zstd}};

// Chunks of a source, one at a time.
class Chunks {
 public:
  explicit Chunks(const ByteSource& source) : source_(source), bytes_(kChunkBytes) {}

  // Rest of the chunk, or the next chunk; empty at the end.
  std::string_view rest() {
    if (at_ == size_) {
      size_ = source_(bytes_.data(), bytes_.size());
      at_ = 0;
    }
    return {bytes_.data() + at_, size_ - at_};
  }
  void take(std::size_t count) { at_ += count; }

 private:
  const ByteSource& source_;
  ReadBuffer bytes_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;
};

class Inflater {
 public:
  Inflater() {
    if (::inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Decompresses one member from the chunks.
  void member(Chunks& chunks, const std::string& name, const ByteSink& sink) {
    ::inflateReset(&stream_);
    while (true) {
      const std::string_view bytes = chunks.rest();
      if (bytes.empty()) refuse_packed(name, "truncated gzip");
      stream_.next_in = zlib_bytes(bytes.data());
      stream_.avail_in = static_cast<uInt>(bytes.size());
      const int status = step(name, sink);
      chunks.take(bytes.size() - stream_.avail_in);
      if (status == Z_STREAM_END) return;
    }
  }

 private:
  // Decompresses the input received so far, as far as possible.
  int step(const std::string& name, const ByteSink& sink) {
    int status = Z_OK;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      status = ::inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        refuse_packed(name,
                      std::string("broken gzip: ") + (stream_.msg ? stream_.msg : "not in gzip"));
      }
      sink({out_.data(), out_.size() - stream_.avail_out});
    } while (status == Z_OK && (stream_.avail_in > 0 || stream_.avail_out == 0));
    return status;
  }

  z_stream stream_{};
  std::vector<char> out_ = std::vector<char>(kChunkBytes);
};

void unpack_gzip(Chunks& chunks, const std::string& name, const ByteSink& sink) {
  Inflater inflater;
  inflater.member(chunks, name, sink);
  bool padded = false;  // behind padding nothing else may follow
  for (std::string_view bytes = chunks.rest(); !bytes.empty(); bytes = chunks.rest()) {
    if (bytes.front() == '\0') {
      padded = true;
      chunks.take(std::min(bytes.find_first_not_of('\0'), bytes.size()));
    } else if (padded || bytes.front() != '\x1F') {
      refuse_packed(name, "data after the end of the gzip stream");
    } else {
      inflater.member(chunks, name, sink);
    }
  }
}

void unpack_zstd(Chunks& chunks, const std::string& name, const WindowLimit& limit,
                 const ByteSink& sink) {
  ZstdDecoder decoder(name, limit);
  std::vector<char> space(ZSTD_DStreamOutSize());
  for (std::string_view bytes = chunks.rest(); !bytes.empty(); bytes = chunks.rest()) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer out{space.data(), space.size(), 0};
    do {
      out.pos = 0;
      decoder.step(in, out);
      sink({space.data(), out.pos});
    } while (in.pos < in.size || (out.pos == out.size && !decoder.is_between()));
    chunks.take(bytes.size());
  }
  if (!decoder.is_between()) refuse_packed(name, "truncated zstd");
}

std::string pack_gzip(std::string_view bytes) {
  z_stream stream{};
  if (::deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  constexpr std::size_t kWrapping = 64;
  std::string out(::deflateBound(&stream, bytes.size()) + kWrapping, '\0');
  stream.next_in = zlib_bytes(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = ::deflate(&stream, Z_FINISH);
  out.erase(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::logic_error("gzip: the bound was too small");
  return out;
}

std::string pack_zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kZstdLevel);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  out.resize(size);
  return out;
}

}  // namespace

std::uint64_t WindowLimit::bytes() const noexcept {
  constexpr std::uint64_t kOfZstd = std::uint64_t{1} << 27;
  if (memory_bytes == 0) return kOfZstd;
  return std::clamp(MemoryBudget{memory_bytes}.window_of_zstd(streams), kLeastBytes, kMostBytes);
}

std::uint64_t WindowLimit::memory_for(std::uint64_t window_bytes) const noexcept {
  return window_bytes * MemoryBudget::kPartsOfWindows * streams;
}

bool has_extension(std::string_view path, std::string_view extension) noexcept {
  if (path.size() < extension.size()) return false;
  const std::string_view end = path.substr(path.size() - extension.size());
  return std::equal(end.begin(), end.end(), extension.begin(),
                    [](char a, char b) { return ascii_lower(a) == b; });
}

Compression compression_by_extension(std::string_view path) noexcept {
  for (const Extension& extension : kExtensions) {
    if (has_extension(path, extension.text)) return extension.compression;
  }
  return Compression::none;
}

std::string_view without_compression_extension(std::string_view path) noexcept {
  for (const Extension& extension : kExtensions) {
    if (has_extension(path, extension.text)) {
      return path.substr(0, path.size() - extension.text.size());
    }
  }
  return path;
}

namespace {

// True if the bytes begin like a skippable zstd frame: 5? 2A 4D 18 (RFC 8878, 3.1.2).
bool begins_skippable(std::string_view bytes) noexcept {
  constexpr std::string_view kRest = "\x2A\x4D\x18";
  return !bytes.empty() && (static_cast<unsigned char>(bytes.front()) & 0xF0U) == 0x50 &&
         kRest.starts_with(bytes.substr(1, kRest.size()));
}

}  // namespace

Compression compression_by_magic(std::string_view bytes) noexcept {
  if (bytes.starts_with(kGzipMagic)) return Compression::gzip;
  if (bytes.starts_with(kZstdMagic)) return Compression::zstd;
  if (bytes.size() >= kZstdMagic.size() && begins_skippable(bytes)) return Compression::zstd;
  return Compression::none;
}

bool is_part_of_magic(std::string_view bytes) noexcept {
  const auto begins = [&](std::string_view magic) {
    return bytes.size() < magic.size() && magic.starts_with(bytes);
  };
  return begins(kGzipMagic) || begins(kZstdMagic) ||
         (bytes.size() < kZstdMagic.size() && begins_skippable(bytes));
}

void require_packed(Compression compression, std::string_view head, const std::string& name) {
  if (head.empty() || is_part_of_magic(head) || compression_by_magic(head) == compression) return;
  refuse_foreign_format(head, name);
  const bool is_gzip = compression == Compression::gzip;
  throw Error(ErrorKind::malformed_input, BadPlace{name},
              fmt::format("is not in {} format, despite its name", is_gzip ? "gzip" : "zstd"),
              fmt::format("remove {} from the name if the file is plain, or compress it",
                          is_gzip ? ".gz" : ".zst"));
}

void refuse_packed(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::malformed_input, BadPlace{name}, why,
              "recreate the file; for rows, --on-bad-row skip reads the complete rows before "
              "the damage");
}

void unpack(Compression compression, const ByteSource& source, const std::string& name,
            const ByteSink& sink, const WindowLimit& limit) {
  Chunks chunks(source);
  switch (compression) {
    case Compression::none:
      for (std::string_view bytes = chunks.rest(); !bytes.empty(); bytes = chunks.rest()) {
        sink(bytes);
        chunks.take(bytes.size());
      }
      break;
    case Compression::gzip:
      require_packed(compression, chunks.rest(), name);
      unpack_gzip(chunks, name, sink);
      break;
    case Compression::zstd:
      require_packed(compression, chunks.rest(), name);
      unpack_zstd(chunks, name, limit, sink);
      break;
  }
}

std::string pack(Compression compression, std::string_view bytes) {
  if (compression == Compression::none) return std::string(bytes);
  return compression == Compression::gzip ? pack_gzip(bytes) : pack_zstd(bytes);
}

}  // namespace sosie
