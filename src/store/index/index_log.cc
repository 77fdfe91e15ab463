// Write-ahead log of an index: serialises its records and finds their valid end.
#include "store/index/index_log.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>

#include "io/folder.h"
#include "io/system.h"
#include "sketch/band_keys.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/packed_writer.h"

namespace sosie {
namespace {

// The head is one sector. So is each of the two copies of the valid length, which are written
// alternately, so that a power loss leaves at least one of them intact.
constexpr std::uint64_t kSectorBytes = 512;
constexpr std::uint64_t kRecordsBegin = 3 * kSectorBytes;
constexpr std::size_t kLengthBytes = 3 * sizeof(std::uint64_t);
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // 4 MiB are written at most
constexpr std::size_t kRecordHeadBytes = 2 * sizeof(std::uint64_t);

std::string head_of(std::uint64_t number) {
  PackedWriter out;
  for (const char byte : index_mark("log")) out.value(byte);
  out.value(number);
  const std::uint64_t checksum = index_checksum(out.bytes(), 0);
  out.value(checksum);
  std::string head = out.bytes();
  head.resize(kSectorBytes);
  return head;
}

// A copy of the valid length after this many calls.
std::string length_of(std::uint64_t number, std::uint64_t calls, std::uint64_t end) {
  PackedWriter out;
  out.value(calls);
  out.value(end);
  const std::uint64_t checksum = index_checksum(out.bytes(), number);
  out.value(checksum);
  return out.bytes();
}

std::uint64_t length_place(std::uint64_t calls) noexcept { return kSectorBytes * (1 + calls % 2); }

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorKind::io, path + ": " + system_message(errno));
}

}  // namespace

IndexLog::IndexLog(std::shared_ptr<const Descriptor> descriptor, std::string path,
                   std::uint64_t number)
    : descriptor_(std::move(descriptor)), path_(std::move(path)), number_(number) {}

void IndexLog::create(const std::string& folder, std::uint64_t number) {
  const std::string path = index_file(folder, "log", number);
  const auto descriptor = open_regular_file(path, O_RDWR | O_CREAT | O_TRUNC);
  if (!descriptor) fail(path);
  std::string bytes = head_of(number);
  // The second copy counts once a call has been completed.
  for (std::uint64_t calls = 0; calls < 2; ++calls) {
    std::string place = length_of(number, calls == 1 ? ~std::uint64_t{0} : 0, kRecordsBegin);
    place.resize(kSectorBytes);
    bytes += place;
  }
  write_all(descriptor->number(), bytes, path);
  if (flush_file(descriptor->number()) != 0) fail(path);
  sync_folder(folder);
}

std::unique_ptr<IndexLog> IndexLog::open(const std::string& folder, std::uint64_t number,
                                         bool writes) {
  const std::string path = index_file(folder, "log", number);
  auto descriptor = open_regular_file(path, writes ? O_RDWR : O_RDONLY);
  if (!descriptor) return nullptr;
  const auto stamp = stamp_of(descriptor->number());
  if (stamp && stamp->size > kMostBytes) refuse_damage(path, kMostBytes, "the log is too long");
  const File file(descriptor, path, 0, stamp ? stamp->size : 0);
  std::string bytes(file.size(), '\0');
  bytes.resize(file.read_some(0, bytes.data(), bytes.size()));
  auto log = std::unique_ptr<IndexLog>(new IndexLog(std::move(descriptor), path, number));
  log->read_head(bytes);
  log->read_records(bytes);
  return log;
}

void IndexLog::read_head(const std::string& bytes) {
  if (bytes.size() < kRecordsBegin) refuse_damage(path_, bytes.size(), "the log is too short");
  const std::string_view mark = std::string_view(bytes).substr(0, kIndexMarkBytes);
  (void)version_of_mark(mark, "log", kIndexVersion, path_);
  if (bytes.substr(0, kSectorBytes) != head_of(number_)) {
    refuse_damage(path_, kIndexMarkBytes, "the head of the log differs");
  }
  for (std::uint64_t place = 0; place < 2; ++place) {
    const std::uint64_t at = kSectorBytes * (1 + place);
    const std::string_view sector = std::string_view(bytes).substr(at, kSectorBytes);
    PackedReader in(sector, path_);
    const auto number = in.value<std::uint64_t>();
    const auto end = in.value<std::uint64_t>();
    const bool is_right = sector.substr(0, kLengthBytes) == length_of(number_, number, end) &&
                          sector.find_first_not_of('\0', kLengthBytes) == std::string_view::npos;
    const bool is_unused = number == ~std::uint64_t{0} && place == 1;
    if (!is_right || end < kRecordsBegin || (!is_unused && length_place(number) != at)) {
      if (bad_place_ > 0) refuse_damage(path_, at, "both valid lengths of the log are damaged");
      bad_place_ = at;
      continue;
    }
    if (is_unused) continue;
    if (number >= calls_) {
      calls_ = number;
      end_ = end;
    }
  }
  if (end_ == 0) end_ = kRecordsBegin;  // the place that is well knows of no call
}

