// Keys of bands: equal for equal bands, and for no others.
#include "sketch/band_keys.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sosie {
namespace {

TEST(BandKeys, EqualBandsHaveEqualKeysAndNoOthers) {
  std::vector<std::uint32_t> a(64);
  std::iota(a.begin(), a.end(), 1U);
  std::vector<std::uint32_t> b = a;
  b[7] ^= 1;  // in band 1 of 16 bands of 4
  std::vector<std::uint64_t> keys_a(16);
  std::vector<std::uint64_t> keys_b(16);
  band_keys(a, 4, keys_a);
  band_keys(b, 4, keys_b);
  for (std::size_t band = 0; band < 16; ++band) {
    EXPECT_LT(keys_a[band], std::uint64_t{1} << kBandKeyBits);
    EXPECT_EQ(keys_a[band] == keys_b[band], band != 1) << band;
  }
  const std::vector<std::uint32_t> same(64, 5);
  band_keys(same, 4, keys_a);
  EXPECT_NE(keys_a[0], keys_a[1]);  // equal values in different bands
}

}  // namespace
}  // namespace sosie
