// Loads the plugin that reads and writes Parquet and Arrow files.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "sosie/error.h"
#include "sosie/program_folder.h"
#include "sosie/table_files.h"

namespace sosie {
namespace {

constexpr const char* kFileName = "libsosie_arrow.so";
constexpr const char* kEntry = "sosie_table_files_1";  // the number changes with table_files.h

[[noreturn]] void refuse_table(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::unsupported, fmt::format("{}: {}", path, reason),
              "to read Parquet and Arrow files, use `pip install sosie pyarrow`, or build with "
              "Arrow: cmake -D SOSIE_ARROW=ON");
}

#ifdef SOSIE_STATIC

const TableFiles& load(const std::string& path) {
  refuse_table(path, "a statically linked program cannot load the plugin");
}

#else

const TableFiles& load(const std::string& path) {
  std::error_code error;
  const auto program = program_folder();
  for (const auto& folder : {program, program / "../lib/sosie"}) {
    const std::filesystem::path place = folder / kFileName;
    if (!std::filesystem::exists(place, error)) continue;
    void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      refuse_table(path, fmt::format("cannot load the plugin: {}", ::dlerror()));
    void* entry = ::dlsym(library, kEntry);
    if (entry == nullptr) {
      refuse_table(path, fmt::format("{} is from another version of sosie", place.string()));
    }
    return *reinterpret_cast<const TableFiles* (*)()>(entry)();
  }
  refuse_table(path, "no plugin can read such files");
}

#endif

}  // namespace

const TableFiles& installed_table_files(const std::string& path) {
  static std::mutex mutex;
  static const TableFiles* files = nullptr;
  const std::lock_guard lock(mutex);
  if (files == nullptr) files = &load(path);
  return *files;
}

}  // namespace sosie
