#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/row_bits.h"
#include "io/file.h"
#include "store/index/index_item.h"
#include "store/index/item_block.h"
#include "store/index/key_blocks.h"

namespace sosie {

// The layout of the filter signatures of a block of items in a run since version 2. They precede
// the items, in groups of eight signatures, each group followed by a checksum, so that a look-up
// can read the signature of a candidate without reading its block (docs/formats/index.md).
class FilterGroups {
 public:
  static constexpr std::uint64_t kItems = 8;  // in a group; the last one of a block may have fewer

  // `items`: number of items in the block; `components`: bytes per signature, or 0 if there are
  // none.
  FilterGroups(std::uint64_t items, std::uint64_t components) noexcept
      : items_(items), components_(components) {}

  // Number of bytes in all groups, including checksums. The items begin after them.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return components_ == 0 ? 0 : items_ * components_ + groups() * kChecksumBytes;
  }
  [[nodiscard]] std::uint64_t groups() const noexcept {
    return components_ == 0 ? 0 : (items_ + kItems - 1) / kItems;
  }
  // Position of a group, counted from the beginning of the block, and its size in bytes, including
  // the checksum.
  [[nodiscard]] std::uint64_t begin(std::uint64_t group) const noexcept {
    return group * (kItems * components_ + kChecksumBytes);
  }
  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t group) const noexcept {
    return std::min(kItems, items_ - group * kItems) * components_ + kChecksumBytes;
  }

 private:
  static constexpr std::uint64_t kChecksumBytes = sizeof(std::uint64_t);

  std::uint64_t items_;
  std::uint64_t components_;
};

// The sizes in an index that its plan determines.
struct IndexShape {
  std::size_t bands = 0;
  std::size_t components = 0;
  bool has_sets = true;  // elements of an item ascend

  // Lowest bits of keys that runs since version 3 leave out. If there are signatures, hits are
  // verified by their whole keys.
  [[nodiscard]] unsigned shorter_keys() const noexcept { return components > 0 ? 8 : 0; }
};

// A run, as listed in the manifest.
struct RunEntry {
  std::uint64_t number = 0;    // number of its file
  std::uint64_t bytes = 0;     // bytes of its file
  std::uint64_t checksum = 0;  // checksum of its footer
  std::uint32_t items = 0;
  std::vector<std::uint32_t> removed = {};  // items that are gone, ascending
};

// The blocks that a reader has read last. A buffer may outlive the runs with which it was used.
struct RunBuffer {
  std::uint64_t run = 0;  // serial number of the run of `block`; 0: none
  std::size_t block = 0;  // block of items
  std::string items;
  ItemBlock block_items;         // its items
  std::uint64_t filter_run = 0;  // likewise of `filters`
  std::uint64_t filter_begin = 0;
  std::string filters;        // a group of signatures
  std::uint64_t key_run = 0;  // likewise of `keys`
  std::size_t key_band = 0;
  std::size_t key_block = 0;
  KeyPosition key_cursor = {};
  std::string keys;
  // Starts to read blocks that will be needed, as described at ReadAhead; empty if none are known.
  std::function<void()> ahead = {};
};

// While this object exists, the first block that has to be read from disk causes `begin` to start
// reading the other blocks, so that the disk receives all requests at once.
class ReadAhead {
 public:
  ReadAhead(RunBuffer& buffer, std::function<void()> begin) : buffer_(buffer) {
    buffer_.ahead = std::move(begin);
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() { buffer_.ahead = nullptr; }

 private:
  RunBuffer& buffer_;
};

// An immutable run of an index: its items in the order of their numbers, and their keys, sorted by
// band (the last band contains the names). Every block is verified when it is read; damage throws
// Error{malformed_input} with file and offset. Many threads may read concurrently, each with a
// buffer of its own.
class IndexRun {
 public:
  // Returns null if the file does not exist. Throws Error{malformed_input}, Error{unsupported} for
  // another version, and Error{io}.
  [[nodiscard]] static std::unique_ptr<IndexRun> open(const std::string& path,
                                                      const RunEntry& entry,
                                                      const IndexShape& shape);

  [[nodiscard]] const std::string& path() const noexcept { return file_.name(); }
  [[nodiscard]] const RunEntry& entry() const noexcept { return entry_; }
  [[nodiscard]] std::uint32_t items() const noexcept { return entry_.items; }
  [[nodiscard]] std::uint32_t present() const noexcept { return entry_.items - removed_count_; }
  [[nodiscard]] bool is_removed(std::uint32_t item) const noexcept {
    return removed_count_ > 0 && removed_.test(item);
  }
  // Marks an item as removed; returns false if it was already removed. Only the single writer may
  // call it.
  bool remove(std::uint32_t item);
  // Removed items, ascending.
  [[nodiscard]] std::vector<std::uint32_t> removed() const;

  // Called after the last remove(): counts removed items, so that the number of remaining items
  // before an item is known.
  void count_removed() { removed_.count(); }
  [[nodiscard]] std::uint32_t present_before(std::uint32_t item) const noexcept {
    return removed_count_ == 0 ? item : item - static_cast<std::uint32_t>(removed_.rank(item));
  }

