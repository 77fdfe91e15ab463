// Identifies the file behind the name of an output, through links and descriptors.
#include "io/output_key.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::string key_of(const struct stat& status) {
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

[[noreturn]] void fail_place(const std::string& path, int error_number) {
  throw Error(ErrorKind::io, path + ": " + system_message(error_number));
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

std::filesystem::path resolved_path(std::string path) {
  std::error_code none;
  return std::filesystem::weakly_canonical(
      std::filesystem::absolute(without_slash(std::move(path)), none), none);
}

bool is_in_folder(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

int descriptor_named(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end && number >= 0) return number;
  }
  return -1;
}

std::string behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // limit of the kernel
  std::string place = path;
  for (int i = 0; i <= kMostLinks; ++i) {
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(place, error);
    if (error) return place;
    place = (std::filesystem::path(place).parent_path() / next).string();
  }
  fail_place(path, ELOOP);
}

std::string output_key(const std::string& named_path) {
  if (named_path.empty()) return {};
  const std::string path = without_slash(named_path);
  if (const int number = descriptor_named(path); number >= 0) return file_key(number);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    return S_ISCHR(status.st_mode) ? std::string{} : key_of(status);
  }
  // For a file that does not exist yet: its folder, if that exists, and its future name.
  std::error_code error;
  const auto place =
      std::filesystem::weakly_canonical(std::filesystem::absolute(behind_links(path)), error);
  if (error) fail_place(path, error.value());
  return place.string();
}

std::string file_key(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? key_of(status)
                                                                      : std::string{};
}

std::string file_key(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? key_of(status)
                                                                       : std::string{};
}

}  // namespace sosie
