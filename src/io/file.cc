// Opens and reads files by position, spools pipes into scratch, waits for descriptors, and stamps
// files to see changes.
#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "core/count_text.h"
#include "io/packed_file.h"
#include "io/system.h"
#include "sosie/error.h"

namespace sosie {
namespace {

[[noreturn]] void fail(const std::string& name, int error_number) {
  throw Error(ErrorKind::io, BadPlace{name}, system_message(error_number));
}

[[noreturn]] void fail_scratch(const std::string& folder, int error_number) {
  throw Error(ErrorKind::io, BadPlace{folder}, system_message(error_number),
              "--scratch DIR names another one");
}

int open_in(const std::string& scratch) {
  const int descriptor = open_unnamed_file(scratch);
  if (descriptor < 0) fail_scratch(scratch, errno);
  return descriptor;
}

std::shared_ptr<const Descriptor> open_to_read(const std::string& path) {
  // O_NONBLOCK: a named pipe without a writer is waited for at a point where waiting can be
  // cancelled.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(path, errno);
  return std::make_shared<const Descriptor>(descriptor);
}

std::int64_t nanoseconds(const struct timespec& time) noexcept {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::optional<FileStamp> stamp_from(const struct stat& status) noexcept {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return FileStamp{.device = status.st_dev,
                   .inode = status.st_ino,
                   .size = static_cast<std::uint64_t>(status.st_size),
                   .links = status.st_nlink,
                   .modified_ns = nanoseconds(modified_at(status)),
                   .changed_ns = nanoseconds(changed_at(status))};
}

void unpack_into(const ByteSink& sink, Compression compression, const ByteSource& source,
                 const std::string& name, const std::atomic<bool>* cancel,
                 const WindowLimit& limit) {
  const auto checked = [&](std::string_view bytes) {
    if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
    sink(bytes);
  };
  unpack(compression, source, name, checked, limit);
}

}  // namespace

bool FileStamp::is_same(const FileStamp& other) const noexcept {
  return device == other.device && inode == other.inode && size == other.size &&
         modified_ns == other.modified_ns &&
         (changed_ns == other.changed_ns || links != other.links);
}

std::optional<FileStamp> stamp_of(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return stamp_from(status);
}

std::optional<FileStamp> stamp_of(const std::string& path) noexcept {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return stamp_from(status);
}

void require_unchanged(const std::string& name, const std::optional<FileStamp>& before,
                       const std::optional<FileStamp>& now) {
  if (before && now && before->is_same(*now)) return;
  throw Error(ErrorKind::io, BadPlace{name}, "changed while it was read",
              "no output was written; run again when nothing else writes to it");
}

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

File::File(const std::string& path) : descriptor_(open_to_read(path)), name_(path) { inspect(); }

File::File(int descriptor, std::string name)
    : descriptor_(std::make_shared<const Descriptor>(descriptor)), name_(std::move(name)) {
  inspect();
}

File::File(std::shared_ptr<const Descriptor> descriptor, std::string name, std::uint64_t begin,
           std::uint64_t size)
    : descriptor_(std::move(descriptor)),
      name_(std::move(name)),
      begin_(begin),
      size_(size),
      regular_(true) {}

File File::in_memory(std::string name, std::uint64_t size) {
  File file;
  file.name_ = std::move(name);
  file.size_ = size;
  file.in_memory_ = true;
  return file;
}

File File::in_memory(std::string name, std::shared_ptr<const MemoryFile> bytes) {
  File file;
  file.name_ = std::move(name);
  file.size_ = bytes->size();
  file.bytes_ = std::move(bytes);
  file.regular_ = true;
  return file;
}

File File::unpacking(File packed, Compression compression, std::shared_ptr<PackedShelf> shelf,
                     const std::atomic<bool>* cancel) {
  File file;
  file.name_ = packed.name();
  file.regular_ = true;
  file.stamp_ = packed.stamp_;
  file.packed_ =
      std::make_shared<PackedFile>(std::move(packed), compression, std::move(shelf), cancel);
  return file;
}

std::uint64_t File::packed_size() const { return packed_->size(); }

std::uint64_t File::known_packed_size() const { return packed_->known_size(); }

std::uint64_t File::likely_packed_size() const { return packed_->likely_size(); }

int File::descriptor() const noexcept { return descriptor_ ? descriptor_->number() : -1; }

void File::inspect() {
  struct stat status {};
  if (::fstat(descriptor_->number(), &status) != 0) fail(name_, errno);
  if (S_ISDIR(status.st_mode)) fail(name_, EISDIR);
  regular_ = S_ISREG(status.st_mode);
  size_ = regular_ ? static_cast<std::uint64_t>(status.st_size) : 0;
  stamp_ = stamp_from(status);
}

void File::close_between_reads() noexcept {
  if (regular_) descriptor_.reset();
}

void File::made_of(std::string path, const FileStamp& stamp) {
  made_of_ = std::move(path);
  stamp_ = stamp;
}

void File::require_unchanged() const {
  if (packed_ && made_of_.empty()) packed_->require_unchanged();
  if (!stamp_ || (packed_ && made_of_.empty())) return;
  const auto there = stamp_of(made_of_.empty() ? name_ : made_of_);
  if (!made_of_.empty() || descriptor_ == nullptr) {
    sosie::require_unchanged(name_, stamp_, there);
    return;
  }
  auto now = stamp_of(descriptor_->number());
  // A renamed file has a new change time but the same content.
  const bool renamed = !there || there->inode != stamp_->inode || there->device != stamp_->device;
  if (now && renamed) now->changed_ns = stamp_->changed_ns;
  sosie::require_unchanged(name_, stamp_, now);
}

std::shared_ptr<const Descriptor> File::open_again() const {
  auto descriptor = open_to_read(name_);
  const auto now = stamp_of(descriptor->number());
  if (!now || !stamp_ || now->device != stamp_->device || now->inode != stamp_->inode) {
    throw Error(ErrorKind::io, BadPlace{name_}, "was replaced while it was read");
  }
  return descriptor;
}

std::size_t File::read_some(std::uint64_t offset, char* out, std::size_t size) const {
  if (in_memory_) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the offset is an address
    if (size > 0) std::memcpy(out, reinterpret_cast<const char*>(offset), size);
    return size;
  }
  if (packed_) return packed_->read_some(offset, out, size);
  if (bytes_) {
    size = std::min<std::uint64_t>(size, size_ - std::min(size_, offset));
    if (size > 0) bytes_->read(offset, out, size);
    return size;
  }
  const std::shared_ptr<const Descriptor> descriptor = descriptor_ ? descriptor_ : open_again();
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor->number(), out + done, size - done,
                                static_cast<off_t>(begin_ + offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void File::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  if (read_some(offset, out, size) < size) {
    throw Error(ErrorKind::io, BadPlace{name_}, "became shorter while it was read");
  }
}

bool File::read_cached(std::uint64_t offset, char* out, std::size_t size) const noexcept {
  const int number = descriptor();
  return number >= 0 && sosie::read_cached(number, out, size, static_cast<off_t>(begin_ + offset));
}

void File::begin_read(std::uint64_t offset, std::uint64_t size) const noexcept {
  const int number = descriptor();
  if (number < 0) return;
  sosie::begin_read(number, static_cast<off_t>(begin_ + offset), static_cast<off_t>(size));
}

ScratchFile::ScratchFile(Scratch& scratch)
    : scratch_(scratch),
      descriptor_(std::make_shared<const Descriptor>(open_in(scratch.folder()))) {}

void ScratchFile::append(std::string_view bytes) {
  scratch_.take(bytes.size());
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor_->number(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail_scratch(scratch_.folder(), errno);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    size_ += static_cast<std::uint64_t>(wrote);
  }
}

void ScratchFile::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_->number(), out, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_scratch(scratch_.folder(), errno);
    if (got == 0) fail_scratch(scratch_.folder(), EIO);
    out += got;
    size -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
}

File ScratchFile::section(std::uint64_t begin, std::string name) const {
  return section(begin, std::move(name), size_ - begin);
}

File ScratchFile::section(std::uint64_t begin, std::string name, std::uint64_t size) const {
  return {descriptor_, std::move(name), begin, size};
}

std::size_t read_stream(int descriptor, const std::string& name, char* out, std::size_t size,
                        const std::atomic<bool>* cancel) {
  while (true) {
    wait_until_ready(descriptor, POLLIN, cancel);
    const ssize_t got = ::read(descriptor, out, size);
    if (got >= 0) {
      throw_if_cancelled(cancel);  // one signal may have ended the writer, too
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR && errno != EAGAIN) fail(name, errno);
  }
}

std::string read_to_end(int descriptor, const std::string& name, std::uint64_t most,
                        const std::atomic<bool>* cancel) {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 16;
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t had = bytes.size();
    bytes.resize(had + std::min(kStep, most - had));
    bytes.resize(had +
                 read_stream(descriptor, name, bytes.data() + had, bytes.size() - had, cancel));
    if (bytes.size() == had) break;
  }
  return bytes;
}

