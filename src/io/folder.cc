// Folders of paths, and flushing a folder's entries to disk.
#include "io/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "io/system.h"
#include "sosie/error.h"

namespace sosie {

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
  if (errno == EWOULDBLOCK) throw Error(ErrorKind::io, path_ + ": another run is at work in it");
  throw Error(ErrorKind::io, path_ + ": " + system_message(errno));
}

void ClaimedFolder::remove_if_made() const noexcept {
  if (made_) ::rmdir(path_.c_str());
}

}  // namespace sosie
