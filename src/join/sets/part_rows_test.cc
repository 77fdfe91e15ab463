// Tests dividing the band keys among parts.
#include "join/sets/part_rows.h"

#include <gtest/gtest.h>

#include "core/mix64.h"

namespace sosie {
namespace {

bool takes(const PartKeys& part, std::size_t band, std::uint64_t key) {
  const BandRange bands = part.bands();
  return band >= bands.first && band < bands.last && part.of_band(band).holds(key);
}

TEST(PartKeys, GiveEveryKeyOfEveryBandToOnePart) {
  for (const std::size_t bands : {1U, 3U, 16U}) {
    for (const std::uint32_t count : {1U, 2U, 3U, 8U, 40U}) {
      for (std::uint64_t i = 0; i < 500; ++i) {
        const std::uint64_t key = mix64(i) >> 24;
        const std::size_t band = i % bands;
        int parts = 0;
        for (std::uint32_t part = 0; part < count; ++part) {
          parts += takes(PartKeys({part, count}, bands), band, key) ? 1 : 0;
        }
        EXPECT_EQ(parts, 1) << bands << " bands, " << count << " parts, key " << key;
      }
    }
  }
}

TEST(PartKeys, AreOfFewBands) {
  EXPECT_EQ(PartKeys({0, 1}, 16).bands().size(), 16U);
  EXPECT_EQ(PartKeys({3, 8}, 16).bands().size(), 2U);
  EXPECT_EQ(PartKeys({1, 3}, 16).bands().size(), 6U);
  EXPECT_EQ(PartKeys({39, 40}, 16).bands().size(), 1U);
}

}  // namespace
}  // namespace sosie
