#pragma once

#include <algorithm>
#include <cstdint>

namespace sosie {

// How a run divides the memory it may take (`--memory`). The shares add up to less than the whole:
// the rest is for what the shares do not see (allocation, readers, what is about to be written).
// What a run needs however small its input (the program, caches of fixed size) comes on top: 64 MiB
// at most.
struct MemoryBudget {
  std::uint64_t bytes = 0;

  // What the scan may keep of the documents, besides sketches that leave it, before all goes to
  // scratch; grouping needs half as much again.
  [[nodiscard]] std::uint64_t kept_by_scan() const noexcept { return bytes * 3 / 8; }
  // What one window of the scan keeps until it is put aside.
  [[nodiscard]] std::uint64_t window() const noexcept { return bytes / 8; }
  // Ids that must lie in memory.
  [[nodiscard]] std::uint64_t ids() const noexcept { return bytes / 2; }
  // All sorts of one stage together.
  [[nodiscard]] std::uint64_t sorts() const noexcept { return bytes / 4; }
  // The state of documents that are grouped together.
  [[nodiscard]] std::uint64_t batch() const noexcept { return bytes * 3 / 8; }
  // The same where documents would have to be taken apart.
  [[nodiscard]] std::uint64_t largest_batch() const noexcept { return bytes / 2; }
  // What is known of the sets of documents in crowded buckets, besides a batch.
  [[nodiscard]] std::uint64_t crowds() const noexcept { return bytes / 8; }
  // The longest row that may be read: it is there in up to eight times its length (as it came, its
  // text, its shingles, in buffers that grow by half), and each worker may have one.
  static constexpr std::uint64_t kFormsOfRow = 8;
  // Of rows that are cut into characters: each of them is a shingle, 8 bytes in each form.
  static constexpr std::uint64_t kFormsOfCharacters = 48;
  [[nodiscard]] std::uint64_t longest_row(unsigned threads,
                                          std::uint64_t forms = kFormsOfRow) const noexcept {
    return bytes / forms / threads;
  }

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

}  // namespace sosie
