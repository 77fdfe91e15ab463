#include "io/journal.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "io/folder.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using Head = std::array<std::uint64_t, 3>;

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorKind::io, path + ": " + system_message(errno));
}

std::shared_ptr<const Descriptor> open_to_append(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (number < 0) fail(path);
  return std::make_shared<const Descriptor>(number);
}

std::uint64_t checksum_of(std::string_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t checksum_of(const Head& head, std::uint64_t at) noexcept {
  return XXH3_64bits_withSeed(head.data(), 2 * sizeof(std::uint64_t), at);
}

}  // namespace

Journal::Journal(std::string path, std::uint64_t flush_bytes)
    : path_(std::move(path)),
      descriptor_(open_to_append(path_)),
      file_(descriptor_, path_, 0, 0),
      flush_bytes_(flush_bytes) {
  sync_folder(folder_of(path_));
  const off_t size = ::lseek(descriptor_->number(), 0, SEEK_END);
  if (size < 0) fail(path_);
  find_records(static_cast<std::uint64_t>(size));
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
  // A loss of power may have left any bytes at the end: only there are records looked at wholly.
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
  Head head = {record.size(), checksum_of(record), 0};
  head[2] = checksum_of(head, end_);
  try {
    write({reinterpret_cast<const char*>(head.data()), sizeof head});
    write(record);
  } catch (const Error&) {
    (void)!::ftruncate(descriptor_->number(), static_cast<off_t>(end_));  // or when it is opened
    throw;
  }
  places_.push_back({end_ + sizeof head, record.size(), head[1]});
  end_ += sizeof head + record.size();
  unflushed_ += sizeof head + record.size();
  if (unflushed_ >= flush_bytes_) flush();
}

void Journal::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor_->number(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(path_);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

void Journal::flush() {
  if (unflushed_ > 0 && ::fsync(descriptor_->number()) != 0) fail(path_);
  unflushed_ = 0;
}

void Journal::clear() {
  places_.clear();
  end_ = 0;
  cut_off(0);
}

}  // namespace sosie
