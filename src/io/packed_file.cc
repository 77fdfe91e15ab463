// Reads compressed files by decompressed position: cached blocks, recent pieces, and access points.
#include "io/packed_file.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/memory_budget.h"
#include "core/piece_sizes.h"
#include "io/zstd_decoder.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::uint64_t piece_bytes() noexcept { return piece_size(std::uint64_t{1} << 20); }
// Threads that read in order request adjacent pieces, but not exactly in order.
constexpr std::size_t kPiecesOfThread = 2;
constexpr std::size_t kSparePieces = 4;
constexpr std::size_t kMostStreams = 4;
// Memory for kept blocks in runs without a limit.
constexpr std::uint64_t kKeptWithoutCap = std::uint64_t{256} << 20;

// Number of bytes used to estimate the compression ratio of a file.
std::uint64_t first_bytes() noexcept { return piece_size(std::uint64_t{4} << 20); }
std::uint64_t between_members() noexcept { return piece_size(std::uint64_t{1} << 20); }
std::uint64_t between_blocks() noexcept { return piece_size(std::uint64_t{4} << 20); }
// A window has 32 KiB.
std::uint64_t packed_between_blocks() noexcept { return piece_size(std::uint64_t{64} << 10); }
constexpr std::uint64_t kManyPoints = std::uint64_t{1} << 16;

std::string pack_window(std::string_view window) {
  std::string out(ZSTD_compressBound(window.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), window.data(), window.size(), 1));
  return out;
}

std::string unpack_window(std::string_view packed) {
  std::string out(std::size_t{1} << 15, '\0');
  const std::size_t size = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0) throw Error(ErrorKind::io, "scratch file corrupted");
  out.resize(size);
  return out;
}

}  // namespace

PackedShelf::PackedShelf(Scratch& scratch, const WindowLimit& limit, unsigned threads)
    : limit_(limit),
      most_pieces_(kPiecesOfThread * threads + kSparePieces),
      store_(scratch,
             piece_size(limit.memory_bytes == 0 ? kKeptWithoutCap
                                                : MemoryBudget{limit.memory_bytes}.unpacked())) {}

PackedShelf::Piece PackedShelf::find(const PackedFile* file, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(pieces_.begin(), pieces_.end(), [&](const KeptPiece& piece) {
    return piece.file == file && piece.number == number;
  });
  if (found == pieces_.end()) return nullptr;
  pieces_.splice(pieces_.begin(), pieces_, found);
  return found->bytes;
}

void PackedShelf::add(const PackedFile* file, std::uint64_t number, Piece piece) {
  const std::lock_guard lock(mutex_);
  pieces_.push_front({file, number, std::move(piece)});
  if (pieces_.size() > most_pieces_) pieces_.pop_back();
}

std::unique_ptr<PackedStream> PackedShelf::take_stream(const PackedFile* file) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const KeptStream& kept) { return kept.file == file; });
  if (found == streams_.end()) return nullptr;
  auto stream = std::move(found->stream);
  streams_.erase(found);
  return stream;
}

void PackedShelf::give_back(const PackedFile* file, std::unique_ptr<PackedStream> stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_front({file, std::move(stream)});
  while (keeps_too_much()) streams_.pop_back();
}

// The most recently used stream is kept regardless of its size: otherwise, its file would be
// decompressed from the beginning for each piece.
bool PackedShelf::keeps_too_much() const noexcept {
  if (streams_.size() < 2) return false;
  std::uint64_t bytes = 0;
  for (const KeptStream& kept : streams_) bytes += kept.stream->held_bytes();
  return streams_.size() > kMostStreams || bytes > limit_.bytes() * limit_.streams;
}

PackedFile::PackedFile(File packed, Compression compression, std::shared_ptr<PackedShelf> shelf,
                       const std::atomic<bool>* cancel)
    : packed_(std::move(packed)),
      compression_(compression),
      shelf_(std::move(shelf)),
      cancel_(cancel),
      points_(1),
      kept_(shelf_->store()) {}

void PackedFile::keep_chosen() {
  const std::lock_guard lock(mutex_);
  if (keeps_ != Keeps::all) return;
  keeps_ = Keeps::chosen;
  kept_.clear();
  // There are no access points up to the kept position.
  reached_ = 0;
  points_.resize(1);
}

void PackedFile::keep_nothing() noexcept {
  keeps_ = Keeps::nothing;
  kept_.clear();
}

void PackedFile::expect_rows(std::uint64_t rows, std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 64;
  constexpr int kBitsOfRank = 32;  // blocks are counted in so many
  const std::lock_guard lock(mutex_);
  if (has_passes_ || rows == 0) return;
  const std::uint64_t of_row = std::bit_floor(std::clamp(bytes / rows, kLeast, kKeptBlockBytes));
  kept_.set_block_bytes(std::max(of_row, std::bit_ceil((bytes >> kBitsOfRank) + 1)));
}

