#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.h"

namespace sosie {

// An append-only file of records that survives its process: each record is either complete or
// absent. If a process dies, the bytes after the last complete record are cut off when the file is
// next opened. Many threads may read concurrently as long as no thread appends.
// A record consists of three u64 and its bytes. The three are the number of bytes, their XXH3, and
// the XXH3 of the first two, seeded with the record's offset. The first record begins with a mark
// that identifies the purpose of the journal.
class Journal {
 public:
  // Opens the file or creates an empty one. Appended records are flushed to disk after every
  // `flush_bytes` bytes. Throws as expect_journal() does, before it changes the file.
  Journal(std::string path, std::string_view mark, std::uint64_t flush_bytes);

  // Throws Error{invalid_option} for a file that is neither empty nor a journal with this mark, for
  // a symbolic link and for anything else that is not a regular file. Throws Error{io}. The file
  // need not exist.
  static void expect_journal(const std::string& path, std::string_view mark);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  // The first bytes of a record as stored, without verification; fewer if the record is shorter.
  [[nodiscard]] std::string head(std::size_t record, std::size_t bytes) const;
  // The bytes of a record; nullopt if they differ from those that were appended. Throws Error{io}.
  [[nodiscard]] std::optional<std::string> read(std::size_t record) const;

  // Throws Error{io}. A record that was written only in part does not count.
  void append(std::string_view record);
  // Makes all appended records survive a power loss.
  void flush();
  // Replaces all records with a single one, which must begin with the mark. The old file remains
  // until the new file is on disk under its name. Throws Error{io}.
  void start(std::string_view record);

 private:
  struct Place {
    std::uint64_t begin;  // offset of the record's bytes
    std::uint64_t bytes;
    std::uint64_t checksum;
  };

  void find_records(std::uint64_t file_bytes);
  void cut_off(std::uint64_t end);
  void write(std::string_view bytes);

  std::string path_;
  std::shared_ptr<const Descriptor> descriptor_;
  File file_;
  std::uint64_t flush_bytes_;
  std::uint64_t unflushed_ = 0;
  std::uint64_t end_ = 0;  // end of the last record
  std::vector<Place> places_;
};

}  // namespace sosie
