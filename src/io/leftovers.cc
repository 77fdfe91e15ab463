// Names of unfinished outputs, and removal of the ones that killed processes left.
#include "io/leftovers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "io/file.h"
#include "io/system.h"

namespace sosie {
namespace {

constexpr std::string_view kRandom = "XXXXXX";

std::string unfinished_prefix(const std::string& name) {
  return "." + (name.empty() ? name : name + ".") + "sosie-";
}

// The lock is held until the file is gone, so that a run that has just made it and claims it now
// either has it or sees that it has not.
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

std::string unfinished_name(const std::string& folder, const std::string& name) {
  return folder + "/" + unfinished_prefix(name) + std::string(kRandom);
}

bool claim_unfinished(int descriptor, const std::string& path) noexcept {
  // Not every file system can lock; where one cannot, leftovers stay.
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