std::string read_text(int descriptor, const std::string& name, std::uint64_t most,
                      const std::atomic<bool>* cancel) {
  std::string bytes = read_to_end(descriptor, name, most, cancel);
  const Compression packing = compression_by_magic(bytes);
  if (packing == Compression::none) return bytes;
  std::string text;
  std::size_t at = 0;
  const auto source = [&](char* out, std::size_t size) {
    const std::size_t count = bytes.copy(out, size, at);
    at += count;
    return count;
  };
  unpack(packing, source, name, [&](std::string_view part) {
    throw_if_cancelled(cancel);
    if (part.size() > most - text.size()) {
      throw Error(ErrorKind::malformed_input, BadPlace{name},
                  "decompresses to more than " + bytes_text(most));
    }
    text += part;
  });
  return text;
}

File spool(int descriptor, const std::string& name, ScratchFile& scratch,
           const std::atomic<bool>* cancel, const WindowLimit& limit) {
  const std::uint64_t begin = scratch.size();
  spool_into([&](std::string_view bytes) { scratch.append(bytes); }, descriptor, name, cancel,
             limit);
  return scratch.section(begin, name);
}

void spool_into(const ByteSink& sink, int descriptor, const std::string& name,
                const std::atomic<bool>* cancel, const WindowLimit& limit) {
  const auto before = stamp_of(descriptor);  // stamp of standard input, if that is a file
  std::array<char, 4> head{};
  std::size_t in_head = 0;
  // Reads no more than necessary, because the writer may be waiting for a response to the first
  // bytes.
  while (is_part_of_magic({head.data(), in_head})) {
    const std::size_t got =
        read_stream(descriptor, name, head.data() + in_head, head.size() - in_head, cancel);
    if (got == 0) break;
    in_head += got;
  }
  std::string_view rest(head.data(), in_head);
  const auto source = [&](char* out, std::size_t size) {
    if (rest.empty()) return read_stream(descriptor, name, out, size, cancel);
    const std::size_t count = rest.copy(out, size);
    rest.remove_prefix(count);
    return count;
  };
  unpack_into(sink, compression_by_magic(rest), source, name, cancel, limit);
  if (before) require_unchanged(name, before, stamp_of(descriptor));
}

