// Writes an output under a temporary name next to its final one, compressed and with write-back,
// then flushes and renames it; removes leftovers of killed processes.
#include "io/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/file.h"
#include "io/folder.h"
#include "io/output_key.h"
#include "io/system.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::uint64_t kWritebackBytes = std::uint64_t{4} << 20;

std::string name_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool exists_as_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// A new file gets the permissions that the umask allows; a replaced file keeps its mode, except for
// the set-user-ID and set-group-ID bits, which were granted to other content.
mode_t mode_for(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

[[noreturn]] void fail_writing(const std::string& path, int error_number) {
  if (error_number == EISDIR) {
    throw Error(ErrorKind::io, BadPlace{path}, "is a folder",
                "name a file; dedup -o FOLDER/, with the slash, writes a tree of files");
  }
  const bool is_address = error_number == ENOENT && path.find("://") != std::string::npos;
  throw Error(ErrorKind::io, BadPlace{path}, system_message(error_number),
              is_address ? "cannot write over the network; pipe the output (-o - | aws s3 cp - "
                           "s3://BUCKET/NAME), or use sosie from pip install 'sosie[remote]'"
                         : "");
}

[[noreturn]] void refuse_content(const std::string& path, std::string_view content) {
  throw Error(ErrorKind::invalid_option,
              path + ": is a terminal, which cannot display " + std::string(content),
              "use -o FILE, or a pipe into another program");
}

void flush_to_disk(int descriptor, const std::string& path) {
  if (flush_file(descriptor) != 0) fail_writing(path, errno);
}

bool is_pipe(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

// A named pipe can be opened once it has a reader.
int open_special(const std::string& path, const std::atomic<bool>* cancel) {
  constexpr int kLookEveryMs = 50;
  while (true) {
    throw_if_cancelled(cancel);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0) return descriptor;
    if (errno != ENXIO || !is_pipe(path)) fail_writing(path, errno);
    ::poll(nullptr, 0, kLookEveryMs);
  }
}

constexpr std::string_view kRandom = "XXXXXX";

std::string unfinished_prefix(const std::string& name) {
  return "." + (name.empty() ? name : name + ".") + "sosie-";
}

// The lock is held until the file has been removed, so that a run that has just created the file
// either gets the lock or notices that the file is gone.
void remove_if_abandoned(const std::filesystem::path& path) noexcept {
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (descriptor.number() < 0 || ::fstat(descriptor.number(), &status) != 0) return;
  if (status.st_uid != ::geteuid() || !is_on_local_file_system(descriptor.number())) return;
  if (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, const std::atomic<bool>* cancel)
    : OutputFile(path, Durability::flushed_to_disk, compression_by_extension(path), cancel) {}

OutputFile::OutputFile(const std::string& path, Durability durability)
    : OutputFile(path, durability, compression_by_extension(path)) {}

OutputFile::OutputFile(std::string path, Durability durability, Compression compression,
                       const std::atomic<bool>* cancel)
    : path_(std::move(path)),
      owned_(true),
      durability_(durability),
      compression_(compression),
      cancel_(cancel) {
  if (const int named = descriptor_named(path_); named >= 0) {
    descriptor_ = ::fcntl(named, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail_writing(path_, errno);
    return;
  }
  if (exists_as_special(path_)) {
    descriptor_ = open_special(path_, cancel_);
    if (compression_ == Compression::none || !is_terminal()) return;
    ::close(std::exchange(descriptor_, -1));  // no destructor will
    refuse_content(path_, "compressed data");
  }
  place_ = behind_links(path_);
  if (durability_ == Durability::flushed_to_disk) {
    remove_leftovers(folder_of(place_), name_of(place_));
  }
  make_temporary();
  ::fchmod(descriptor_, mode_for(path_));
}

void OutputFile::make_temporary() {
  do {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    temporary_ = unfinished_name(folder_of(place_), name_of(place_));
    descriptor_ = open_new_file(temporary_.data());
    if (descriptor_ < 0) {
      const int error_number = errno;
      temporary_.clear();
      fail_writing(path_, error_number);
    }
  } while (!claim_unfinished(descriptor_, temporary_));
  // finish() closes the descriptor; the file remains claimed until it has its final name.
  if (durability_ != Durability::flushed_to_disk) return;
  claim_ = std::make_unique<const Descriptor>(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0));
}

OutputFile::OutputFile(int descriptor, std::string name, const std::atomic<bool>* cancel)
    : path_(std::move(name)), descriptor_(descriptor), cancel_(cancel) {}

bool OutputFile::is_terminal() const noexcept { return ::isatty(descriptor_) != 0; }

void OutputFile::refuse_terminal(std::string_view content) const {
  if (is_terminal()) refuse_content(path_, content);
}

OutputFile::~OutputFile() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  const std::size_t members = pool_ == nullptr ? 1 : pool_->size();
  const std::size_t limit =
      compression_ == Compression::none ? kBufferBytes : members * kMemberBytes;
  if (buffer_.size() + bytes.size() > limit) flush();
  buffer_.append(bytes);
}

void OutputFile::write_member(std::string_view bytes) {
  write(bytes);
  if (has_members()) member_ends_.push_back(buffer_.size());
}

void OutputFile::flush() {
  if (!has_members()) {
    write_through(buffer_);
    buffer_.clear();
    return;
  }
  std::vector<std::size_t> ends = std::exchange(member_ends_, {});
  if (ends.empty()) {
    for (std::size_t end = kMemberBytes; end <= buffer_.size(); end += kMemberBytes) {
      ends.push_back(end);
    }
  }
  pack_members(ends);
}

// `ends`: in the buffer, in order.
void OutputFile::pack_members(std::span<const std::size_t> ends) {
  if (ends.empty()) return;
  std::vector<std::string> packed(ends.size());
  const auto pack_one = [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    packed[i] = pack(compression_, std::string_view(buffer_).substr(begin, ends[i] - begin));
  };
  if (pool_ == nullptr) {
    for (std::size_t i = 0; i < packed.size(); ++i) pack_one(i);
  } else {
    pool_->for_each(packed.size(), [&](unsigned /*worker*/, std::size_t i) { pack_one(i); });
  }
  for (const std::string& member : packed) write_through(member);
  buffer_.erase(0, ends.back());
  has_written_member_ = true;
}

void OutputFile::write_through(std::string_view bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    if (temporary_.empty()) wait_until_ready(descriptor_, POLLOUT, cancel_);
    const ssize_t wrote = ::write(descriptor_, rest.data(), rest.size());
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (wrote < 0 && errno == EPIPE && outlives_reader_) return;
    if (wrote < 0 && errno == EPIPE) throw ClosedPipe{};
    if (wrote < 0) fail_writing(path_, errno);
    rest.remove_prefix(static_cast<std::size_t>(wrote));
    written_ += static_cast<std::uint64_t>(wrote);
  }
  begin_writeback();
}