  // Start to read what find(), filter() and item() will read.
  void begin_find(std::size_t band, std::uint64_t key) const;
  void begin_filter(std::uint32_t item) const;
  void begin_item(std::uint32_t item) const;

  // Appends the items that have a key in a band, and perhaps a few with another key.
  void find(std::size_t band, std::uint64_t key, RunBuffer& buffer,
            std::vector<std::uint32_t>& items) const;
  // Likewise for a name.
  void find_name(std::string_view name, RunBuffer& buffer, std::vector<std::uint32_t>& items) const;
  // An item, valid until another one is read into the buffer.
  [[nodiscard]] IndexItem item(std::uint32_t item, RunBuffer& buffer) const;
  // The filter signature of an item, valid until the buffer is used again; empty or zeros for an
  // item without a set.
  [[nodiscard]] std::string_view filter(std::uint32_t item, RunBuffer& buffer) const;

  [[nodiscard]] std::size_t item_blocks() const noexcept { return item_places_.size() - 1; }
  // The number of a block such that no earlier block contains an item with this number or a higher
  // one.
  [[nodiscard]] std::size_t block_before(std::uint64_t number, RunBuffer& buffer) const;
  [[nodiscard]] std::uint32_t first_item(std::size_t block) const noexcept {
    return item_places_[block].first;
  }
  // Calls `take` for the items of a block, each valid until the next one.
  void for_each_of(std::size_t block, RunBuffer& buffer,
                   const std::function<void(std::uint32_t, const IndexItem&)>& take) const;
  [[nodiscard]] std::size_t key_blocks(std::size_t band) const noexcept {
    return key_places_[band].size() - 1;
  }
  [[nodiscard]] std::uint64_t first_key(std::size_t band, std::size_t block) const noexcept {
    return key_places_[band][block].first;
  }
  // False for a run that an earlier version of Sosie wrote.
  [[nodiscard]] bool has_last_version() const noexcept { return form_.is_packed; }
  // Bits by which the keys of this band are longer than in a new run.
  [[nodiscard]] unsigned more_key_bits(std::size_t band) const noexcept {
    if (has_last_version()) return 0;
    return band == shape_.bands ? kShorterNameKeys : shape_.shorter_keys();
  }
  // Appends the entries of a block of keys.
  void read_keys(std::size_t band, std::size_t block, RunBuffer& buffer,
                 std::vector<KeyEntry>& entries) const;
  // Reads everything and throws for the first fault.
  void check() const;

 private:
  // The first item or key of a block, and where the block begins; there is one more entry for the
  // end of the last block.
  struct ItemPlace {
    std::uint64_t offset;
    std::uint32_t first;
  };
  struct KeyPlace {
    std::uint64_t offset;
    std::uint64_t first;
  };

  IndexRun(File file, RunEntry entry, const IndexShape& shape);
  void read_footer();
  void read_item_places(class PackedReader& in);
  void read_key_places(class PackedReader& in);
  [[nodiscard]] std::string_view read_block(std::uint64_t begin, std::uint64_t end,
                                            std::function<void()>& ahead, std::string& bytes) const;
  [[nodiscard]] std::uint32_t items_of(std::size_t block) const noexcept {
    return item_places_[block + 1].first - item_places_[block].first;
  }
  [[nodiscard]] FilterGroups filters_of(std::size_t block) const noexcept {
    return {items_of(block), apart_};
  }
  [[nodiscard]] std::uint64_t items_begin(std::size_t block) const noexcept {
    return item_places_[block].offset + filters_of(block).bytes();
  }
  [[nodiscard]] std::string_view filter_group(std::size_t block, std::uint64_t group,
                                              RunBuffer& buffer) const;
  // The key of a band as this run stores it.
  [[nodiscard]] std::uint64_t stored_key(std::uint64_t key) const noexcept {
    return form_.is_packed ? key >> shape_.shorter_keys() : key;
  }
  void find_stored(std::size_t band, std::uint64_t key, RunBuffer& buffer,
                   std::vector<std::uint32_t>& items) const;
  [[nodiscard]] std::size_t first_block_of(std::size_t band, std::uint64_t key) const;
  [[nodiscard]] std::size_t block_of(std::uint32_t item) const;
  void read_items(std::size_t block, RunBuffer& buffer) const;
  [[nodiscard]] IndexItem item_of(std::size_t block, std::uint32_t item, RunBuffer& buffer) const;
  [[nodiscard]] KeyBlock key_block(std::size_t band, std::size_t block, RunBuffer& buffer) const;
  void check_keys(std::size_t band, RunBuffer& buffer) const;
  void check_items(RunBuffer& buffer) const;

  File file_;
  RunEntry entry_;
  IndexShape shape_;
  // Unique in this process, even if a later run has the same address.
  std::uint64_t serial_;
  std::uint64_t apart_ = 0;  // bytes of a filter signature that is stored outside its item
  ItemForm form_;
  std::uint64_t footer_begin_ = 0;
  std::uint32_t removed_count_ = 0;
  RowBits removed_;
  std::vector<ItemPlace> item_places_;
  std::vector<std::vector<KeyPlace>> key_places_;  // by band
  std::vector<std::uint64_t> key_counts_;          // entries by band
};

}  // namespace sosie
