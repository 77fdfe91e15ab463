// Finds files that a collection names twice, even under different paths.
#include "options/repeated_files.h"

#include <cstdint>
#include <map>
#include <utility>

#include "io/file.h"

namespace sosie {

std::vector<RepeatedFile> repeated_files(std::span<const InputFile> files) {
  std::vector<RepeatedFile> repeated;
  if (files.size() < 2) return repeated;
  std::map<std::pair<std::uint64_t, std::uint64_t>, const InputFile*> known;
  for (const InputFile& file : files) {
    if (file.memory || file.path == "-") continue;
    const auto stamp = stamp_of(file.path);
    if (!stamp) continue;
    const auto [at, is_new] = known.try_emplace({stamp->device, stamp->inode}, &file);
    if (!is_new) repeated.push_back({file.name, at->second->name});
  }
  return repeated;
}

}  // namespace sosie
