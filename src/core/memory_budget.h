#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace sosie {

// Divides the memory limit of a run (`--memory`) into shares. They add up to less than the limit;
// the rest is for memory that no share covers (allocator overhead, readers, output buffers). The
// constant memory of a run (the program, caches of fixed size) comes on top of the limit and is at
// most 64 MiB.
struct MemoryBudget {
  std::uint64_t bytes = 0;

  // Bytes of documents that the scan may keep, in addition to the sketches it emits, before it
  // moves everything to scratch. Grouping needs half as much again.
  [[nodiscard]] std::uint64_t kept_by_scan() const noexcept { return bytes * 3 / 8; }
  // Bytes that a window of the scan keeps before it is spilled.
  [[nodiscard]] std::uint64_t window() const noexcept { return bytes / 8; }
  // Ids that have to be in memory.
  [[nodiscard]] std::uint64_t ids() const noexcept { return bytes / 2; }
  // All sorts in a stage together.
  [[nodiscard]] std::uint64_t sorts() const noexcept { return bytes / 4; }
  // State of the documents that are grouped together.
  [[nodiscard]] std::uint64_t batch() const noexcept { return bytes * 3 / 8; }
  // Maximum size of a batch if smaller batches would have to separate related documents.
  [[nodiscard]] std::uint64_t largest_batch() const noexcept { return bytes / 2; }
  // Bytes for data on the sets of documents in hot buckets, in addition to a batch.
  [[nodiscard]] std::uint64_t hot_buckets() const noexcept { return bytes / 8; }
  // Cache for shingle sets, which has a fixed size and is shared by all threads, and its overhead
  // per set (not counting the hashes).
  static constexpr std::uint64_t kShingleSets = std::uint64_t{32} << 20;
  static constexpr std::uint64_t kShingleSetOverhead = 160;
  // Limits the length of a row: a row takes up to eight times its length in memory (input, text,
  // shingles, in buffers that grow by half), and each worker may hold one row.
  static constexpr std::uint64_t kFormsOfRow = 8;
  // Like kFormsOfRow, for rows that are cut into characters: each character is a shingle, which
  // takes 8 bytes in each form.
  static constexpr std::uint64_t kFormsOfCharacters = 48;
  [[nodiscard]] std::uint64_t longest_row(unsigned threads,
                                          std::uint64_t forms = kFormsOfRow) const noexcept {
    return bytes / forms / threads;
  }

  // Cache of decompressed blocks (io/kept_blocks.h).
  [[nodiscard]] std::uint64_t unpacked() const noexcept { return bytes * 3 / 16; }

  // Divisor that gives the largest window of a zstd frame; each of the concurrent streams has its
  // own window.
  static constexpr std::uint64_t kPartsOfWindows = 4;
  [[nodiscard]] std::uint64_t window_of_zstd(unsigned streams) const noexcept {
    return bytes / kPartsOfWindows / streams;
  }

  // Number of threads. It is limited because each worker has its own buffers.
  [[nodiscard]] unsigned threads(unsigned wanted) const noexcept {
    constexpr std::uint64_t kWorkerBytes = std::uint64_t{32} << 20;
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>(bytes / kWorkerBytes, 1, std::max(1U, wanted)));
  }
  // Size of input blocks. Rows may be short, and then their sketches are longer than the rows.
  [[nodiscard]] std::uint64_t block_bytes(unsigned threads) const noexcept {
    return std::clamp<std::uint64_t>(bytes / 1024 / threads, std::uint64_t{16} << 10,
                                     std::uint64_t{1} << 20);
  }
};

// Memory and CPUs that the control group of a process, and the groups above it, make available: the
// limits of a container, or of a job on a shared machine.
struct ResourceLimits {
  std::uint64_t memory_bytes = std::numeric_limits<std::uint64_t>::max();
  unsigned cores = std::numeric_limits<unsigned>::max();  // a fraction counts as one
};

// The limits of this process. `mount`: mount point of the control groups (version 2 or 1). `own`:
// file that names this process's group (version 2, as in proc(5)). Files that cannot be read impose
// no limit.
[[nodiscard]] ResourceLimits resource_limits(const std::string& mount = "/sys/fs/cgroup",
                                             const std::string& own = "/proc/self/cgroup");

}  // namespace sosie
