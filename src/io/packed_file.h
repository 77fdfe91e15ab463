#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/file.h"
#include "io/packed_stream.h"
#include "io/scratch.h"

namespace sosie {

class PackedFile;

// Limit of the memory that unpacked pieces of all packed files take together.
inline constexpr std::uint64_t kMostPieceBytes = std::uint64_t{12} << 20;

// Bytes of one of some files.
struct Stretch {
  std::uint32_t file = 0;
  std::uint32_t size = 0;
  std::uint64_t offset = 0;
};

// Tells which stretches of these files will be read next, in any order, from many threads; ascends
// by file and offset. Stretches of packed files that would have to be unpacked for each read are
// collected in scratch, in one pass over each file, up to twice its packed size; stretches
// collected before are forgotten. Nothing may be read meanwhile.
void keep_at_hand(std::span<const File> files, std::span<const Stretch> stretches);

// A scratch file whose bytes are given back with it.
class StretchStore {
 public:
  explicit StretchStore(Scratch& scratch) : scratch_(scratch), file_(scratch) {}
  ~StretchStore() { scratch_.give_back(file_.size()); }
  StretchStore(const StretchStore&) = delete;
  StretchStore& operator=(const StretchStore&) = delete;
  [[nodiscard]] ScratchFile& file() noexcept { return file_; }

 private:
  Scratch& scratch_;
  ScratchFile file_;
};

// Shared by the packed files of a run: the pieces that were unpacked last, the streams that
// unpacked them, and the scratch file that pieces are put aside in. For many threads at once.
class PackedShelf {
 public:
  // `limit`: of windows of zstd.
  explicit PackedShelf(Scratch& scratch, const WindowLimit& limit = {})
      : scratch_(scratch), limit_(limit) {}

  using Piece = std::shared_ptr<const std::string>;
  // null when it is not there (any more).
  [[nodiscard]] Piece find(const PackedFile* file, std::uint64_t number);
  void add(const PackedFile* file, std::uint64_t number, Piece piece);

  // The stream that was given back for the file; null when it is not there (any more).
  [[nodiscard]] std::unique_ptr<PackedStream> take_stream(const PackedFile* file);
  void give_back(const PackedFile* file, std::unique_ptr<PackedStream> stream);

  [[nodiscard]] const WindowLimit& window_limit() const noexcept { return limit_; }

  // Puts bytes aside and returns where; nothing when --scratch-limit is near: what is put aside
  // saves time only. Throws Error{io}.
  [[nodiscard]] std::optional<std::uint64_t> store(std::string_view bytes);
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;

  // A new place for stretches.
  [[nodiscard]] std::shared_ptr<StretchStore> new_store() const {
    return std::make_shared<StretchStore>(scratch_);
  }
  [[nodiscard]] bool has_room(std::uint64_t bytes) const noexcept {
    return scratch_.has_room(bytes);
  }

 private:
  struct KeptPiece {
    const PackedFile* file;
    std::uint64_t number;
    Piece bytes;
  };
  struct KeptStream {
    const PackedFile* file;
    std::unique_ptr<PackedStream> stream;
  };

  [[nodiscard]] bool keeps_too_much() const noexcept;

  Scratch& scratch_;
  WindowLimit limit_;
  std::mutex mutex_;
  std::list<KeptPiece> pieces_;    // the last used one first
  std::list<KeptStream> streams_;  // likewise
  std::mutex stored_mutex_;
  std::unique_ptr<ScratchFile> stored_;
};

// A packed file, read by unpacked position. The first bytes, up to the packed size of the file, are
// put aside in scratch when they are unpacked; others are unpacked again from the access point
// before them. How far apart these are: 1 MiB where members or frames begin, 4 MiB and 64 KiB of
// the packed bytes inside a member of gzip, and ever more in files beyond 64 GiB. Reading in order
// is cheap; a jump costs what lies between the access point and the place.
class PackedFile {
 public:
  PackedFile(File packed, Compression compression, std::shared_ptr<PackedShelf> shelf,
             const std::atomic<bool>* cancel);

  // Puts nothing (more) aside: the file is going to be read in order, once. To be called while one
  // thread knows the file.
  void keep_nothing() noexcept { keeps_ = false; }

  // Up to `size` bytes at `offset`, fewer at the end; returns how many. Throws as unpack() does.
  [[nodiscard]] std::size_t read_some(std::uint64_t offset, char* out, std::size_t size);

  // Unpacked bytes; unpacks all that was not reached yet.
  [[nodiscard]] std::uint64_t size();
  // ~0 while the end was not reached.
  [[nodiscard]] std::uint64_t known_size();
  // About the unpacked size, from the first 4 MiB and what the file claims. Depends on nothing
  // else.
  [[nodiscard]] std::uint64_t likely_size();

  // Throws as File::require_unchanged() does.
  void require_unchanged() const { packed_.require_unchanged(); }

  // Bytes of scratch that collect() may still take.
  [[nodiscard]] std::uint64_t room_for_stretches() const;
  // See keep_at_hand(). `store` is null at first, and made when it is needed.
  void collect(std::span<const Stretch> stretches, std::shared_ptr<StretchStore>& store);

 private:
  using Piece = PackedShelf::Piece;
  struct Collected {
    std::uint64_t offset;
    std::uint64_t place;  // in the store
    std::uint32_t size;
  };

  [[nodiscard]] bool read_collected(std::uint64_t offset, char* out, std::size_t size) const;

  [[nodiscard]] std::size_t read_piece(std::uint64_t number, std::size_t from, char* out,
                                       std::size_t size);
  [[nodiscard]] Piece unpack_piece(std::uint64_t number);
  [[nodiscard]] std::unique_ptr<PackedStream> stream_for(std::uint64_t number);
  [[nodiscard]] Piece next_piece(PackedStream& stream);
  void learn(const PackedStream& stream);
  void add_point(const PackedStream& stream);
  void keep(std::uint64_t number, const Piece& piece);
  [[nodiscard]] std::uint64_t claimed_size() const;

  File packed_;
  Compression compression_;
  std::shared_ptr<PackedShelf> shelf_;
  const std::atomic<bool>* cancel_;
  std::mutex mutex_;
  std::vector<AccessPoint> points_;
  std::vector<std::uint64_t> stored_;  // the first pieces: where they are put aside
  std::uint64_t stored_bytes_ = 0;     // bytes stored for stretches and windows
  bool stores_ = true;                 // further pieces, while there is room
  bool keeps_ = true;                  // pieces and windows
  std::vector<Collected> collected_;   // by offset
  std::shared_ptr<StretchStore> store_;
  std::uint64_t reached_ = 0;  // unpacked bytes: so far the points and the pieces are known
  std::optional<std::uint64_t> size_;
  std::uint64_t first_bytes_ = 0;   // unpacked: up to 4 MiB that tell how well the file packs
  std::uint64_t first_packed_ = 0;  // packed bytes of these
};

}  // namespace sosie
