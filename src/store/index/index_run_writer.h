#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "io/external_sort.h"
#include "io/output_file.h"
#include "store/index/index_run.h"

namespace sosie {

// A block of keys of a band (pack_keys()).
struct PackedKeys {
  std::uint64_t first_key = 0;
  std::size_t entries = 0;
  std::string bytes;
};

// Writes a run: all items in the order of their numbers, then the keys of each band in order, those
// of the names last. The file appears under its name, flushed to disk, with finish(). It is of
// version 2 if its items have filter signatures.
class IndexRunWriter {
 public:
  // Throws as OutputFile does.
  IndexRunWriter(const std::string& folder, std::uint64_t number, const IndexShape& shape,
                 const std::atomic<bool>* cancel);

  void add_item(const SplitItem& item);
  [[nodiscard]] std::uint32_t items() const noexcept { return entry_.items; }
  // Behind the last item; the entries of a band ascend.
  void add_key(const KeyEntry& entry);
  // A full block, or the last of a band; not behind single keys.
  void add_keys(const PackedKeys& block);
  void end_band();
  [[nodiscard]] RunEntry finish();

 private:
  struct Band {
    std::uint64_t entries = 0;
    std::vector<std::uint64_t> first_keys;
    std::vector<std::uint32_t> bytes;
  };

  void write_block(std::string_view content);
  void write_filters();
  void end_items();
  void end_keys();
  [[nodiscard]] std::string footer() const;

  IndexShape shape_;
  OutputFile out_;
  std::string path_;
  std::string mark_;
  RunEntry entry_;
  std::vector<std::uint32_t> lengths_;  // lengths of the items of the open block
  std::string items_;                   // bytes of these
  std::string filters_;                 // their signatures
  std::vector<std::uint32_t> block_items_;
  std::vector<std::uint32_t> block_bytes_;
  std::vector<KeyEntry> keys_;  // entries of the open block
  std::vector<Band> bands_;
};

// Memory for the keys of a run that is built: what exceeds it is put aside, sorted.
struct KeyMemory {
  Scratch& scratch;
  std::uint64_t bytes;
};

// A run of items that come with their keys.
class IndexRunBuilder {
 public:
  IndexRunBuilder(const std::string& folder, std::uint64_t number, const IndexShape& shape,
                  const KeyMemory& memory, const std::atomic<bool>* cancel);

  // `bytes`: pack_item() made them, or unpack_item() took them; `keys`: one a band, none for an
  // item that matches nothing.
  void add(std::string_view bytes, std::span<const std::uint64_t> keys);
  [[nodiscard]] std::uint32_t items() const noexcept { return writer_.items(); }
  [[nodiscard]] RunEntry finish(ThreadPool& pool);

 private:
  // An entry without a gap behind it.
  struct SortedKey {
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t item;

    friend std::uint64_t sort_key(const SortedKey& entry) noexcept {
      return std::uint64_t{entry.high} << 32 | entry.low;
    }
  };

  using Band = ExternalSort<SortedKey>;

  [[nodiscard]] static std::vector<PackedKeys> pack(Band& band);

  IndexShape shape_;
  IndexRunWriter writer_;
  std::deque<Band> bands_;  // and the names
};

}  // namespace sosie
