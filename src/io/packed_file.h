#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/row_bits.h"
#include "io/file.h"
#include "io/kept_blocks.h"
#include "io/packed_stream.h"
#include "io/scratch.h"

namespace sosie {

class PackedFile;

// Shared by the packed files of a run: the pieces that were unpacked last, the streams that
// unpacked them, and what is kept of them. For many threads at once.
class PackedShelf {
 public:
  // `limit`: of windows of zstd; its memory is the run's. `threads` read at a time.
  explicit PackedShelf(Scratch& scratch, const WindowLimit& limit = {}, unsigned threads = 1);

  using Piece = std::shared_ptr<const std::string>;
  // null when it is not there (any more).
  [[nodiscard]] Piece find(const PackedFile* file, std::uint64_t number);
  void add(const PackedFile* file, std::uint64_t number, Piece piece);

  // The stream that was given back for the file; null when it is not there (any more).
  [[nodiscard]] std::unique_ptr<PackedStream> take_stream(const PackedFile* file);
  void give_back(const PackedFile* file, std::unique_ptr<PackedStream> stream);

  [[nodiscard]] const WindowLimit& window_limit() const noexcept { return limit_; }

  // Unpacked blocks that are kept, and windows of access points.
  [[nodiscard]] SlabStore& store() noexcept { return store_; }

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

  WindowLimit limit_;
  std::size_t most_pieces_;
  SlabStore store_;
  std::mutex mutex_;
  std::list<KeptPiece> pieces_;    // the last used one first
  std::list<KeptStream> streams_;  // likewise
};

// A packed file, read by unpacked position, which costs what reading a plain file does for bytes
// that are kept (io/kept_blocks.h). Others are unpacked again from the access point before them:
// points are 1 MiB apart where members or frames begin, 4 MiB and 64 KiB of the packed bytes inside
// a member of gzip, and ever more in files beyond 64 GiB. Reading in order is cheap; a jump costs
// what lies between the access point and the place. Once jumps have cost half of the file, all of
// it is kept.
class PackedFile {
 public:
  PackedFile(File packed, Compression compression, std::shared_ptr<PackedShelf> shelf,
             const std::atomic<bool>* cancel);

  // Up to `size` bytes at `offset`, fewer at the end; returns how many. Throws as unpack() does.
  [[nodiscard]] std::size_t read_some(std::uint64_t offset, char* out, std::size_t size);

  // Unpacked bytes; unpacks all that was not reached yet.
  [[nodiscard]] std::uint64_t size();
  [[nodiscard]] std::uint64_t packed_size() const { return packed_.size(); }
  // ~0 while the end was not reached.
  [[nodiscard]] std::uint64_t known_size();
  // About the unpacked size, from the first 4 MiB and what the file claims. Depends on nothing
  // else.
  [[nodiscard]] std::uint64_t likely_size();

  // At first all that is unpacked is kept in memory, as far as that has room. Forgets it: from now
  // on keep() says what is kept.
  void keep_chosen();
  // Keeps nothing, not even access points: the file is going to be read in order, once. To be
  // called while one thread knows the file.
  void keep_nothing() noexcept;

  // Chooses the size of blocks for so many rows in so many unpacked bytes: about that of a row, so
  // that rows which are kept take little more than their bytes. Once keep() was called it stays as
  // it is.
  void expect_rows(std::uint64_t rows, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return kept_.block_bytes(); }

  // Keeps these blocks (of block_bytes() each, a bit for each block of the file) as far as there is
  // room: unpacks the file once more, unless all of them are kept already, and calls passed(n)
  // for each n bytes that it comes further. Other threads may read.
  void keep(const RowBits& blocks, const std::function<void(std::uint64_t)>& passed);

  [[nodiscard]] Compression compression() const noexcept { return compression_; }
  // Throws as File::require_unchanged() does.
  void require_unchanged() const { packed_.require_unchanged(); }

 private:
  using Piece = PackedShelf::Piece;
  enum class Keeps : std::uint8_t { nothing, chosen, all };

  [[nodiscard]] std::size_t read_piece(std::uint64_t number, std::size_t from, char* out,
                                       std::size_t size);
  [[nodiscard]] Piece unpack_piece(std::uint64_t number);
  [[nodiscard]] std::unique_ptr<PackedStream> stream_for(std::uint64_t number);
  [[nodiscard]] Piece next_piece(PackedStream& stream);
  void learn(const PackedStream& stream);
  void add_point(const PackedStream& stream);
  void keep_first(std::uint64_t number, std::string_view piece);
  void keep_missing(RowBits blocks, const std::function<void(std::uint64_t)>& passed);
  void keep_rest();
  [[nodiscard]] std::uint64_t unpacked_size();
  [[nodiscard]] std::uint64_t block_count();
  [[nodiscard]] std::uint64_t claimed_size() const;

  File packed_;
  Compression compression_;
  std::shared_ptr<PackedShelf> shelf_;
  const std::atomic<bool>* cancel_;
  std::mutex mutex_;
  std::vector<AccessPoint> points_;
  KeptBlocks kept_;
  std::atomic<Keeps> keeps_ = Keeps::all;
  bool has_space_ = true;      // to keep more
  bool has_passes_ = false;    // keep() was called
  std::uint64_t wasted_ = 0;   // bytes that were unpacked again to get to others
  std::uint64_t reached_ = 0;  // unpacked bytes: so far the points and the pieces are known
  std::optional<std::uint64_t> size_;
  std::uint64_t first_bytes_ = 0;   // unpacked: up to 4 MiB that tell how well the file packs
  std::uint64_t first_packed_ = 0;  // packed bytes of these
};

}  // namespace sosie
