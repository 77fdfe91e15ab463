#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "sosie/error.h"

namespace sosie {
namespace {

[[noreturn]] void fail(const std::string& name, int error_number) {
  throw Error(ErrorKind::io, name + ": " + system_message(error_number));
}

int open_unnamed(const std::string& folder) {
  std::string path = folder + "/sosie-spool-XXXXXX";
  std::vector<char> name(path.begin(), path.end());
  name.push_back('\0');
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail(folder, errno);
  ::unlink(name.data());
  return descriptor;
}

void write_all(int descriptor, const char* bytes, std::size_t size, const std::string& name) {
  while (size > 0) {
    const ssize_t wrote = ::write(descriptor, bytes, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(name, errno);
    bytes += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
}

}  // namespace

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

File::File(const std::string& path) : name_(path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(name_, errno);
  inspect();
}

File::File(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
  inspect();
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      size_(other.size_),
      regular_(other.regular_) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(name_, other.name_);
  size_ = other.size_;
  regular_ = other.regular_;
  return *this;
}

void File::inspect() {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int error_number = S_ISDIR(status.st_mode) ? EISDIR : errno;
    ::close(std::exchange(descriptor_, -1));
    fail(name_, error_number);
  }
  regular_ = S_ISREG(status.st_mode);
  size_ = regular_ ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void File::read_at(std::uint64_t offset, char* out, std::size_t size) const {
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, out, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, errno);
    if (got == 0) throw Error(ErrorKind::io, name_ + ": became shorter while it was read");
    out += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

File spool(int descriptor, const std::string& name, const std::string& scratch,
           const std::atomic<bool>* cancel) {
  const int out = open_unnamed(scratch);
  File guard(out, name);  // closes on error
  std::vector<char> buffer(std::size_t{1} << 20);
  while (true) {
    if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name, errno);
    if (got == 0) break;
    write_all(out, buffer.data(), static_cast<std::size_t>(got), scratch);
  }
  return File(::fcntl(out, F_DUPFD_CLOEXEC, 0), name);
}

}  // namespace sosie
