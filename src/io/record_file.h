#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "io/file.h"
#include "io/scratch.h"

namespace sosie {

// Records of equal size in scratch, appended by one thread and then read by number, by any thread.
// They are stored in pages, each with an XXH3 of its bytes and its number, so that data changed or
// exchanged on disk causes an error instead of a wrong result. Numbers have 64 bits. Not
// compressed: nearly everything that a run spills is hashes.
class RecordFile {
 public:
  // `page_bytes`: includes the checksum; small for access to single records, large for runs.
  RecordFile(Scratch& scratch, std::size_t record_bytes, std::size_t page_bytes);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  // Throws Error{io}, Error{limit_exceeded}.
  void append(const void* records, std::size_t count);
  // Call it after the last append() and before the first read().
  void finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t records_of_page() const noexcept { return records_of_page_; }

  // Copies records first .. first + count - 1; each thread caches some small pages. Throws
  // Error{io} if they differ from what was written.
  void read(std::uint64_t first, std::size_t count, void* out) const;
  // Reads a whole page: records from page * records_of_page(); `out` has space for a full page.
  // Returns their number.
  std::size_t read_page(std::uint64_t page, void* out) const;

 private:
  void write_page();
  void read_checked(std::uint64_t page, char* bytes) const;
  // Bytes of a page, valid until this thread requests another one.
  [[nodiscard]] const char* page_at_hand(std::uint64_t page) const;

  std::uint64_t number_;  // unique among the files of the process
  Scratch& scratch_;
  ScratchFile file_;
  std::size_t record_bytes_;
  std::size_t page_bytes_;
  std::size_t records_of_page_;
  std::uint64_t size_ = 0;
  std::vector<char> page_;  // the last page, not yet written
  std::size_t in_page_ = 0;
};

inline constexpr std::size_t kSmallPage = 4096;
inline constexpr std::size_t kLargePage = std::size_t{32} << 10;

// A column of plain values by number, in a record file. Not thread-safe; several readers may share
// a file.
template <class T>
class ColumnReader {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ColumnReader(const RecordFile& file)
      : file_(&file), page_(file.records_of_page()), first_(std::uint64_t{0} - page_.size()) {}

  // Adjacent values are read from the file once.
  [[nodiscard]] const T& operator[](std::uint64_t number) {
    if (number - first_ >= page_.size()) {  // no division for the next one
      const std::uint64_t page = number / page_.size();
      file_->read_page(page, page_.data());
      first_ = page * page_.size();
    }
    return page_[number - first_];
  }

  // Copies records from `number`.
  void read(std::uint64_t number, std::span<T> out) {
    for (std::size_t done = 0; done < out.size();) {
      const T& first = (*this)[number + done];
      const auto left = static_cast<std::size_t>(page_.data() + page_.size() - &first);
      const std::size_t count = std::min(out.size() - done, left);
      std::copy_n(&first, count, out.data() + done);
      done += count;
    }
  }

 private:
  const RecordFile* file_;
  std::vector<T> page_;
  std::uint64_t first_;  // number of the first record of the page; initially above all numbers
};

}  // namespace sosie
