// Marks, names and damage of the files of an index on disk.
#include "store/index/index_marks.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "sosie/error.h"

namespace sosie {

std::string index_mark(std::string_view kind, char version) {
  return fmt::format("sosie-{}-{}\n", kind, version);
}

char version_of_mark(std::string_view bytes, std::string_view kind, char newest,
                     const std::string& path) {
  const std::size_t at = kIndexMarkBytes - 2;  // where the version stands
  const char version = bytes.size() == kIndexMarkBytes ? bytes[at] : '\0';
  const bool is_digit = version >= '0' && version <= '9';
  if (!is_digit || bytes != index_mark(kind, version)) {
    refuse_damage(path, 0, "this is not a file of an index");
  }
  if (version >= kIndexVersion && version <= newest) return version;
  const char* between = newest == kIndexVersion + 1 ? "and" : "to";
  const std::string known =
      newest == kIndexVersion ? "1" : fmt::format("{} {} {}", kIndexVersion, between, newest);
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: was written in version {} of the format, this program reads {}",
                          path, version, known),
              "use the version of sosie that wrote it, or build the index again");
}

std::uint64_t index_checksum(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

void refuse_damage(const std::string& path, std::uint64_t offset, std::string_view what) {
  throw Error(ErrorKind::malformed_input, BadPlace{path},
              fmt::format("damaged at byte {}: {}", offset, what),
              "restore the folder from a backup, or rebuild the index");
}

std::string index_file(const std::string& folder, std::string_view kind, std::uint64_t number) {
  return fmt::format("{}/{}-{:08}", folder, kind, number);
}

}  // namespace sosie
