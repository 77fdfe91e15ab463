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

// Bytes of a block, the unit in which unpacked bytes are kept, of files that nothing is known of.
inline constexpr std::uint64_t kKeptBlockBytes = std::uint64_t{4} << 10;

// Holds the kept blocks of all packed files of a run: in memory up to a limit, then in scratch. For
// many threads at once.
class SlabStore {
 public:
  SlabStore(Scratch& scratch, std::uint64_t memory_bytes)
      : scratch_(scratch), memory_bytes_(memory_bytes), memory_left_(memory_bytes) {}
  ~SlabStore();
  SlabStore(const SlabStore&) = delete;
  SlabStore& operator=(const SlabStore&) = delete;

  // Some bytes that were put here.
  struct Slab {
    std::unique_ptr<char[]> bytes = {};  // null: they lie in scratch
    std::uint64_t offset = 0;            // in the scratch file
  };
  // Nothing when there is no room: what is kept saves time only. Throws Error{io}.
  [[nodiscard]] std::optional<Slab> put(std::string_view bytes);
  [[nodiscard]] std::optional<Slab> put_in_memory(std::string_view bytes);
  // The offset in scratch of bytes that shall lie there; nothing when there is no room.
  [[nodiscard]] std::optional<std::uint64_t> put_in_scratch(std::string_view bytes);
  void read(const Slab& slab, std::size_t from, char* out, std::size_t size) const;
  void read_scratch(std::uint64_t offset, char* out, std::size_t size) const;
  // Counts the memory of a slab that its owner has dropped.
  void give_back(std::size_t bytes) noexcept { memory_left_ += bytes; }
  // Most bytes in memory.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return memory_bytes_; }

 private:
  [[nodiscard]] bool take_memory(std::uint64_t bytes) noexcept;

  Scratch& scratch_;
  std::uint64_t memory_bytes_;
  std::atomic<std::uint64_t> memory_left_;
  std::mutex mutex_;
  std::unique_ptr<ScratchFile> file_;
};

// Blocks of one unpacked file that can be read in any order at the price of plain ones: all from
// the beginning of the file on, or those that some passes over the file have chosen. One thread
// adds blocks at a time; many read.
class KeptBlocks {
 public:
  explicit KeptBlocks(SlabStore& store) : store_(store) {}
  ~KeptBlocks() { clear(); }
  KeptBlocks(const KeptBlocks&) = delete;
  KeptBlocks& operator=(const KeptBlocks&) = delete;

  // Reads bytes that are all kept; returns false if they are not. Bytes behind the end of the file
  // are none.
  [[nodiscard]] bool read(std::uint64_t offset, char* out, std::size_t size) const;

  // Adds the bytes behind those that are kept from the beginning, in memory; returns false when
  // there is no room.
  bool append(std::string_view bytes);
  // Bytes kept from the beginning.
  [[nodiscard]] std::uint64_t prefix_bytes() const;

  // Bytes of the blocks of all passes, a power of two; to be set before the first of them.
  void set_block_bytes(std::uint64_t bytes) noexcept { block_bytes_ = bytes; }
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return block_bytes_; }

  // Begins a pass that keeps these of the first `end` blocks, none of which is kept yet. They are
  // counted.
  void begin_pass(RowBits blocks, std::uint64_t end);
  // Adds the next one or more of the blocks of the pass; the last one of the file may be shorter.
  // Returns false when there is no room.
  bool add(std::string_view blocks);
  // Ends append() or a pass.
  void finish();

  [[nodiscard]] bool has(std::uint64_t block) const;
  // Forgets all.
  void clear();

 private:
  // Blocks one after another, in slabs of equal size but for the last one.
  struct Run {
    bool is_prefix = false;
    RowBits blocks;         // for a pass
    std::uint64_t end = 0;  // for a pass: no block is behind it
    std::vector<SlabStore::Slab> slabs;
    std::uint64_t bytes = 0;  // in slabs and in `last`
    std::string last;         // bytes that fill no slab yet
  };

  bool append_to(Run& run, std::string_view bytes);
  bool put(Run& run, std::string_view bytes);
  // Bytes that lie behind each other in a run.
  struct Stretch {
    std::uint64_t place = 0;
    std::uint64_t bytes = 0;
  };
  // Finds `size` bytes from `offset` on in the run, as far as it has them without a gap.
  [[nodiscard]] Stretch stretch_of(const Run& run, std::uint64_t offset, std::uint64_t size) const;
  void copy(const Run& run, std::uint64_t place, char* out, std::size_t size) const;

  SlabStore& store_;
  std::uint64_t block_bytes_ = kKeptBlockBytes;
  mutable std::shared_mutex mutex_;
  std::vector<Run> runs_;  // the prefix, if there is one, is the first
};

}  // namespace sosie
