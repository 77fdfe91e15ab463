// Opens files of folders that a program keeps for itself, and writes to them.
#include "io/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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
