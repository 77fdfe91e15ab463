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

// Default size of a block, the unit in which decompressed bytes are kept, for files about which
// nothing better is known.
inline constexpr std::uint64_t kKeptBlockBytes = std::uint64_t{4} << 10;

// Stores the kept blocks of all compressed files of a run: in memory up to a limit, and beyond it
// in scratch. Thread-safe.
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
  // Returns nullopt if there is no space, which is harmless because keeping bytes only saves time.
  // Throws Error{io}.
  [[nodiscard]] std::optional<Slab> put(std::string_view bytes);
  [[nodiscard]] std::optional<Slab> put_in_memory(std::string_view bytes);
  // Offset in scratch at which the bytes are stored; nullopt if there is no space.
  [[nodiscard]] std::optional<std::uint64_t> put_in_scratch(std::string_view bytes);
  void read(const Slab& slab, std::size_t from, char* out, std::size_t size) const;
  void read_scratch(std::uint64_t offset, char* out, std::size_t size) const;
  // Releases the memory of a slab that its owner no longer needs.
  void give_back(std::size_t bytes) noexcept { memory_left_ += bytes; }
  // Maximum number of bytes in memory.
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
// prefix of the file, or blocks that passes over the file select. Only one thread at a time may add
// blocks; many may read.
class KeptBlocks {
 public:
  explicit KeptBlocks(SlabStore& store) : store_(store) {}
  ~KeptBlocks() { clear(); }
  KeptBlocks(const KeptBlocks&) = delete;
  KeptBlocks& operator=(const KeptBlocks&) = delete;

  // Reads bytes if all of them are kept, and otherwise returns false. Past the end of the file
  // there are no bytes to read.
  [[nodiscard]] bool read(std::uint64_t offset, char* out, std::size_t size) const;

  // Appends bytes to the kept prefix in memory; returns false if there is no space.
  bool append(std::string_view bytes);
  // Size of the kept prefix in bytes.
  [[nodiscard]] std::uint64_t prefix_bytes() const;

  // Sets the block size for all passes, a power of two. Must be called before the first pass.
  void set_block_bytes(std::uint64_t bytes) noexcept { block_bytes_ = bytes; }
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return block_bytes_; }

  // Begins a pass that keeps the selected blocks among the first `end` blocks. None of them may be
  // kept yet. `blocks` must have been counted.
  void begin_pass(RowBits blocks, std::uint64_t end);
  // Adds the next block or blocks of the pass; only the last block of the file may be shorter.
  // Returns false if there is no space.
  bool add(std::string_view blocks);
  // Must be called after the last append() and after each pass.
  void finish();

  [[nodiscard]] bool has(std::uint64_t block) const;
  // Discards all blocks.
  void clear();

 private:
  // Consecutive blocks in slabs. All slabs except the last have the same size.
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
  // Finds `size` bytes at `offset` in the run; fewer if the run does not have them all without a
  // gap.
  [[nodiscard]] Stretch stretch_of(const Run& run, std::uint64_t offset, std::uint64_t size) const;
  void copy(const Run& run, std::uint64_t place, char* out, std::size_t size) const;

  SlabStore& store_;
  std::uint64_t block_bytes_ = kKeptBlockBytes;
  mutable std::shared_mutex mutex_;
  std::vector<Run> runs_;  // the prefix, if any, is first
};

}  // namespace sosie
