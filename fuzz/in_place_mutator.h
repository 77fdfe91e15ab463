#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t most);

namespace sosie::fuzz {

// In three cases out of four, changes bytes in place, because files whose parts have fixed sizes
// and places are rarely accepted once a byte has been added or removed.
inline std::size_t mutate_in_place(std::uint8_t* data, std::size_t size, std::size_t most,
                                   unsigned seed) {
  std::minstd_rand random(seed);
  if (size == 0 || random() % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  for (auto changes = 1 + random() % 3; changes > 0; --changes) {
    std::uint8_t* at = data + random() % size;
    const std::size_t rest = size - static_cast<std::size_t>(at - data);
    const std::size_t bytes = std::min<std::size_t>(rest, std::size_t{1} << random() % 4);
    switch (random() % 4) {
      case 0:
        *at = static_cast<std::uint8_t>(*at ^ (1U << random() % 8));
        break;
      case 1:
        std::memset(at, random() % 2 == 0 ? 0 : 0xFF, bytes);
        break;
      case 2:
        *at = static_cast<std::uint8_t>(*at + random() % 5 - 2);
        break;
      default:
        std::memmove(at, data + random() % (size - bytes + 1), bytes);
    }
  }
  return size;
}

}  // namespace sosie::fuzz
