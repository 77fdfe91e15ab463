// Pages of fixed-size records in scratch, each with a checksum.
#include "io/record_file.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "core/read_buffer.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);

// A buffer for the bytes of one page, kept by each thread.
char* page_buffer(std::size_t bytes) {
  thread_local ReadBuffer buffer;
  if (buffer.size() < bytes) buffer = ReadBuffer(bytes);
  return buffer.data();
}

// The small page that a thread read last, so that rows that are close to each other or requested
// again are read only once.
struct LastPage {
  std::uint64_t file = 0;  // number of the file; 0: none
  std::uint64_t page = 0;
  ReadBuffer bytes = {};
};
constexpr std::size_t kLastPages = 8;

LastPage& last_page(std::uint64_t file, std::uint64_t page) {
  thread_local std::array<LastPage, kLastPages> pages;
  return pages[(file + page) % kLastPages];
}

std::uint64_t next_number() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

RecordFile::RecordFile(Scratch& scratch, std::size_t record_bytes, std::size_t page_bytes)
    : number_(next_number()),
      scratch_(scratch),
      file_(scratch),
      record_bytes_(record_bytes),
      page_bytes_(std::max(page_bytes, record_bytes + kChecksumBytes)),
      records_of_page_((page_bytes_ - kChecksumBytes) / record_bytes) {}

RecordFile::~RecordFile() { scratch_.give_back(file_.size()); }

void RecordFile::append(const void* records, std::size_t count) {
  const char* bytes = static_cast<const char*>(records);
  if (page_.empty()) page_.resize(page_bytes_);
  while (count > 0) {
    const std::size_t fits = std::min(count, records_of_page_ - in_page_);
    std::memcpy(page_.data() + in_page_ * record_bytes_, bytes, fits * record_bytes_);
    bytes += fits * record_bytes_;
    in_page_ += fits;
    size_ += fits;
    count -= fits;
    if (in_page_ == records_of_page_) write_page();
  }
}

void RecordFile::finish() {
  if (in_page_ > 0) write_page();
  std::vector<char>().swap(page_);
}

void RecordFile::write_page() {
  const std::size_t used = page_bytes_ - kChecksumBytes;
  std::memset(page_.data() + in_page_ * record_bytes_, 0, used - in_page_ * record_bytes_);
  const std::uint64_t number = file_.size() / page_bytes_;
  const std::uint64_t checksum = XXH3_64bits_withSeed(page_.data(), used, number);
  std::memcpy(page_.data() + used, &checksum, kChecksumBytes);
  file_.append({page_.data(), page_bytes_});
  in_page_ = 0;
}

void RecordFile::read_checked(std::uint64_t page, char* bytes) const {
  file_.read_at(page * page_bytes_, bytes, page_bytes_);
  const std::size_t used = page_bytes_ - kChecksumBytes;
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes + used, kChecksumBytes);
  if (checksum != XXH3_64bits_withSeed(bytes, used, page)) {
    throw Error(ErrorKind::io, scratch_.folder() + ": scratch file corrupted (checksum mismatch)",
                "the disk or its driver corrupts data; choose another one with --scratch DIR");
  }
}

std::size_t RecordFile::read_page(std::uint64_t page, void* out) const {
  char* bytes = page_buffer(page_bytes_);
  read_checked(page, bytes);
  const std::uint64_t first = page * records_of_page_;
  const std::size_t count = std::min<std::uint64_t>(records_of_page_, size_ - first);
  std::memcpy(out, bytes, count * record_bytes_);
  return count;
}

const char* RecordFile::page_at_hand(std::uint64_t page) const {
  if (page_bytes_ > kSmallPage) {
    char* const bytes = page_buffer(page_bytes_);
    read_checked(page, bytes);
    return bytes;
  }
  LastPage& last = last_page(number_, page);
  if (last.file == number_ && last.page == page) return last.bytes.data();
  last.file = 0;
  if (last.bytes.size() < page_bytes_) last.bytes = ReadBuffer(kSmallPage);
  read_checked(page, last.bytes.data());
  last.file = number_;
  last.page = page;
  return last.bytes.data();
}

void RecordFile::read(std::uint64_t first, std::size_t count, void* out) const {
  char* to = static_cast<char*>(out);
  while (count > 0) {
    const std::size_t from = first % records_of_page_;
    const std::size_t part = std::min(count, records_of_page_ - from);
    const char* const bytes = page_at_hand(first / records_of_page_);
    std::memcpy(to, bytes + from * record_bytes_, part * record_bytes_);
    to += part * record_bytes_;
    first += part;
    count -= part;
  }
}

}  // namespace sosie
