#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candidates/group_equal_keys.h"
#include "store/index/index_log.h"
#include "store/index/index_manifest.h"
#include "store/index/index_run.h"

namespace sosie {

// Items that are only in the log so far, in memory with their keys.
class LogItems {
 public:
  explicit LogItems(const IndexShape& shape) : shape_(shape) {}

  // `keys`: one per band, or none.
  void add(std::string bytes, std::vector<std::uint64_t> keys);
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(items_.size());
  }
  [[nodiscard]] const std::string& bytes(std::uint32_t item) const { return items_[item]; }
  [[nodiscard]] std::span<const std::uint64_t> keys(std::uint32_t item) const {
    return keys_[item];
  }
  [[nodiscard]] IndexItem unpack(std::uint32_t item) const;
  [[nodiscard]] bool is_removed(std::uint32_t item) const { return removed_[item]; }
  // Returns false if it was already removed.
  bool remove(std::uint32_t item);
  [[nodiscard]] std::uint32_t present() const noexcept { return size() - removed_count_; }
  void find(std::size_t band, std::uint64_t key, std::vector<std::uint32_t>& items) const;

 private:
  IndexShape shape_;
  std::vector<std::string> items_;
  std::vector<std::vector<std::uint64_t>> keys_;
  std::vector<bool> removed_;
  std::uint32_t removed_count_ = 0;
  KeyTable by_band_;  // by key combined with the band
  KeyTable by_name_;
};

// Memory for one look-up at a time.
struct IndexBuffer {
  RunBuffer run;
  std::vector<std::uint32_t> items;
};

// A key of a row to be looked up, and an item found for a row.
struct RowKey {
  std::uint64_t key = 0;
  std::uint32_t row = 0;
};
struct RowPlace {
  std::uint32_t row = 0;
  ItemPlace place = {};
};

// A state of an index on disk. Thread-safe if each thread has its own buffer.
class IndexFolder {
 public:
  // Opens the current state, which a writer may go on to change. Throws Error{malformed_input} for
  // a folder that is not an index and for damage, Error{unsupported} for another version, and
  // Error{io}.
  explicit IndexFolder(std::string path, bool writes = false);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const IndexManifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const IndexShape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::vector<std::unique_ptr<IndexRun>>& runs() const noexcept {
    return runs_;
  }
  [[nodiscard]] const LogItems& log_items() const noexcept { return log_items_; }
  [[nodiscard]] const IndexLog& log() const noexcept { return *log_; }
  // Number of items.
  [[nodiscard]] std::uint64_t items() const noexcept;
  // Number of the next item, after all items of the log.
  [[nodiscard]] std::uint64_t next_number() const noexcept { return next_number_; }
  // Total size of its files.
  [[nodiscard]] std::uint64_t bytes() const;

  // Appends the items that share a key in at least one band, without duplicates, in the order of
  // their numbers.
  void find(std::span<const std::uint64_t> keys, IndexBuffer& buffer,
            std::vector<ItemPlace>& found) const;
  // Appends the items with these keys, which must ascend, in a band. Stops and returns false once
  // more than `most` items are listed. Each block of keys is read only once for all rows.
  [[nodiscard]] bool find_in_band(std::size_t band, std::span<const RowKey> keys, std::size_t most,
                                  IndexBuffer& buffer, std::vector<RowPlace>& found) const;
  // A hint to start reading the item at this place, or its filter signature.
  void begin_item(const ItemPlace& place) const;
  void begin_filter(const ItemPlace& place) const;
  // The item with this name.
  [[nodiscard]] std::optional<ItemPlace> find_name(std::string_view name,
                                                   IndexBuffer& buffer) const;
  // Filter signature of the item (a set) at a place, valid until the buffer is reused.
  [[nodiscard]] std::string_view filter(const ItemPlace& place, IndexBuffer& buffer) const;
  // The item at this place; it is valid until the buffer is used again. Its filter signature may be
  // stored separately.
  [[nodiscard]] IndexItem item(const ItemPlace& place, IndexBuffer& buffer) const;

  // Calls `take` for all items from number `first` on, in the order of their numbers; each item is
  // valid until the next one. Earlier blocks are not read, except for a few during a search.
  void for_each(const std::function<void(const IndexItem& item)>& take,
                std::uint64_t first = 0) const;

  // Reads every byte of the index and throws for the first fault.
  void check() const;

 private:
  friend class IndexWriter;

  // Represents an empty index in a folder without a manifest.
  IndexFolder(std::string path, IndexManifest manifest);
  [[nodiscard]] bool open(bool writes);
  void replay(const std::string& bytes);
  [[nodiscard]] bool is_removed(const ItemPlace& place) const;
  // Appends the items of a run, or of the log, with a key in a band to buffer.items.
  void find_in(std::size_t source, std::size_t band, std::uint64_t key, IndexBuffer& buffer) const;
  // Starts to read the blocks that may contain these keys, in a run from this band on and in all
  // later runs.
  void begin_find(std::span<const std::uint64_t> keys, std::size_t source, std::size_t band) const;
  // The remaining items of the log, as a single record.
  [[nodiscard]] IndexRecord record_of_log() const;
  // Returns false if it was already removed. In memory only.
  bool remove(const ItemPlace& place);

  std::string path_;
  IndexManifest manifest_;
  IndexShape shape_;
  std::vector<std::unique_ptr<IndexRun>> runs_;
  std::unique_ptr<IndexLog> log_;
  LogItems log_items_{shape_};
  std::uint64_t next_number_ = 0;
};

}  // namespace sosie
