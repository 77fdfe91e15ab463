#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.h"
#include "store/index/index_run.h"

namespace sosie {

// The write-ahead log of an index, with a record for each call that has changed the index since the
// manifest was written. When append() returns, both the record and the valid length of the log
// survive a power loss. A fault within this length is therefore damage, and bytes after it belong
// to a record that was never acknowledged. docs/formats/index.md.
class IndexLog {
 public:
  // Creates an empty log durably. Throws Error{io}.
  static void create(const std::string& folder, std::uint64_t number);
  // Returns null if the file does not exist. Throws Error{malformed_input}, with the place, for
  // damage, and Error{io}.
  [[nodiscard]] static std::unique_ptr<IndexLog> open(const std::string& folder,
                                                      std::uint64_t number, bool writes);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::vector<std::string>& records() const noexcept { return records_; }
  // End of the valid bytes.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return end_; }
  // Number of bytes after the valid ones; they belong to a call that did not return.
  [[nodiscard]] std::uint64_t torn_bytes() const noexcept { return torn_; }
  // Throws Error{malformed_input} if one of the two copies of the valid length is damaged.
  void check() const;

  // Throws Error{io}; if it does, the record does not exist.
  void append(std::string_view record);

 private:
  IndexLog(std::shared_ptr<const Descriptor> descriptor, std::string path, std::uint64_t number);
  void read_head(const std::string& bytes);
  void read_records(const std::string& bytes);
  [[nodiscard]] bool read_record(const std::string& bytes, std::uint64_t& at);
  void write_at(std::uint64_t offset, std::string_view bytes);
  void flush();

  std::shared_ptr<const Descriptor> descriptor_;
  std::string path_;
  std::uint64_t number_;
  std::uint64_t calls_ = 0;  // records that were acknowledged
  std::uint64_t end_ = 0;
  std::uint64_t torn_ = 0;
  std::uint64_t bad_place_ = 0;  // offset of a damaged copy of the length; 0: both are valid
  std::vector<std::string> records_;
};

// Location of an item: in a run, or after the last run in the log.
struct ItemPlace {
  std::uint32_t source;
  std::uint32_t item;

  friend bool operator==(const ItemPlace&, const ItemPlace&) = default;
  friend bool operator<(const ItemPlace& a, const ItemPlace& b) noexcept {
    return a.source != b.source ? a.source < b.source : a.item < b.item;
  }
};

// A record of the log: the changes of a call. Removals come first.
struct IndexRecord {
  struct Item {
    std::string bytes;
    std::vector<std::uint64_t> keys;  // one per band, or none for an item that matches nothing
  };
  std::vector<ItemPlace> removed;  // places in the runs of the manifest, and then in the log
  std::uint64_t next_number = 0;
  std::vector<Item> items;
};

[[nodiscard]] std::string pack_record(const IndexRecord& record);
// Throws Error{malformed_input} for invalid bytes; `path`: path of the log in messages.
[[nodiscard]] IndexRecord unpack_record(std::string_view bytes, const IndexShape& shape,
                                        const std::string& path);

}  // namespace sosie