// Returns false if no complete record begins there.
bool IndexLog::read_record(const std::string& bytes, std::uint64_t& at) {
  if (bytes.size() - at < kRecordHeadBytes) return false;
  PackedReader in(std::string_view(bytes).substr(at, kRecordHeadBytes), path_);
  const auto length = in.value<std::uint64_t>();
  const auto checksum = in.value<std::uint64_t>();
  const std::uint64_t begin = at + kRecordHeadBytes;
  if (length > bytes.size() - begin) return false;
  std::string record = bytes.substr(begin, length);
  if (index_checksum(record, at) != checksum) return false;
  records_.push_back(std::move(record));
  at = begin + length;
  return true;
}

void IndexLog::read_records(const std::string& bytes) {
  if (end_ > bytes.size()) refuse_damage(path_, bytes.size(), "the log is cut off");
  std::uint64_t at = kRecordsBegin;
  while (at < end_) {
    const std::uint64_t begin = at;
    if (!read_record(bytes, at) || at > end_) {
      refuse_damage(path_, begin, "the checksum of a record does not match");
    }
  }
  // The damaged copy, which the next call overwrites, may have included one more record.
  if (bad_place_ > 0) (void)read_record(bytes, at);
  end_ = at;
  torn_ = bytes.size() - end_;
}

void IndexLog::check() const {
  if (bad_place_ > 0) refuse_damage(path_, bad_place_, "a valid length of the log is damaged");
}

void IndexLog::write_at(std::uint64_t offset, std::string_view bytes) {
  if (::lseek(descriptor_->number(), static_cast<off_t>(offset), SEEK_SET) < 0) fail(path_);
  write_all(descriptor_->number(), bytes, path_);
}

void IndexLog::flush() {
  if (flush_file(descriptor_->number()) != 0) fail(path_);
}

void IndexLog::append(std::string_view record) {
  if (torn_ > 0) {
    if (::ftruncate(descriptor_->number(), static_cast<off_t>(end_)) != 0) fail(path_);
    torn_ = 0;
  }
  PackedWriter head;
  head.value(std::uint64_t{record.size()});
  head.value(index_checksum(record, end_));
  try {
    write_at(end_, head.bytes() + std::string(record));
    flush();
  } catch (const Error&) {
    (void)!::ftruncate(descriptor_->number(), static_cast<off_t>(end_));  // or the next writer does
    throw;
  }
  const std::uint64_t end = end_ + head.bytes().size() + record.size();
  write_at(length_place(calls_ + 1), length_of(number_, calls_ + 1, end));
  flush();
  end_ = end;
  ++calls_;
  records_.emplace_back(record);
}

std::string pack_record(const IndexRecord& record) {
  PackedWriter out;
  out.value(std::uint64_t{record.removed.size()});
  for (const ItemPlace& place : record.removed) {
    out.value(place.source);
    out.value(place.item);
  }
  out.value(record.next_number);
  out.value(std::uint64_t{record.items.size()});
  for (const IndexRecord::Item& item : record.items) {
    out.text(item.bytes);
    out.column(std::span<const std::uint64_t>(item.keys));
  }
  return out.bytes();
}

IndexRecord unpack_record(std::string_view bytes, const IndexShape& shape,
                          const std::string& path) {
  PackedReader in(bytes, path, "restore the folder from a backup, or rebuild the index");
  IndexRecord record;
  record.removed.resize(in.count(2 * sizeof(std::uint32_t)));
  for (ItemPlace& place : record.removed) {
    place.source = in.value<std::uint32_t>();
    place.item = in.value<std::uint32_t>();
  }
  record.next_number = in.value<std::uint64_t>();
  record.items.resize(in.count(sizeof(std::uint64_t)));
  for (IndexRecord::Item& item : record.items) {
    item.bytes = in.text();
    const auto unpacked = unpack_item(item.bytes, shape.components);
    if (!unpacked) in.refuse();
    if (unpacked->size == 0) continue;
    item.keys = in.column<std::uint64_t>(shape.bands);
    for (const std::uint64_t key : item.keys) {
      if (key >> kBandKeyBits != 0) in.refuse();
    }
  }
  in.expect_end();
  return record;
}

}  // namespace sosie
