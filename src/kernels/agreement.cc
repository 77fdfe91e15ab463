#include "kernels/agreement.h"

#include <bit>

namespace sosie::kernels {
namespace {

#if defined(__x86_64__)
__attribute__((target("popcnt"))) std::size_t hamming_popcnt(const std::uint64_t* a,
                                                             const std::uint64_t* b,
                                                             std::size_t words) noexcept {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < words; ++i) {
    bits += static_cast<unsigned>(__builtin_popcountll(a[i] ^ b[i]));
  }
  return bits;
}
#endif

std::size_t hamming_portable(const std::uint64_t* a, const std::uint64_t* b,
                             std::size_t words) noexcept {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < words; ++i) bits += static_cast<unsigned>(std::popcount(a[i] ^ b[i]));
  return bits;
}

using HammingFunction = std::size_t (*)(const std::uint64_t*, const std::uint64_t*,
                                        std::size_t) noexcept;

HammingFunction choose_hamming() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt")) return hamming_popcnt;
#endif
  return hamming_portable;
}

}  // namespace

std::size_t agreement(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) noexcept {
  std::size_t equal = 0;
  constexpr std::size_t kRun = 128;  // a byte counter per run cannot overflow: compilers vectorise
  for (std::size_t start = 0; start < count; start += kRun) {
    const std::size_t end = start + kRun < count ? start + kRun : count;
    std::uint8_t run = 0;
    for (std::size_t i = start; i < end; ++i) {
      run = static_cast<std::uint8_t>(run + (a[i] == b[i] ? 1 : 0));
    }
    equal += run;
  }
  return equal;
}

std::size_t hamming(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) noexcept {
  static const HammingFunction run = choose_hamming();
  return run(a, b, words);
}

}  // namespace sosie::kernels
