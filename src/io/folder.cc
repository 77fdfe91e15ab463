// Folders owned by the program: claims them, opens and writes their files, flushes their entries to
// disk.
#include "io/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "io/system.h"
#include "sosie/error.h"

namespace sosie {
namespace {

[[noreturn]] void fail_opening(const std::string& path) {
  throw Error(ErrorKind::io, path + ": " + system_message(errno));
}

[[noreturn]] void refuse_opening(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::invalid_option, path + ": " + problem,
              "nothing was changed; name another folder");
}

}  // namespace

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void sync_folder(const std::string& folder) noexcept {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  flush_file(descriptor);
  ::close(descriptor);
}

ClaimedFolder::ClaimedFolder(std::string folder) : path_(std::move(folder)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  std::error_code error;
  made_ = std::filesystem::create_directories(path_, error);
  if (error) throw Error(ErrorKind::io, path_ + ": " + error.message());
  if (made_) sync_folder(folder_of(path_));
  const int number = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) throw Error(ErrorKind::io, path_ + ": " + system_message(errno));
  descriptor_ = std::make_unique<const Descriptor>(number);
  if (::flock(number, LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw Error(ErrorKind::io, path_ + ": in use by another process");
  throw Error(ErrorKind::io, path_ + ": " + system_message(errno));
}

void ClaimedFolder::remove_if_made() const noexcept {
  if (made_) ::rmdir(path_.c_str());
}

std::shared_ptr<const Descriptor> open_regular_file(const std::string& path, int flags) {
  const int number = ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (number < 0 && errno == ENOENT) return nullptr;
  if (number < 0 && errno == ELOOP) refuse_opening(path, "is a symbolic link");
  if (number < 0) fail_opening(path);
  auto descriptor = std::make_shared<const Descriptor>(number);
  struct stat status {};
  if (::fstat(number, &status) != 0) fail_opening(path);
  if (!S_ISREG(status.st_mode)) refuse_opening(path, "is not a regular file");
  return descriptor;
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail_opening(path);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace sosie
