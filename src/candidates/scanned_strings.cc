// Scans the signatures of strings for near ones.
#include "candidates/scanned_strings.h"

#include <bit>

#include "kernels/near_signatures.h"

namespace sosie {

std::uint32_t ScannedStrings::different_bits(std::uint64_t signature,
                                             std::uint32_t item) const noexcept {
  return static_cast<std::uint32_t>(std::popcount(signature ^ strings_.signatures[item]));
}

std::span<const std::uint32_t> ScannedStrings::near(std::uint64_t signature, const ItemRange& items,
                                                    std::uint32_t most,
                                                    std::vector<std::uint32_t>& near) const {
  const std::size_t size = items.end - items.begin;
  if (near.size() < size) near.resize(size);
  const std::size_t count = kernels::near_signatures(
      signature, strings_.signatures.data() + items.begin, size, most, near.data());
  for (std::size_t i = 0; i < count; ++i) near[i] += items.begin;
  return std::span(near).first(count);
}

}  // namespace sosie