void PackedFile::keep(const RowBits& blocks, const std::function<void(std::uint64_t)>& passed) {
  const std::lock_guard lock(mutex_);
  if (!has_space_) return;
  const std::uint64_t end = block_count();
  RowBits missing(end);
  blocks.for_each([&](std::uint64_t block) {
    if (block < end && !kept_.has(block)) missing.set(block);
  });
  missing.count();
  keep_missing(std::move(missing), passed);
}

// The mutex must be held.
std::uint64_t PackedFile::block_count() {
  return (unpacked_size() + block_bytes() - 1) / block_bytes();
}

// Keeps the blocks that are not kept yet. The mutex must be held.
void PackedFile::keep_missing(RowBits blocks, const std::function<void(std::uint64_t)>& passed) {
  has_passes_ = true;
  if (blocks.size() == 0) return;
  const std::uint64_t end = block_count();
  const RowBits wanted = blocks;
  kept_.begin_pass(std::move(blocks), end);
  const std::uint64_t wasted_before =
      wasted_;  // bytes between the blocks are passed over on purpose
  const std::uint64_t blocks_of_piece = piece_bytes() / block_bytes();
  for (std::uint64_t at = 0; at < end && has_space_; at += blocks_of_piece) {
    Piece piece;
    const std::uint64_t piece_end = std::min(end, at + blocks_of_piece);
    for (std::uint64_t block = at; block < piece_end; ++block) {
      if (!wanted.test(block)) continue;
      const std::uint64_t first = block;
      while (block < piece_end && wanted.test(block)) ++block;
      if (!piece) piece = unpack_piece(at / blocks_of_piece);
      has_space_ =
          has_space_ && kept_.add(std::string_view(*piece).substr((first - at) * block_bytes(),
                                                                  (block - first) * block_bytes()));
    }
    if (passed) passed(std::min(piece_bytes(), *size_ - at * block_bytes()));
  }
  kept_.finish();
  wasted_ = wasted_before;
}

// Jumping now costs more than keeping everything. The mutex must be held.
void PackedFile::keep_rest() {
  wasted_ = 0;
  const std::uint64_t end = block_count();
  RowBits missing(end);
  for (std::uint64_t block = 0; block < end; ++block) {
    if (!kept_.has(block)) missing.set(block);
  }
  missing.count();
  keep_missing(std::move(missing), {});
}

std::size_t PackedFile::read_some(std::uint64_t offset, char* out, std::size_t size) {
  if (kept_.read(offset, out, size)) return size;
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t at = offset + done;
    const std::size_t from = at % piece_bytes();
    const std::size_t want = std::min<std::size_t>(size - done, piece_bytes() - from);
    const std::size_t got = read_piece(at / piece_bytes(), from, out + done, want);
    done += got;
    if (got < want) break;
  }
  return done;
}

std::uint64_t PackedFile::unpacked_size() {
  while (!size_) (void)unpack_piece(reached_ / piece_bytes());
  return *size_;
}

std::uint64_t PackedFile::size() {
  const std::lock_guard lock(mutex_);
  return unpacked_size();
}

std::uint64_t PackedFile::known_size() {
  const std::lock_guard lock(mutex_);
  return size_.value_or(~std::uint64_t{0});
}

std::uint64_t PackedFile::likely_size() {
  // A file with several members or frames gives only the size of one of them; this program writes
  // members of kMemberBytes.
  const std::uint64_t claimed = claimed_size();
  if (claimed >= packed_.size() / 2 && claimed != kMemberBytes) return claimed;
  const std::lock_guard lock(mutex_);
  while (first_bytes_ < first_bytes()) {
    if (!unpack_piece(first_bytes_ / piece_bytes()) || first_bytes_ % piece_bytes() > 0) {
      return first_bytes_;
    }
  }
  const double ratio = static_cast<double>(first_bytes_) / static_cast<double>(first_packed_);
  return static_cast<std::uint64_t>(ratio * static_cast<double>(packed_.size()));
}

// The size given by the last member or the first frame; 0 if it is not given. Gzip stores only the
// lowest 32 bits, so larger files do not give their size.
std::uint64_t PackedFile::claimed_size() const {
  std::array<char, kMostZstdHeadBytes> bytes{};
  if (compression_ == Compression::gzip) {
    if (packed_.size() < bytes.size() || packed_.size() >> 30 > 0) return 0;
    packed_.read_at(packed_.size() - 4, bytes.data(), 4);
    std::uint64_t size = 0;
    for (std::size_t i = 4; i-- > 0;) size = size << 8 | static_cast<unsigned char>(bytes[i]);
    return size;
  }
  const std::size_t count = packed_.read_some(0, bytes.data(), bytes.size());
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), count);
  return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
}

