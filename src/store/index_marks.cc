// Marks, names and damage of the files of an index on disk.
#include "store/index_marks.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "sosie/error.h"

namespace sosie {

std::string index_mark(std::string_view kind, char version) {
  return fmt::format("sosie-{}-{}\n", kind, version);
}

void expect_index_mark(std::string_view bytes, std::string_view kind, const std::string& path) {
  const std::string mark = index_mark(kind);
  if (bytes == mark) return;
  const std::size_t at = kIndexMarkBytes - 2;  // where the version stands
  const bool is_other = bytes.size() == mark.size() && bytes.substr(0, at) == mark.substr(0, at) &&
                        bytes.back() == '\n';
  if (!is_other) refuse_damage(path, 0, "this is no file of an index");
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: was written in version {} of the format, this program reads 1 and 2",
                          path, bytes[at]),
              "use the version of sosie that wrote it, or build the index again");
}

std::uint64_t index_checksum(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

void refuse_damage(const std::string& path, std::uint64_t offset, std::string_view what) {
  throw Error(ErrorKind::malformed_input, BadPlace{path},
              fmt::format("damaged at byte {}: {}", offset, what),
              "restore the folder from a copy, or build the index again");
}

std::string index_file(const std::string& folder, std::string_view kind, std::uint64_t number) {
  return fmt::format("{}/{}-{:08}", folder, kind, number);
}

}  // namespace sosie
