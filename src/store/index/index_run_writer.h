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

// Writes a run: all items in the order of their numbers, then the sorted keys of each band, and
// finally the keys of names. finish() flushes the file to disk and makes it appear under its name.
class IndexRunWriter {
 public:
  // Throws as OutputFile does.
  IndexRunWriter(const std::string& folder, std::uint64_t number, const IndexShape& shape,
                 const std::atomic<bool>* cancel);

  // An item without a filter signature gets zeros.
  void add_item(const IndexItem& item);
  [[nodiscard]] std::uint32_t items() const noexcept { return entry_.items; }
  // Must be called after the last item; the entries of a band must ascend.
  void add_key(const KeyEntry& entry);
  // Adds a full block, or the last block of a band. Must not follow single keys.
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
  ItemPacker block_;     // the items of the open block
  std::string filters_;  // their signatures
  std::vector<std::uint32_t> block_items_;
  std::vector<std::uint32_t> block_bytes_;
  std::vector<KeyEntry> keys_;  // entries of the open block
  std::vector<Band> bands_;
};

// Memory for the keys of a run that is being built, and the number of threads that sort them. Keys
// that do not fit are spilled in sorted order.
struct KeyMemory {
  Scratch& scratch;
  std::uint64_t bytes;
  unsigned threads = 1;
};

// Items that are added together, with their keys by column: one per band, and the names.
class NewItems {
 public:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  // Creates this number of places, each of which is then set or left out.
  void resize(std::size_t places, const IndexShape& shape);
  // `bytes`: from pack_item(); `keys`: one per band, or none for an item that matches nothing.
  // Different threads may set different places.
  void set(std::size_t place, std::string bytes, std::span<const std::uint64_t> keys);
  void leave_out(std::size_t place) { items_[place] = {}; }

  [[nodiscard]] std::size_t places() const noexcept { return items_.size(); }
  // Number of places that are not left out.
  [[nodiscard]] std::size_t count() const noexcept;
  // Empty for a place that is left out.
  [[nodiscard]] const std::string& bytes(std::size_t place) const noexcept {
    return items_[place].bytes;
  }
  [[nodiscard]] const IndexItem& item(std::size_t place) const noexcept {
    return items_[place].item;
  }
  // Keys of an item, as passed to set().
  [[nodiscard]] std::vector<std::uint64_t> keys(std::size_t place) const;
  // Keys of all places, column by column: kNoKey if there is none.
  [[nodiscard]] std::vector<std::uint64_t> take_columns() noexcept { return std::move(columns_); }

 private:
  struct Item {
    std::string bytes = {};
    IndexItem item = {};  // refers to these bytes
  };

  IndexShape shape_;
  std::vector<Item> items_;
  std::vector<std::uint64_t> columns_;
};

// Builds a run from items with their keys.
class IndexRunBuilder {
 public:
  IndexRunBuilder(const std::string& folder, std::uint64_t number, const IndexShape& shape,
                  const KeyMemory& memory, const std::atomic<bool>* cancel);

  // `bytes`: from pack_item(), or bytes that unpack_item() accepts; `keys`: one per band, or none
  // for an item that matches nothing.
  void add(std::string_view bytes, std::span<const std::uint64_t> keys);
  void add(NewItems& items);
  [[nodiscard]] std::uint32_t items() const noexcept { return writer_.items(); }
  [[nodiscard]] RunEntry finish();

 private:
  // An entry without trailing padding.
  struct SortedKey {
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t item;

    friend std::uint64_t sort_key(const SortedKey& entry) noexcept {
      return std::uint64_t{entry.high} << 32 | entry.low;
    }
    friend bool operator<(const SortedKey& a, const SortedKey& b) noexcept {
      const std::uint64_t left = sort_key(a);
      const std::uint64_t right = sort_key(b);
      return left != right ? left < right : a.item < b.item;
    }
  };

  using Band = ExternalSort<SortedKey>;

  // Keys of some items, column by column; places that are left out have no item.
  struct Waiting {
    std::uint32_t first_item;
    std::vector<bool> is_left_out;
    std::vector<std::uint64_t> columns;
  };

  void wait(Waiting keys);
  void end_singles();
  template <typename Each>
  void for_each_waiting(std::size_t band, const Each& each) const;
  void put_aside(std::size_t band);
  void put_all_aside();
  [[nodiscard]] std::vector<PackedKeys> packed(std::size_t band) const;

  IndexShape shape_;
  KeyMemory memory_;
  const std::atomic<bool>* cancel_;
  IndexRunWriter writer_;
  std::deque<Band> bands_;  // spilled keys of each band, and of the names
  std::vector<Waiting> waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::vector<std::uint64_t> singles_;  // keys of items added one by one, item by item
};

}  // namespace sosie
