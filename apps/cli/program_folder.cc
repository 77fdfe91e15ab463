// Finds the folder of the running program.
#include "program_folder.h"

#include <system_error>

#if defined(__APPLE__)
#include <mach-o/dyld.h>

#include <array>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

namespace sosie::cli {

namespace fs = std::filesystem;

namespace {

fs::path program_file() {
  std::error_code error;
#if defined(__APPLE__)
  std::array<char, 4096> path{};
  std::uint32_t size = path.size();
  return _NSGetExecutablePath(path.data(), &size) == 0 ? fs::canonical(path.data(), error)
                                                       : fs::path();
#elif defined(__linux__)
  fs::path file = fs::read_symlink("/proc/self/exe", error);
  if (!error) return file;
  // Here, the kernel stores the path that was passed to exec().
  const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // NOLINT
  return started == nullptr ? fs::path() : fs::weakly_canonical(started, error);
#else
  return {};
#endif
}

}  // namespace

fs::path program_folder() { return program_file().parent_path(); }

}  // namespace sosie::cli
