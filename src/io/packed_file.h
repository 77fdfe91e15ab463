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

// Shared by the compressed files of a run: the pieces that were decompressed last, the streams that
// decompressed them, and the store of kept blocks. Thread-safe.
class PackedShelf {
 public:
  // `limit`: limits zstd windows; its memory is that of the run. `threads`: number of concurrent
  // readers.
  explicit PackedShelf(Scratch& scratch, const WindowLimit& limit = {}, unsigned threads = 1);

  using Piece = std::shared_ptr<const std::string>;
  // Null if the piece is not, or no longer, cached.
  [[nodiscard]] Piece find(const PackedFile* file, std::uint64_t number);
  void add(const PackedFile* file, std::uint64_t number, Piece piece);

  // The stream that was last returned for the file; null if it is not, or no longer, cached.
  [[nodiscard]] std::unique_ptr<PackedStream> take_stream(const PackedFile* file);
  void give_back(const PackedFile* file, std::unique_ptr<PackedStream> stream);

  [[nodiscard]] const WindowLimit& window_limit() const noexcept { return limit_; }

  // Decompressed blocks that are kept, and windows of access points.
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
  std::list<KeptPiece> pieces_;    // most recently used first
  std::list<KeptStream> streams_;  // likewise
};

// A compressed file that is read by decompressed position. Reading kept bytes (io/kept_blocks.h)
// costs as much as reading a plain file. Other bytes are decompressed anew from the preceding
// access point. At starts of members or frames, access points are 1 MiB apart; inside a gzip
// member, they are 4 MiB and 64 KiB of compressed bytes apart; in files beyond 64 GiB, the
// distances are larger. Sequential reading is cheap; a jump costs the bytes between the access
// point and the position. Once jumps have cost half of the file, the whole file is kept.
class PackedFile {
 public:
  PackedFile(File packed, Compression compression, std::shared_ptr<PackedShelf> shelf,
             const std::atomic<bool>* cancel);

  // Reads up to `size` bytes at `offset`, fewer only at the end; returns the number of bytes read.
  // Throws as unpack() does.
  [[nodiscard]] std::size_t read_some(std::uint64_t offset, char* out, std::size_t size);

  // The decompressed size. Decompresses the part that has not yet been reached.
  [[nodiscard]] std::uint64_t size();
  [[nodiscard]] std::uint64_t packed_size() const { return packed_.size(); }
  // The decompressed size; 0 if the end has not yet been reached.
  [[nodiscard]] std::uint64_t known_size();
  // Estimates the decompressed size from the first 4 MiB and the size given in the file, and from
  // nothing else.
  [[nodiscard]] std::uint64_t likely_size();

  // At first, all decompressed bytes are kept while there is memory. This call discards them; from
  // then on, keep() decides what is kept.
  void keep_chosen();
  // Keeps nothing, not even access points: for a file that is read only once and sequentially. May
  // be called only while a single thread uses the file.
  void keep_nothing() noexcept;

  // Sets the block size to about the size of a row, given this number of rows in this number of
  // decompressed bytes, so that kept rows take little more memory than their own bytes. Has no
  // effect after keep().
  void expect_rows(std::uint64_t rows, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return kept_.block_bytes(); }

  // Keeps the selected blocks (one bit for each block of block_bytes()) while there is space.
  // Unless all of them are already kept, decompresses the file once more and calls passed(n) after
  // every n further bytes. Other threads may read meanwhile.
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
  bool has_space_ = true;      // for further blocks
  bool has_passes_ = false;    // keep() was called
  std::uint64_t wasted_ = 0;   // bytes decompressed again to reach others
  std::uint64_t reached_ = 0;  // decompressed bytes covered by access points and pieces
  std::optional<std::uint64_t> size_;
  std::uint64_t first_bytes_ = 0;   // decompressed: up to 4 MiB for the estimated ratio
  std::uint64_t first_packed_ = 0;  // compressed size of these
};

}  // namespace sosie