// Starts writing bytes to disk that finish() would flush, while the rest is still being produced:
// writing and flushing 100 MB of kept rows takes 55 ms instead of 94 (bench/DEAD_ENDS.md lists
// other attempts). This is only a hint; errors are reported by fsync.
void OutputFile::begin_writeback() noexcept {
  if (temporary_.empty() || durability_ != Durability::flushed_to_disk) return;
  if (written_ - sent_off_ < kWritebackBytes) return;
  begin_flush(descriptor_, static_cast<off_t>(sent_off_), static_cast<off_t>(written_ - sent_off_));
  sent_off_ = written_;
}

void OutputFile::finish() {
  if (std::exchange(finished_, true)) return;
  flush();
  if (has_members() && (!buffer_.empty() || !has_written_member_)) {
    pack_members(std::array{buffer_.size()});
  }
  if (!owned_) return;
  const bool durable = durability_ == Durability::flushed_to_disk;
  if (durable && !temporary_.empty()) flush_to_disk(descriptor_, path_);
  // The descriptor is closed even after EINTR.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail_writing(path_, errno);
}

void OutputFile::commit() {
  finish();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), place_.c_str()) != 0) fail_writing(path_, errno);
  temporary_.clear();
  if (durability_ != Durability::flushed_to_disk) return;
  sync_folder(folder_of(place_));
}

std::string unfinished_name(const std::string& folder, const std::string& name) {
  return folder + "/" + unfinished_prefix(name) + std::string(kRandom);
}

bool claim_unfinished(int descriptor, const std::string& path) noexcept {
  if (descriptor < 0) return false;
  // Not every file system supports locks; without them, leftovers stay.
  if (::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  if (!is_on_local_file_system(descriptor)) return true;  // nobody removes leftovers there
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void remove_leftovers(const std::string& folder, const std::string& name) noexcept {
  const std::string prefix = unfinished_prefix(name);
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string found = entry->path().filename().string();
    if (found.size() != prefix.size() + kRandom.size() || !found.starts_with(prefix)) continue;
    remove_if_abandoned(entry->path());
  }
}

}  // namespace sosie
