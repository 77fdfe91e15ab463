#include "sketch/hash_families.h"

#include <algorithm>
#include <array>

namespace sosie {
namespace {

// MinHash is (d1, d2, 1 - d1, 1 - d2)-sensitive for Jaccard distance (MMDS 3.6.2).
double minhash_collision(double distance) noexcept { return 1 - distance; }

constexpr std::array kHashFamilies = {
    HashFamily{.name = "minhash",
               .distance = "jaccard",
               .source = "MMDS 3.3; one permutation: Li, Owen, Zhang, NIPS 2012",
               .collision_probability = minhash_collision},
};

}  // namespace

std::span<const HashFamily> hash_families() noexcept { return kHashFamilies; }

const HashFamily* hash_family_by_name(std::string_view name) noexcept {
  const auto* found = std::find_if(kHashFamilies.begin(), kHashFamilies.end(),
                                   [&](const HashFamily& family) { return family.name == name; });
  return found == kHashFamilies.end() ? nullptr : found;
}

}  // namespace sosie
