// Set of the hashes of common shingles.
#include "represent/common_shingles.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>

namespace sosie {

CommonShingles::CommonShingles(std::vector<std::uint64_t> hashes)
    : slots_(std::bit_ceil(2 * hashes.size() + 2), kFree),
      mask_(slots_.size() - 1),
      size_(hashes.size()) {
  std::sort(hashes.begin(), hashes.end());
  fingerprint_ =
      fmt::format("{:016x}", XXH3_64bits(hashes.data(), hashes.size() * sizeof(std::uint64_t)));
  for (const std::uint64_t hash : hashes) {
    if (hash == kFree) {
      has_free_ = true;
      continue;
    }
    std::size_t at = hash & mask_;
    while (slots_[at] != kFree) at = (at + 1) & mask_;
    slots_[at] = hash;
  }
}

}  // namespace sosie
