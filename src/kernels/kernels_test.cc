#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "kernels/agreement.h"
#include "kernels/minhash_update.h"
#include "kernels/sorted_set.h"

namespace sosie::kernels {
namespace {

using Hashes = std::vector<std::uint64_t>;

RC_GTEST_PROP(SortUniqueHashes, GivesTheSetInOrder, ()) {
  // Few distinct values give repetitions, all-equal high bits an uneven spread.
  const auto range = *rc::gen::element<std::uint64_t>(10, 1000, ~0ULL);
  auto hashes = *rc::gen::container<Hashes>(rc::gen::inRange<std::uint64_t>(0, range));
  const std::set<std::uint64_t> expected(hashes.begin(), hashes.end());
  Hashes scratch(hashes.size());
  hashes.resize(sort_unique_hashes(hashes.data(), hashes.size(), scratch.data()));
  RC_ASSERT(hashes == Hashes(expected.begin(), expected.end()));
}

TEST(SortUniqueHashes, SortsManyAndAllEqual) {
  for (const std::size_t count : {64U, 65U, 1000U, 100'000U}) {
    Hashes hashes(count);
    for (std::size_t i = 0; i < count; ++i) hashes[i] = i * 0x9E3779B97F4A7C15ULL;
    Hashes expected = hashes;
    std::sort(expected.begin(), expected.end());
    Hashes scratch(count);
    EXPECT_EQ(sort_unique_hashes(hashes.data(), count, scratch.data()), count);
    EXPECT_EQ(hashes, expected);
    std::fill(hashes.begin(), hashes.end(), 7);
    EXPECT_EQ(sort_unique_hashes(hashes.data(), count, scratch.data()), 1U);
  }
}

RC_GTEST_PROP(IntersectionSize, MatchesStdSetIntersection, ()) {
  const auto element = rc::gen::inRange<std::uint64_t>(0, 64);
  const auto a = *rc::gen::container<std::set<std::uint64_t>>(element);
  const auto b = *rc::gen::container<std::set<std::uint64_t>>(element);
  Hashes shared;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  const Hashes left(a.begin(), a.end());
  const Hashes right(b.begin(), b.end());
  RC_ASSERT(intersection_size(left.data(), left.size(), right.data(), right.size()) ==
            shared.size());
}

RC_GTEST_PROP(MinhashBins, KeepTheLeastValueOfEachBin, (const std::vector<std::uint32_t>& values)) {
  constexpr std::size_t kBins = 16;
  std::vector<std::uint32_t> bins(kBins, kEmptyBin);
  minhash_bins(values.data(), values.size(), bins.data(), kBins);
  for (std::uint32_t bin = 0; bin < kBins; ++bin) {
    std::uint32_t least = kEmptyBin;
    for (const std::uint32_t v : values) {
      if (v % kBins == bin) least = std::min(least, v);
    }
    RC_ASSERT(bins[bin] == least);
  }
}

RC_GTEST_PROP(Agreement, CountsEqualBytes, ()) {
  const auto words = *rc::gen::inRange<std::size_t>(0, 70);
  const auto byte = rc::gen::inRange<std::uint8_t>(0, 3);
  const auto a = *rc::gen::container<std::vector<std::uint8_t>>(8 * words, byte);
  const auto b = *rc::gen::container<std::vector<std::uint8_t>>(8 * words, byte);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1U : 0U;
  RC_ASSERT(agreement(a.data(), b.data(), a.size()) == equal);
}

TEST(Agreement, CountsMoreThanAByteHolds) {
  const std::vector<std::uint8_t> same(1024, 9);
  EXPECT_EQ(agreement(same.data(), same.data(), same.size()), 1024U);
}

RC_GTEST_PROP(Hamming, CountsDifferingBits, (const Hashes& a)) {
  const auto b = *rc::gen::container<Hashes>(a.size(), rc::gen::arbitrary<std::uint64_t>());
  std::size_t bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    bits += static_cast<std::size_t>(std::popcount(a[i] ^ b[i]));
  }
  RC_ASSERT(hamming(a.data(), b.data(), a.size()) == bits);
}

}  // namespace
}  // namespace sosie::kernels
