// Reads packed files by unpacked position: pieces put aside, pieces at hand, and access points.
#include "io/packed_file.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostPieces = kMostPieceBytes / kPieceBytes;
constexpr std::size_t kMostStreams = 4;

constexpr std::uint64_t kFirstBytes = std::uint64_t{4} << 20;  // tell how well a file packs
constexpr std::uint64_t kBetweenMembers = std::uint64_t{1} << 20;
constexpr std::uint64_t kBetweenBlocks = std::uint64_t{4} << 20;
constexpr std::uint64_t kPackedBetweenBlocks = std::uint64_t{64} << 10;  // a window has 32 KiB
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
  if (pieces_.size() > kMostPieces) pieces_.pop_back();
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

// The last used stream stays whatever it takes: its file would be unpacked from the beginning for
// each piece otherwise.
bool PackedShelf::keeps_too_much() const noexcept {
  if (streams_.size() < 2) return false;
  std::uint64_t bytes = 0;
  for (const KeptStream& kept : streams_) bytes += kept.stream->held_bytes();
  return streams_.size() > kMostStreams || bytes > limit_.bytes() * limit_.streams;
}

std::optional<std::uint64_t> PackedShelf::store(std::string_view bytes) {
  const std::lock_guard lock(stored_mutex_);
  if (!scratch_.has_room(2 * bytes.size())) return std::nullopt;
  if (!stored_) stored_ = std::make_unique<ScratchFile>(scratch_);
  const std::uint64_t offset = stored_->size();
  stored_->append(bytes);
  return offset;
}

void PackedShelf::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  stored_->read_at(offset, out, size);
}

PackedFile::PackedFile(File packed, Compression compression, std::shared_ptr<PackedShelf> shelf,
                       const std::atomic<bool>* cancel)
    : packed_(std::move(packed)),
      compression_(compression),
      shelf_(std::move(shelf)),
      cancel_(cancel),
      points_(1) {}

void keep_at_hand(std::span<const File> files, std::span<const Stretch> stretches) {
  std::shared_ptr<StretchStore> store;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const auto end = std::find_if(stretches.begin(), stretches.end(),
                                  [&](const Stretch& stretch) { return stretch.file != i; });
    const auto of_file = stretches.first(static_cast<std::size_t>(end - stretches.begin()));
    stretches = stretches.subspan(of_file.size());
    if (PackedFile* packed = files[i].packed()) packed->collect(of_file, store);
  }
}

std::uint64_t PackedFile::room_for_stretches() const {
  return 2 * packed_.size() - std::min(2 * packed_.size(), stored_bytes_);
}

void PackedFile::collect(std::span<const Stretch> stretches, std::shared_ptr<StretchStore>& store) {
  collected_.clear();
  store_.reset();
  std::uint64_t left = room_for_stretches();
  std::string bytes;
  for (const Stretch& stretch : stretches) {
    const std::uint64_t last = (stretch.offset + stretch.size) / kPieceBytes;
    if (last < stored_.size()) continue;
    if (stretch.size > left || !shelf_->has_room(stretch.size)) return;
    bytes.resize(stretch.size);
    bytes.resize(read_some(stretch.offset, bytes.data(), bytes.size()));
    if (!store) store = shelf_->new_store();
    store_ = store;
    collected_.push_back({stretch.offset, store->file().size(), stretch.size});
    store->file().append(bytes);
    left -= stretch.size;
  }
}

// Reads bytes that are part of a collected stretch; returns false if they are not.
bool PackedFile::read_collected(std::uint64_t offset, char* out, std::size_t size) const {
  const auto after =
      std::upper_bound(collected_.begin(), collected_.end(), offset,
                       [](std::uint64_t at, const Collected& c) { return at < c.offset; });
  if (after == collected_.begin()) return false;
  const Collected& found = *(after - 1);
  if (offset + size > found.offset + found.size) return false;
  store_->file().read_at(found.place + (offset - found.offset), out, size);
  return true;
}

std::size_t PackedFile::read_some(std::uint64_t offset, char* out, std::size_t size) {
  if (read_collected(offset, out, size)) return size;
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t at = offset + done;
    const std::size_t from = at % kPieceBytes;
    const std::size_t want = std::min<std::size_t>(size - done, kPieceBytes - from);
    const std::size_t got = read_piece(at / kPieceBytes, from, out + done, want);
    done += got;
    if (got < want) break;
  }
  return done;
}

std::uint64_t PackedFile::size() {
  const std::lock_guard lock(mutex_);
  while (!size_) (void)unpack_piece(reached_ / kPieceBytes);
  return *size_;
}

