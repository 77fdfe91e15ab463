// MinHash by explicit permutations, for sketches from datasketch.
#include "sosie/lower_minima.h"

#include <algorithm>
#include <array>

#include "kernels/affine_minima.h"
#include "kernels/sha1_prefixes.h"

namespace sosie {
namespace {

constexpr std::size_t kHashesAtOnce = 256;  // fit in the first cache with the permutations

std::uint32_t mixed_hash(std::uint32_t hash) noexcept {
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
  return hash ^ (hash >> 16);
}

std::uint64_t mixed_hash(std::uint64_t hash) noexcept {
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdU;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53U;
  return hash ^ (hash >> 33);
}

template <typename T>
void lower_affine_minima(std::span<const T> hashes, std::span<const T> a, std::span<const T> b,
                         std::span<T> minima) {
  std::array<T, kHashesAtOnce> mixed;
  while (!hashes.empty()) {
    const std::size_t count = std::min(hashes.size(), kHashesAtOnce);
    std::ranges::transform(hashes.first(count), mixed.begin(),
                           [](T hash) { return mixed_hash(hash); });
    kernels::affine_minima(mixed.data(), count, a.data(), b.data(), minima.data(), minima.size());
    hashes = hashes.subspan(count);
  }
}

}  // namespace

void lower_minima(std::span<const std::uint32_t> hashes, std::span<const std::uint32_t> a,
                  std::span<const std::uint32_t> b, std::span<std::uint32_t> minima) {
  lower_affine_minima(hashes, a, b, minima);
}

void lower_minima(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> a,
                  std::span<const std::uint64_t> b, std::span<std::uint64_t> minima) {
  lower_affine_minima(hashes, a, b, minima);
}

void lower_minima_legacy(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> a,
                         std::span<const std::uint64_t> b, std::span<std::uint64_t> minima) {
  while (!hashes.empty()) {
    const std::size_t count = std::min(hashes.size(), kHashesAtOnce);
    kernels::legacy_minima(hashes.data(), count, a.data(), b.data(), minima.data(), minima.size());
    hashes = hashes.subspan(count);
  }
}

void sha1_prefixes(std::span<const std::string_view> items, std::span<std::uint64_t> prefixes) {
  std::array<const char*, kHashesAtOnce> starts;
  std::array<std::size_t, kHashesAtOnce> sizes;
  for (std::size_t first = 0; first < items.size(); first += kHashesAtOnce) {
    const std::size_t count = std::min(items.size() - first, kHashesAtOnce);
    for (std::size_t i = 0; i < count; ++i) {
      starts[i] = items[first + i].data();
      sizes[i] = items[first + i].size();
    }
    kernels::sha1_prefixes(starts.data(), sizes.data(), count, prefixes.data() + first);
  }
}

}  // namespace sosie