std::size_t PackedFile::read_piece(std::uint64_t number, std::size_t from, char* out,
                                   std::size_t size) {
  std::unique_lock lock(mutex_);
  const std::uint64_t at = number * piece_bytes() + from;
  if (size_) {
    if (at >= *size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, *size_ - at));
  }
  if (kept_.read(at, out, size)) return size;
  Piece piece = shelf_->find(this, number);
  if (!piece) piece = unpack_piece(number);
  if (size_ && wasted_ > *size_ / 2 && has_space_ && keeps_ != Keeps::nothing) keep_rest();
  lock.unlock();
  if (!piece || from >= piece->size()) return 0;
  return piece->copy(out, size, from);
}

// Null after the end. The mutex must be held.
PackedFile::Piece PackedFile::unpack_piece(std::uint64_t number) {
  std::unique_ptr<PackedStream> stream = stream_for(number);
  Piece piece;
  while (true) {
    if (cancel_ != nullptr && cancel_->load()) throw Error(ErrorKind::cancelled, "interrupted");
    const std::uint64_t at = (stream->position() + piece_bytes() - 1) / piece_bytes();
    const bool is_new = stream->position() >= reached_;
    piece = next_piece(*stream);
    if (!piece) break;
    keep_first(at, *piece);
    shelf_->add(this, at, piece);
    if (at == number) break;
    if (!is_new) wasted_ += piece->size();
  }
  if (!piece && keeps_ == Keeps::all) kept_.finish();
  shelf_->give_back(this, std::move(stream));
  return piece;
}

// A stream positioned before the piece, as close as possible.
std::unique_ptr<PackedStream> PackedFile::stream_for(std::uint64_t number) {
  const std::uint64_t begin = number * piece_bytes();
  std::unique_ptr<PackedStream> stream = shelf_->take_stream(this);
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), begin,
                       [](std::uint64_t at, const AccessPoint& p) { return at < p.unpacked; });
  const AccessPoint& point = *(after - 1);
  if (stream && stream->position() <= begin && stream->position() >= point.unpacked) return stream;
  if (!stream) {
    stream = std::make_unique<PackedStream>(
        compression_,
        [this](std::uint64_t offset, char* out, std::size_t size) {
          const std::uint64_t left = packed_.size() - std::min(offset, packed_.size());
          return packed_.read_some(offset, out,
                                   static_cast<std::size_t>(std::min<std::uint64_t>(size, left)));
        },
        packed_.name(), shelf_->window_limit());
  }
  std::string window;
  if (point.window_bytes > 0) {
    std::string packed(point.window_bytes, '\0');
    shelf_->store().read_scratch(point.window_at, packed.data(), packed.size());
    window = unpack_window(packed);
  }
  stream->restart(point, window);
  return stream;
}

// The next whole piece, or the rest of the file; null at the end.
PackedFile::Piece PackedFile::next_piece(PackedStream& stream) {
  const std::uint64_t at = stream.position();
  std::size_t skip = (piece_bytes() - at % piece_bytes()) % piece_bytes();
  std::string bytes(piece_bytes(), '\0');
  std::size_t filled = 0;
  while (filled < piece_bytes()) {
    const std::size_t want = skip > 0 ? skip : piece_bytes() - filled;
    const std::size_t got = stream.read(bytes.data() + filled, want);
    if (got == 0) {
      size_ = stream.position();
      break;
    }
    learn(stream);
    if (skip > 0) {
      skip -= got;
    } else {
      filled += got;
    }
  }
  if (at == first_bytes_ && first_bytes_ < first_bytes()) {
    first_packed_ = stream.packed_position();
    first_bytes_ += filled;
  }
  if (filled == 0) return nullptr;
  bytes.resize(filled);
  return std::make_shared<const std::string>(std::move(bytes));
}

void PackedFile::learn(const PackedStream& stream) {
  if (stream.position() <= reached_) return;
  reached_ = stream.position();
  if (keeps_ != Keeps::chosen) return;
  if (stream.is_at_member() || stream.is_at_block()) add_point(stream);
}

void PackedFile::add_point(const PackedStream& stream) {
  const AccessPoint& last = points_.back();
  AccessPoint point = stream.here();
  const std::uint64_t least = stream.is_at_member() ? between_members() : between_blocks();
  if (point.unpacked - last.unpacked < std::max(least, point.unpacked / kManyPoints)) return;
  if (stream.is_at_block()) {
    if (point.packed - last.packed < packed_between_blocks()) return;
    const std::string window = pack_window(stream.window());
    const auto place = shelf_->store().put_in_scratch(window);
    if (!place) return;
    point.window_at = *place;
    point.window_bytes = static_cast<std::uint32_t>(window.size());
  }
  points_.push_back(point);
}

// Keeps a piece that directly follows the pieces kept since the beginning. The mutex must be held.
void PackedFile::keep_first(std::uint64_t number, std::string_view piece) {
  if (keeps_ != Keeps::all || kept_.prefix_bytes() != number * piece_bytes()) return;
  if (!kept_.append(piece)) keeps_ = Keeps::chosen;
}

}  // namespace sosie
