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

// A file of records that only grows and outlives its process: each record is there wholly or not at
// all. What was written behind the last whole record when a process died is cut off as soon as the
// file is opened again. Many threads may read at once while none appends.
//
// A record is three u64 and its bytes: how many these are, their XXH3, and the XXH3 of these two
// seeded with where the record begins. The first record begins with a mark that says what the
// journal is for.
class Journal {
 public:
  // Opens the file, or makes an empty one. What is appended is flushed to disk whenever it has
  // become `flush_bytes`. Throws as expect_journal() does, before anything of the file is changed.
  Journal(std::string path, std::string_view mark, std::uint64_t flush_bytes);

  // Throws Error{invalid_option} for a file that is neither empty nor begins as a journal with this
  // mark does, for a symbolic link and for what is no regular file; Error{io}. A file that is not
  // there will do.
  static void expect_journal(const std::string& path, std::string_view mark);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  // The first bytes of a record as they are in the file, unchecked; fewer if it is shorter.
  [[nodiscard]] std::string head(std::size_t record, std::size_t bytes) const;
  // A record's bytes; nothing if they are not what was appended. Throws Error{io}.
  [[nodiscard]] std::optional<std::string> read(std::size_t record) const;

  // Throws Error{io}. What could not be written wholly is no record.
  void append(std::string_view record);
  // Makes all appended records outlive a loss of power.
  void flush();
  // Forgets all records but this one, which begins with the mark. Until the new file is on disk
  // under its name, the old one is there. Throws Error{io}.
  void start(std::string_view record);

 private:
  struct Place {
    std::uint64_t begin;  // begin of the record's bytes
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