std::uint64_t PackedFile::known_size() {
  const std::lock_guard lock(mutex_);
  return size_.value_or(~std::uint64_t{0});
}

std::uint64_t PackedFile::likely_size() {
  // A file of many members or frames says how large one of them is; this program writes members of
  // kMemberBytes.
  const std::uint64_t claimed = claimed_size();
  if (claimed >= packed_.size() / 2 && claimed != kMemberBytes) return claimed;
  const std::lock_guard lock(mutex_);
  while (first_bytes_ < kFirstBytes) {
    if (!unpack_piece(first_bytes_ / kPieceBytes) || first_bytes_ % kPieceBytes > 0) {
      return first_bytes_;
    }
  }
  const double ratio = static_cast<double>(first_bytes_) / static_cast<double>(first_packed_);
  return static_cast<std::uint64_t>(ratio * static_cast<double>(packed_.size()));
}

// The last member's, or the first frame's; 0 when it does not say. Gzip has the lowest 32 bits of
// it, so that larger files do not say.
std::uint64_t PackedFile::claimed_size() const {
  std::array<char, 18> bytes{};
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
  if (size_) {
    const std::uint64_t at = number * kPieceBytes + from;
    if (at >= *size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, *size_ - at));
  }
  if (number < stored_.size() && (size_ || (number + 1) * kPieceBytes <= reached_)) {
    const std::uint64_t place = stored_[number];
    lock.unlock();
    shelf_->read_at(place + from, out, size);
    return size;
  }
  Piece piece = shelf_->find(this, number);
  if (!piece) piece = unpack_piece(number);
  lock.unlock();
  if (!piece || from >= piece->size()) return 0;
  return piece->copy(out, size, from);
}

// null behind the end. The mutex is held.
PackedFile::Piece PackedFile::unpack_piece(std::uint64_t number) {
  std::unique_ptr<PackedStream> stream = stream_for(number);
  Piece piece;
  while (true) {
    if (cancel_ != nullptr && cancel_->load()) throw Error(ErrorKind::cancelled, "interrupted");
    const std::uint64_t at = (stream->position() + kPieceBytes - 1) / kPieceBytes;
    piece = next_piece(*stream);
    if (!piece) break;
    keep(at, piece);
    if (at == number) break;
  }
  shelf_->give_back(this, std::move(stream));
  return piece;
}

// Before the piece, as near as can be.
std::unique_ptr<PackedStream> PackedFile::stream_for(std::uint64_t number) {
  const std::uint64_t begin = number * kPieceBytes;
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
    shelf_->read_at(point.window_at, packed.data(), packed.size());
    window = unpack_window(packed);
  }
  stream->restart(point, window);
  return stream;
}

// The next whole piece, or what is left of the file; null at the end.
PackedFile::Piece PackedFile::next_piece(PackedStream& stream) {
  const std::uint64_t at = stream.position();
  std::size_t skip = (kPieceBytes - at % kPieceBytes) % kPieceBytes;
  std::string bytes(kPieceBytes, '\0');
  std::size_t filled = 0;
  while (filled < kPieceBytes) {
    const std::size_t want = skip > 0 ? skip : kPieceBytes - filled;
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
  if (at == first_bytes_ && first_bytes_ < kFirstBytes) {
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
  if (keeps_ && (stream.is_at_member() || stream.is_at_block())) add_point(stream);
}

void PackedFile::add_point(const PackedStream& stream) {
  const AccessPoint& last = points_.back();
  AccessPoint point = stream.here();
  const std::uint64_t least = stream.is_at_member() ? kBetweenMembers : kBetweenBlocks;
  if (point.unpacked - last.unpacked < std::max(least, point.unpacked / kManyPoints)) return;
  if (stream.is_at_block()) {
    if (point.packed - last.packed < kPackedBetweenBlocks) return;
    const std::string window = pack_window(stream.window());
    const auto place = shelf_->store(window);
    if (!place) return;
    point.window_at = *place;
    point.window_bytes = static_cast<std::uint32_t>(window.size());
    stored_bytes_ += window.size();
  }
  points_.push_back(point);
}

// Puts the first of the pieces aside that are reached in order.
void PackedFile::keep(std::uint64_t number, const Piece& piece) {
  const bool fits = stored_bytes_ + piece->size() <= packed_.size() + packed_.size() / 2;
  if (number == stored_.size() && keeps_ && stores_ && fits) {
    if (const auto place = shelf_->store(*piece)) {
      stored_.push_back(*place);
      stored_bytes_ += piece->size();
    } else {
      stores_ = false;
    }
  }
  shelf_->add(this, number, piece);
}

}  // namespace sosie
