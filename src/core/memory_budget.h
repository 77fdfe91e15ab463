#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace sosie {

// Division of the memory that a run may take (`--memory`). The shares add up to less than the
// whole: the rest is for memory outside the shares (allocation, readers, output buffers). The
// constant part of a run (the program, caches of fixed size) comes on top: 64 MiB at most.
struct MemoryBudget {
  std::uint64_t bytes = 0;

  // Bytes of documents that the scan may keep, besides sketches that leave it, before all goes to
  // scratch; grouping needs half as much again.
  [[nodiscard]] std::uint64_t kept_by_scan() const noexcept { return bytes * 3 / 8; }
  // Bytes that one window of the scan keeps until it is put aside.
  [[nodiscard]] std::uint64_t window() const noexcept { return bytes / 8; }
  // Ids that must lie in memory.
  [[nodiscard]] std::uint64_t ids() const noexcept { return bytes / 2; }
  // All sorts of one stage together.
  [[nodiscard]] std::uint64_t sorts() const noexcept { return bytes / 4; }
  // The state of documents that are grouped together.
  [[nodiscard]] std::uint64_t batch() const noexcept { return bytes * 3 / 8; }
  // Largest batch where smaller ones would have to take documents apart.
  [[nodiscard]] std::uint64_t largest_batch() const noexcept { return bytes / 2; }
  // Bytes for facts about the sets of documents in hot buckets, besides a batch.
  [[nodiscard]] std::uint64_t hot_buckets() const noexcept { return bytes / 8; }
  // Shingle sets that stay at hand, a cache of fixed size for all threads together, and what a set
  // takes in it besides its hashes.
  static constexpr std::uint64_t kShingleSets = std::uint64_t{32} << 20;
  static constexpr std::uint64_t kShingleSetOverhead = 160;
  // The longest row that may be read: it is there in up to eight times its length (as it came, its
  // text, its shingles, in buffers that grow by half), and each worker may have one.
  static constexpr std::uint64_t kFormsOfRow = 8;
  // Forms of rows that are cut into characters: each character is a shingle, 8 bytes in each form.
  static constexpr std::uint64_t kFormsOfCharacters = 48;
  [[nodiscard]] std::uint64_t longest_row(unsigned threads,
                                          std::uint64_t forms = kFormsOfRow) const noexcept {
    return bytes / forms / threads;
  }

  // Unpacked blocks of packed inputs, which stay at hand (io/kept_blocks.h).
  [[nodiscard]] std::uint64_t unpacked() const noexcept { return bytes * 3 / 16; }

  // The largest window of a zstd frame, of which each of so many streams has one.
  static constexpr std::uint64_t kPartsOfWindows = 4;
  [[nodiscard]] std::uint64_t window_of_zstd(unsigned streams) const noexcept {
    return bytes / kPartsOfWindows / streams;
  }

  // Workers have buffers of their own.
  [[nodiscard]] unsigned threads(unsigned wanted) const noexcept {
    constexpr std::uint64_t kWorkerBytes = std::uint64_t{32} << 20;
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>(bytes / kWorkerBytes, 1, std::max(1U, wanted)));
  }
  // Blocks of input: rows may be short, and their sketches are longer than they are.
  [[nodiscard]] std::uint64_t block_bytes(unsigned threads) const noexcept {
    return std::clamp<std::uint64_t>(bytes / 1024 / threads, std::uint64_t{16} << 10,
                                     std::uint64_t{1} << 20);
  }
};

// Memory and CPUs that a process may take by its control group and the groups above it: a
// container's limits, or a job's on a shared machine.
struct ResourceLimits {
  std::uint64_t memory_bytes = std::numeric_limits<std::uint64_t>::max();
  unsigned cores = std::numeric_limits<unsigned>::max();  // a part of one counts as one
};

// Limits of this process. `mount` is where control groups are, of version 2 or 1; `own` says which
// of them is this process's (version 2, as proc(5) has it). What cannot be read limits nothing.
[[nodiscard]] ResourceLimits resource_limits(const std::string& mount = "/sys/fs/cgroup",
                                             const std::string& own = "/proc/self/cgroup");

}  // namespace sosie
