#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/row_bits.h"
#include "io/file.h"
#include "io/scratch.h"

namespace sosie {

// Size of a block, the unit in which decompressed bytes are kept, for files without better
// knowledge.
inline constexpr std::uint64_t kKeptBlockBytes = std::uint64_t{4} << 10;

// Holds the kept blocks of all compressed files of a run: in memory up to a limit, then in scratch.
// Thread-safe.
class SlabStore {
 public:
  SlabStore(Scratch& scratch, std::uint64_t memory_bytes)
      : scratch_(scratch), memory_bytes_(memory_bytes), memory_left_(memory_bytes) {}
  ~SlabStore();
  SlabStore(const SlabStore&) = delete;
  SlabStore& operator=(const SlabStore&) = delete;

  // Bytes stored here.
  struct Slab {
    std::unique_ptr<char[]> bytes = {};  // null: they are in scratch
    std::uint64_t offset = 0;            // in the scratch file
  };
  // Returns nullopt if there is no space: keeping bytes only saves time. Throws Error{io}.
  [[nodiscard]] std::optional<Slab> put(std::string_view bytes);
  [[nodiscard]] std::optional<Slab> put_in_memory(std::string_view bytes);
  // Offset in scratch of bytes to be stored there; nullopt if there is no space.
  [[nodiscard]] std::optional<std::uint64_t> put_in_scratch(std::string_view bytes);
  void read(const Slab& slab, std::size_t from, char* out, std::size_t size) const;
  void read_scratch(std::uint64_t offset, char* out, std::size_t size) const;
  // Releases the memory of a slab that its owner has dropped.
  void give_back(std::size_t bytes) noexcept { memory_left_ += bytes; }
  // Limit of bytes in memory.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return memory_bytes_; }

 private:
  [[nodiscard]] bool take_memory(std::uint64_t bytes) noexcept;

  Scratch& scratch_;
  std::uint64_t memory_bytes_;
  std::atomic<std::uint64_t> memory_left_;
  std::mutex mutex_;
  std::unique_ptr<ScratchFile> file_;
};

// Blocks of a decompressed file that can be read in any order as cheaply as a plain file: either a
// prefix of the file, or the blocks chosen by passes over the file. One thread at a time adds
// blocks; many read.
class KeptBlocks {
 public:
  explicit KeptBlocks(SlabStore& store) : store_(store) {}
  ~KeptBlocks() { clear(); }
  KeptBlocks(const KeptBlocks&) = delete;
  KeptBlocks& operator=(const KeptBlocks&) = delete;

  // Reads bytes that are all kept; returns false if some are not. There are no bytes after the end
  // of the file.
  [[nodiscard]] bool read(std::uint64_t offset, char* out, std::size_t size) const;

  // Appends bytes to the kept prefix, in memory; returns false if there is no space.
  bool append(std::string_view bytes);
  // Size of the kept prefix in bytes.
  [[nodiscard]] std::uint64_t prefix_bytes() const;

  // Sets the size of the blocks of all passes, a power of two. Call it before the first pass.
  void set_block_bytes(std::uint64_t bytes) noexcept { block_bytes_ = bytes; }
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return block_bytes_; }

  // Begins a pass that keeps these of the first `end` blocks, none of which is kept yet. They are
  // counted.
  void begin_pass(RowBits blocks, std::uint64_t end);
  // Adds the next block or blocks of the pass; the last one of the file may be shorter. Returns
  // false if there is no space.
  bool add(std::string_view blocks);
  // Ends append() or a pass.
  void finish();

  [[nodiscard]] bool has(std::uint64_t block) const;
  // Discards all blocks.
  void clear();

 private:
  // Consecutive blocks, in slabs of equal size except the last.
  struct Run {
    bool is_prefix = false;
    RowBits blocks;         // for a pass
    std::uint64_t end = 0;  // for a pass: all its blocks are before this one
    std::vector<SlabStore::Slab> slabs;
    std::uint64_t bytes = 0;  // in slabs and in `last`
    std::string last;         // bytes that do not yet fill a slab
  };

  bool append_to(Run& run, std::string_view bytes);
  bool put(Run& run, std::string_view bytes);
  // Contiguous bytes of a run.
  struct Stretch {
    std::uint64_t place = 0;
    std::uint64_t bytes = 0;
  };
  // Finds `size` bytes from `offset` in the run, as far as it has them without a gap.
  [[nodiscard]] Stretch stretch_of(const Run& run, std::uint64_t offset, std::uint64_t size) const;
  void copy(const Run& run, std::uint64_t place, char* out, std::size_t size) const;

  SlabStore& store_;
  std::uint64_t block_bytes_ = kKeptBlockBytes;
  mutable std::shared_mutex mutex_;
  std::vector<Run> runs_;  // the prefix, if any, is first
};

}  // namespace sosie
