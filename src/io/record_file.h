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

// Records of equal size in scratch. One thread appends them; then any thread can read them by
// number. They are stored in pages, each with an XXH3 of the page's bytes and number, so that data
// damaged or misplaced on disk leads to an error instead of a wrong result. Numbers have 64 bits.
// Records are not compressed, because nearly everything that a run spills is hashes.
class RecordFile {
 public:
  // `page_bytes`: size of a page including its checksum; small for access to single records, large
  // for runs.
  RecordFile(Scratch& scratch, std::size_t record_bytes, std::size_t page_bytes);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  // Throws Error{io}, Error{limit_exceeded}.
  void append(const void* records, std::size_t count);
  // Must be called after the last append() and before the first read().
  void finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t records_of_page() const noexcept { return records_of_page_; }

  // Copies the records first .. first + count - 1. Each thread caches a few small pages. Throws
  // Error{io} if the data differ from what was written.
  void read(std::uint64_t first, std::size_t count, void* out) const;
  // Reads a whole page, whose first record is number page * records_of_page(). `out` must have
  // space for a full page. Returns the number of records.
  std::size_t read_page(std::uint64_t page, void* out) const;

 private:
  void write_page();
  void read_checked(std::uint64_t page, char* bytes) const;
  // The bytes of a page; they are valid until this thread requests another page.
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

// A column of plain values in a record file, accessed by number. Not thread-safe, but several
// readers may share a file.
template <class T>
class ColumnReader {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ColumnReader(const RecordFile& file)
      : file_(&file), page_(file.records_of_page()), first_(std::uint64_t{0} - page_.size()) {}

  // Values that are stored close together are read from the file only once.
  [[nodiscard]] const T& operator[](std::uint64_t number) {
    if (number - first_ >= page_.size()) {  // no division if the next value is on the same page
      const std::uint64_t page = number / page_.size();
      file_->read_page(page, page_.data());
      first_ = page * page_.size();
    }
    return page_[number - first_];
  }

  // Copies values, starting with value `number`.
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
