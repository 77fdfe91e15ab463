// Finds the folder of the running program.
#include "program_folder.h"

#include <sys/auxv.h>

#include <system_error>

namespace sosie::cli {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code error;
  fs::path file = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    // The kernel leaves there the path that was given to exec().
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // NOLINT
    if (started == nullptr) return {};
    file = fs::weakly_canonical(started, error);
  }
  return file.parent_path();
}

}  // namespace sosie::cli
