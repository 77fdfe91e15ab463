// A file of records that outlives its process; recognises the file before changing it.
#include "io/journal.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "io/folder.h"
#include "io/output_file.h"
#include "io/system.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using Head = std::array<std::uint64_t, 3>;

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorKind::io, path + ": " + system_message(errno));
}

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::invalid_option, path + ": " + problem,
              "nothing was changed; name another folder");
}

std::uint64_t checksum_of(std::string_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t checksum_of(const Head& head, std::uint64_t at) noexcept {
  return XXH3_64bits_withSeed(head.data(), 2 * sizeof(std::uint64_t), at);
}

std::uint64_t size_of(const Descriptor& file, const std::string& path) {
  const off_t size = ::lseek(file.number(), 0, SEEK_END);
  if (size < 0) fail(path);
  return static_cast<std::uint64_t>(size);
}

// Header of a record at `at`.
std::string head_of(std::string_view record, std::uint64_t checksum, std::uint64_t at) {
  Head head = {record.size(), checksum, 0};
  head[2] = checksum_of(head, at);
  return {reinterpret_cast<const char*>(head.data()), sizeof head};
}

// The first header identifies the file or, failing that, the mark after it.
void expect_beginning(const std::shared_ptr<const Descriptor>& descriptor, const std::string& path,
                      std::string_view mark) {
  const std::uint64_t size = size_of(*descriptor, path);
  if (size == 0) return;
  const File file(descriptor, path, 0, 0);
  std::string begin(std::min<std::uint64_t>(size, sizeof(Head) + mark.size()), '\0');
  file.read_at(0, begin.data(), begin.size());
  if (begin.size() >= sizeof(Head)) {
    Head head{};
    std::memcpy(head.data(), begin.data(), sizeof head);
    if (head[2] == checksum_of(head, 0)) return;
    if (begin.substr(sizeof head) == mark) return;
  }
  refuse(path, "is not a checkpoint file");
}

}  // namespace

void Journal::expect_journal(const std::string& path, std::string_view mark) {
  const auto descriptor = open_regular_file(path, O_RDONLY);
  if (descriptor) expect_beginning(descriptor, path, mark);
}

Journal::Journal(std::string path, std::string_view mark, std::uint64_t flush_bytes)
    : path_(std::move(path)),
      descriptor_(open_regular_file(path_, O_RDWR | O_CREAT | O_APPEND)),
      file_(descriptor_, path_, 0, 0),
      flush_bytes_(flush_bytes) {
  expect_beginning(descriptor_, path_, mark);
  sync_folder(folder_of(path_));
  find_records(size_of(*descriptor_, path_));
}

void Journal::find_records(std::uint64_t file_bytes) {
  while (true) {
    Head head{};
    const std::uint64_t begin = end_ + sizeof head;
    if (begin > file_bytes) break;
    file_.read_at(end_, reinterpret_cast<char*>(head.data()), sizeof head);
    if (head[2] != checksum_of(head, end_) || head[0] > file_bytes - begin) break;
    places_.push_back({begin, head[0], head[1]});
    end_ = begin + head[0];
  }
  // A power loss may have left arbitrary bytes at the end, so only the last records are read
  // completely.
  while (!places_.empty() && !read(places_.size() - 1)) {
    end_ = places_.back().begin - sizeof(Head);
    places_.pop_back();
  }
  if (end_ < file_bytes) cut_off(end_);
}

void Journal::cut_off(std::uint64_t end) {
  if (::ftruncate(descriptor_->number(), static_cast<off_t>(end)) != 0) fail(path_);
}

std::string Journal::head(std::size_t record, std::size_t bytes) const {
  const Place& place = places_[record];
  std::string head(std::min<std::uint64_t>(bytes, place.bytes), '\0');
  file_.read_at(place.begin, head.data(), head.size());
  return head;
}

std::optional<std::string> Journal::read(std::size_t record) const {
  const Place& place = places_[record];
  std::string bytes(place.bytes, '\0');
  file_.read_at(place.begin, bytes.data(), bytes.size());
  if (checksum_of(bytes) != place.checksum) return std::nullopt;
  return bytes;
}

void Journal::append(std::string_view record) {
  const std::uint64_t checksum = checksum_of(record);
  try {
    write(head_of(record, checksum, end_));
    write(record);
  } catch (const Error&) {
    (void)!::ftruncate(descriptor_->number(), static_cast<off_t>(end_));  // or when it is opened
    throw;
  }
  places_.push_back({end_ + sizeof(Head), record.size(), checksum});
  end_ += sizeof(Head) + record.size();
  unflushed_ += sizeof(Head) + record.size();
  if (unflushed_ >= flush_bytes_) flush();
}

void Journal::write(std::string_view bytes) { write_all(descriptor_->number(), bytes, path_); }

void Journal::flush() {
  if (unflushed_ > 0 && flush_file(descriptor_->number()) != 0) fail(path_);
  unflushed_ = 0;
}

void Journal::start(std::string_view record) {
  const std::uint64_t checksum = checksum_of(record);
  OutputFile file(path_, OutputFile::Durability::flushed_to_disk, Compression::none);
  file.write(head_of(record, checksum, 0));
  file.write(record);
  file.commit();
  descriptor_ = open_regular_file(path_, O_RDWR | O_APPEND);
  if (!descriptor_) fail(path_);
  file_ = File(descriptor_, path_, 0, 0);
  places_ = {{sizeof(Head), record.size(), checksum}};
  end_ = sizeof(Head) + record.size();
  unflushed_ = 0;
}

}  // namespace sosie
