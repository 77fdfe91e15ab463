// Names of unfinished outputs, and removal of the ones that killed processes left.
#include "io/leftovers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <system_error>

#include "io/file.h"

namespace sosie {
namespace {

constexpr std::string_view kRandom = "XXXXXX";
constexpr std::time_t kOldSeconds = 600;

std::string unfinished_prefix(const std::string& name) {
  return "." + (name.empty() ? name : name + ".") + "sosie-";
}

bool is_abandoned(const std::string& path) noexcept {
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (descriptor.number() < 0 || ::fstat(descriptor.number(), &status) != 0) return false;
  return status.st_mtime + kOldSeconds < std::time(nullptr) &&
         ::flock(descriptor.number(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

std::string unfinished_name(const std::string& folder, const std::string& name) {
  return folder + "/" + unfinished_prefix(name) + std::string(kRandom);
}

void claim_unfinished(int descriptor) noexcept {
  (void)::flock(descriptor, LOCK_SH | LOCK_NB);  // not every file system can
}

void remove_leftovers(const std::string& folder, const std::string& name) noexcept {
  const std::string prefix = unfinished_prefix(name);
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string found = entry->path().filename().string();
    if (found.size() != prefix.size() + kRandom.size() || !found.starts_with(prefix)) continue;
    std::error_code ignored;
    if (is_abandoned(entry->path().string())) std::filesystem::remove_all(entry->path(), ignored);
  }
}

}  // namespace sosie
