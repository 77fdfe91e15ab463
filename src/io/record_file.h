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

// Records of one size in scratch, appended by one thread and then read by number, by all. They lie
// in pages, each with an XXH3 of its bytes and its number, so that what a disk has changed or
// exchanged is an error and no result. Numbers are of 64 bits. Not compressed: nearly all of what a
// run puts aside are hashes.
class RecordFile {
 public:
  // Pages of `page_bytes`, checksum included: small ones for single records, large ones for runs.
  RecordFile(Scratch& scratch, std::size_t record_bytes, std::size_t page_bytes);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  // Throws Error{io}, Error{limit_exceeded}.
  void append(const void* records, std::size_t count);
  // To be called behind the last append() and before the first read().
  void finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t records_of_page() const noexcept { return records_of_page_; }

  // Copies records first .. first + count - 1; each thread keeps some small pages that it has read.
  // Throws Error{io} when they are not what was written.
  void read(std::uint64_t first, std::size_t count, void* out) const;
  // Reads one whole page: records page * records_of_page() .. ; `out` has room for all of a page.
  // Returns how many there are.
  std::size_t read_page(std::uint64_t page, void* out) const;

 private:
  void write_page();
  void read_checked(std::uint64_t page, char* bytes) const;
  // Bytes of a page until this thread asks for another one.
  [[nodiscard]] const char* page_at_hand(std::uint64_t page) const;

  std::uint64_t number_;  // no other file of the process has it
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

// A column of plain values by number, in a record file. Belongs to one thread; several readers may
// share a file.
template <class T>
class ColumnReader {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ColumnReader(const RecordFile& file)
      : file_(&file), page_(file.records_of_page()), first_(std::uint64_t{0} - page_.size()) {}

  // Neighbours are read from the file once.
  [[nodiscard]] const T& operator[](std::uint64_t number) {
    if (number - first_ >= page_.size()) {  // no division for the next one
      const std::uint64_t page = number / page_.size();
      file_->read_page(page, page_.data());
      first_ = page * page_.size();
    }
    return page_[number - first_];
  }

  // Copies records from `number` on.
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
  std::uint64_t first_;  // number of the first record of the page; at first beyond all numbers
};

}  // namespace sosie