Compression packing_of(const File& file, std::string_view path) {
  std::array<char, 4> head{};
  const std::size_t size = file.read_some(0, head.data(), head.size());
  if (size == 0) return Compression::none;  // whatever its name says
  const Compression found = compression_by_magic({head.data(), size});
  return found == Compression::none ? compression_by_extension(path) : found;
}

File unpacked(const File& file, Compression compression, ScratchFile& scratch,
              const std::atomic<bool>* cancel, const WindowLimit& limit) {
  std::uint64_t at = 0;
  const auto source = [&](char* out, std::size_t size) {
    const std::size_t count = file.read_some(
        at, out, static_cast<std::size_t>(std::min<std::uint64_t>(size, file.size() - at)));
    at += count;
    return count;
  };
  const std::uint64_t begin = scratch.size();
  unpack_into([&](std::string_view bytes) { scratch.append(bytes); }, compression, source,
              file.name(), cancel, limit);
  file.require_unchanged();
  return scratch.section(begin, file.name());
}

void throw_if_cancelled(const std::atomic<bool>* cancel) {
  if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
}

void wait_until_ready(int descriptor, short events, const std::atomic<bool>* cancel) {
  constexpr int kLookEveryMs = 100;
  struct pollfd waiting = {descriptor, events, 0};
  do {
    throw_if_cancelled(cancel);
    waiting.revents = 0;
  } while (::poll(&waiting, 1, kLookEveryMs) <= 0);
}

}  // namespace sosie
