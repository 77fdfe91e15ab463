// Tests of minima of permuted hashes, compared with values from RFC 3174, datasketch 2.0.0 and
// plain loops.
#include "sosie/lower_minima.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/on_every_target_test.h"

namespace sosie {
namespace {

std::vector<std::uint64_t> prefixes_of(const std::vector<std::string>& items) {
  const std::vector<std::string_view> views(items.begin(), items.end());
  std::vector<std::uint64_t> prefixes(items.size());
  sha1_prefixes(views, prefixes);
  return prefixes;
}

// SHA-1, word by word, as stated in RFC 3174.
std::uint64_t plain_sha1_prefix(std::string text) {
  const std::uint64_t bits = text.size() * 8;
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
  std::uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (std::size_t block = 0; block < text.size(); block += 64) {
    std::uint32_t w[80];
    for (std::size_t t = 0; t < 80; ++t) {
      w[t] = 0;
      for (std::size_t i = 0; i < 4 && t < 16; ++i) {
        w[t] = (w[t] << 8) | static_cast<unsigned char>(text[block + 4 * t + i]);
      }
      if (t >= 16) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
    std::uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (std::size_t t = 0; t < 80; ++t) {
      const std::uint32_t f = t < 20   ? (b & c) | (~b & d)
                              : t < 40 ? b ^ c ^ d
                              : t < 60 ? (b & c) | (b & d) | (c & d)
                                       : b ^ c ^ d;
      const std::uint32_t k = t < 20   ? 0x5a827999
                              : t < 40 ? 0x6ed9eba1
                              : t < 60 ? 0x8f1bbcdc
                                       : 0xca62c1d6;
      const std::uint32_t next = std::rotl(a, 5) + f + e + w[t] + k;
      e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
  }
  std::uint64_t prefix = 0;
  for (int byte = 7; byte >= 0; --byte) {
    prefix = (prefix << 8) | ((h[byte / 4] >> (24 - 8 * (byte % 4))) & 0xff);
  }
  return prefix;
}

TEST(Sha1Prefixes, AreThoseOfTheStandard) {
  // a9993e36 4706816a..., 84983e44 1c3bd26e...
  EXPECT_EQ(
      prefixes_of({"abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", ""}),
      (std::vector<std::uint64_t>{0x6a810647363e99a9, 0x6ed23b1c443e9884, 0x0d4b6b5eeea339da}));
}

TEST(Sha1Prefixes, AreThoseOfThePlainLoopForAllSizesSideBySide) {
  std::vector<std::string> items;
  std::vector<std::uint64_t> expected;
  for (std::size_t size = 0; size < 300; ++size) {
    std::string item;
    for (std::size_t i = 0; i < size * 7 % 300; ++i) item += static_cast<char>(i * size);
    expected.push_back(plain_sha1_prefix(item));
    items.push_back(item);
  }
  kernels::on_every_target(
      [&](std::string_view target) { EXPECT_EQ(prefixes_of(items), expected) << target; });
}

template <typename T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<T> out;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    out.push_back(static_cast<T>((seed >> 29) ^ (seed << 31)));
  }
  return out;
}

template <typename T, typename Permute>
std::vector<T> plain_minima(const std::vector<T>& hashes, std::vector<T> minima, Permute permute) {
  for (std::size_t k = 0; k < minima.size(); ++k) {
    for (const T hash : hashes) minima[k] = std::min(minima[k], permute(k, hash));
  }
  return minima;
}

TEST(LowerMinima, OfLegacyAreThoseOfExactArithmetic) {
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  for (const std::size_t permutations : std::array<std::size_t, 5>{1, 31, 32, 33, 128}) {
    const auto a = numbers<std::uint64_t>(permutations, 3);
    const auto b = numbers<std::uint64_t>(permutations, 4);
    auto hashes = numbers<std::uint64_t>(600, 5);
    hashes.push_back(0);
    const std::vector<std::uint64_t> minima(permutations, 0xffffffff);
    const auto expected = plain_minima(hashes, minima, [&](std::size_t k, std::uint64_t hash) {
      return (a[k] * hash + b[k]) % kPrime & 0xffffffff;
    });
    kernels::on_every_target([&](std::string_view target) {
      std::vector<std::uint64_t> lowered = minima;
      lower_minima_legacy(hashes, a, b, lowered);
      EXPECT_EQ(lowered, expected) << target;
    });
  }
}

TEST(LowerMinima, OfLegacyTakesThePrimeItselfForZero) {
  std::vector<std::uint64_t> minima = {0xffffffff};
  lower_minima_legacy(std::vector<std::uint64_t>{0}, std::vector<std::uint64_t>{1},
                      std::vector<std::uint64_t>{(std::uint64_t{1} << 61) - 1}, minima);
  EXPECT_EQ(minima[0], 0U);
}

TEST(LowerMinima, OfAffinePermutationsAreThoseOfDatasketch) {
  // MinHash(num_perm=3, permutations=([1, 3, 5], [0, 7, 9])) after update(12) with the identity as
  // hash function.
  std::vector<std::uint32_t> minima(3, 0xffffffff);
  lower_minima(std::vector<std::uint32_t>{12}, std::vector<std::uint32_t>{1, 3, 5},
               std::vector<std::uint32_t>{0, 7, 9}, minima);
  EXPECT_EQ(minima, (std::vector<std::uint32_t>{0x7c88ad73, 0x759a0860, 0x6eab6348}));
  std::vector<std::uint64_t> wide(3, ~std::uint64_t{0});
  lower_minima(std::vector<std::uint64_t>{12}, std::vector<std::uint64_t>{1, 3, 5},
               std::vector<std::uint64_t>{0, 7, 9}, wide);
  EXPECT_EQ(wide, (std::vector<std::uint64_t>{0x88f52b3844a8b035, 0x9adf81a8cdfa10a6,
                                              0xacc9d819574b7112}));
}

TEST(LowerMinima, OfManyHashesAreTheLeastOfEach) {
  for (const std::size_t permutations : std::array<std::size_t, 6>{1, 63, 64, 65, 128, 200}) {
    const auto a = numbers<std::uint32_t>(permutations, 1);
    const auto b = numbers<std::uint32_t>(permutations, 2);
    const auto hashes = numbers<std::uint32_t>(700, 6);
    const std::vector<std::uint32_t> minima(permutations, 0xffffffff);
    const auto expected = plain_minima(hashes, minima, [&](std::size_t k, std::uint32_t hash) {
      std::vector<std::uint32_t> one = {0xffffffff};
      lower_minima(std::vector<std::uint32_t>{hash}, std::vector<std::uint32_t>{a[k]},
                   std::vector<std::uint32_t>{b[k]}, one);
      return one[0];
    });
    kernels::on_every_target([&](std::string_view target) {
      std::vector<std::uint32_t> lowered = minima;
      lower_minima(hashes, a, b, lowered);
      EXPECT_EQ(lowered, expected) << target;
    });
  }
}

}  // namespace
}  // namespace sosie
