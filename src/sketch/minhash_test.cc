#include "sketch/minhash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/mix64.h"
#include "sketch/band_keys.h"
#include "verify/jaccard.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;
using Signature = std::vector<std::uint64_t>;

// h(x) = x on sets whose elements have been replaced by their positions in one permutation.
std::uint64_t minhash(const Set& set, const std::vector<std::uint64_t>& position) {
  Set moved;
  for (const std::uint64_t element : set) moved.push_back(position[element]);
  const LinearHash identity{1, 0, 1'000'003};
  return classic_signature(moved, {&identity, 1}).front();
}

Signature minhashes(const std::vector<Set>& sets, const std::vector<std::uint64_t>& position) {
  Signature out;
  for (const Set& set : sets) out.push_back(minhash(set, position));
  return out;
}

// Minhashes of all sets under each function, in the form of the book's signature matrix.
std::vector<Signature> matrix(const std::vector<Set>& sets,
                              const std::vector<LinearHash>& functions) {
  std::vector<Signature> rows(functions.size());
  for (const Set& set : sets) {
    const Signature signature = classic_signature(set, functions);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(signature[i]);
  }
  return rows;
}

// Estimates for the pairs (1,2), (1,3), ..., (2,3), ...
std::vector<double> estimates(const std::vector<Set>& sets,
                              const std::vector<LinearHash>& functions) {
  std::vector<double> out;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = i + 1; j < sets.size(); ++j) {
      out.push_back(estimate_similarity(classic_signature(sets[i], functions),
                                        classic_signature(sets[j], functions)));
    }
  }
  return out;
}

// Rows of characters, one per column, as sets of row numbers from 1.
std::vector<Set> columns_of(const std::vector<std::string>& rows) {
  std::vector<Set> columns(rows.front().size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (rows[row][c] == '1') columns[c].push_back(row + 1);
    }
  }
  return columns;
}

const std::vector<Set> kFigure33 = {{0, 3}, {2}, {1, 3, 4}, {0, 2, 3}};  // a..e are 0..4

TEST(Minhash, T3_1_OfTheOrderBeadc) {
  // Positions of a, b, c, d, e in the order b, e, a, d, c.
  const Signature h = minhashes(kFigure33, {2, 0, 4, 3, 1});
  EXPECT_EQ(h, (Signature{2, 4, 0, 2}));  // the positions of a, c, b, a
}

TEST(Minhash, T3_2_TwoHashFunctionsThenFour) {
  const LinearHash h1{1, 1, 5};
  const LinearHash h2{3, 1, 5};
  const LinearHash h3{2, 4, 5};
  const LinearHash h4{3, 4, 5};  // 3x - 1 mod 5, made non-negative
  EXPECT_EQ(matrix(kFigure33, {h1, h2}), (std::vector<Signature>{{1, 3, 0, 1}, {0, 2, 0, 0}}));
  EXPECT_EQ(estimates(kFigure33, {h1, h2}), (std::vector<double>{0, 0.5, 1, 0, 0, 0.5}));
  EXPECT_EQ(matrix(kFigure33, {h3, h4}), (std::vector<Signature>{{0, 3, 0, 0}, {3, 0, 1, 0}}));
  EXPECT_EQ(estimates(kFigure33, {h1, h2, h3, h4}),
            (std::vector<double>{0, 0.5, 0.75, 0, 0.25, 0.5}));
}

TEST(Minhash, T3_3_FunctionsThatAreNoPermutations) {
  const std::vector<Set> sets = {{2, 5}, {0, 1}, {3, 4}, {0, 2, 4}};
  const std::vector<LinearHash> functions = {{2, 1, 6}, {3, 2, 6}, {5, 2, 6}};
  EXPECT_EQ(matrix(sets, functions),
            (std::vector<Signature>{{5, 1, 1, 1}, {2, 2, 2, 2}, {0, 1, 4, 0}}));
  EXPECT_EQ(estimates(sets, functions),
            (std::vector{1.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3}));
  std::vector<double> truth;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = i + 1; j < sets.size(); ++j) truth.push_back(jaccard(sets[i], sets[j]));
  }
  EXPECT_EQ(truth, (std::vector{0.0, 0.0, 1.0 / 4, 0.0, 1.0 / 4, 1.0 / 4}));
  std::vector<std::size_t> values;  // number of values of each function on all six rows
  for (const LinearHash& function : functions) {
    std::set<std::uint64_t> taken;
    for (std::uint64_t row = 0; row < 6; ++row) taken.insert(function(row));
    values.push_back(taken.size());
  }
  EXPECT_EQ(values, (std::vector<std::size_t>{3, 2, 6}));  // the third one is a permutation
}

TEST(Minhash, T3_4_LeastPositionsAndTheirRows) {
  const auto sets = columns_of({"1010", "1001", "0101", "0101", "0101", "1010", "1010"});
  const std::vector<std::vector<std::uint64_t>> positions = {
      {0, 2, 3, 7, 6, 1, 5, 4}, {0, 4, 2, 1, 3, 6, 7, 5}, {0, 3, 4, 7, 2, 6, 1, 5}};
  const std::vector<Signature> expected = {{2, 1, 2, 1}, {2, 1, 4, 1}, {1, 2, 1, 2}};
  const std::vector<Signature> rows = {{1, 5, 1, 5}, {2, 3, 1, 3}, {6, 4, 6, 4}};
  std::vector<Signature> signatures(4);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Signature h = minhashes(sets, positions[i]);
    EXPECT_EQ(h, expected[i]);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto at = std::find(positions[i].begin(), positions[i].end(), h[c]);
      EXPECT_EQ(static_cast<std::uint64_t>(at - positions[i].begin()), rows[i][c]);
      signatures[c].push_back(h[c]);
    }
  }
  EXPECT_DOUBLE_EQ(estimate_similarity(signatures[0], signatures[2]), 2.0 / 3);
  EXPECT_DOUBLE_EQ(estimate_similarity(signatures[1], signatures[3]), 1.0);
  EXPECT_DOUBLE_EQ(estimate_similarity(signatures[0], signatures[1]), 0.0);
  EXPECT_DOUBLE_EQ(estimate_similarity(signatures[2], signatures[3]), 0.0);
}

TEST(Minhash, T3_5_OfThreeSets) {
  const std::vector<std::uint64_t> position = {0, 4, 1, 5, 3, 2};
  EXPECT_EQ(minhashes({{1, 4}, {2, 3, 4}, {3, 5}}, position), (Signature{3, 1, 2}));
}

TEST(Minhash, T3_6_OfTwoColumns) {
  const std::vector<LinearHash> hg = {{1, 0, 5}, {2, 1, 5}};
  EXPECT_EQ(classic_signature(Set{1, 3, 4}, hg), (Signature{1, 2}));
  EXPECT_EQ(classic_signature(Set{2, 3, 5}, hg), (Signature{0, 0}));
}

TEST(Minhash, T3_7_AgreementOverAllPermutationsIsJaccard) {
  std::vector<std::uint64_t> position = {0, 1, 2, 3, 4};
  std::vector<int> agree(6, 0);
  int permutations = 0;
  do {
    ++permutations;
    const Signature h = minhashes(kFigure33, position);
    std::size_t pair = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) agree[pair++] += h[i] == h[j] ? 1 : 0;
    }
  } while (std::next_permutation(position.begin(), position.end()));
  EXPECT_EQ(permutations, 120);
  EXPECT_EQ(agree, (std::vector{0, 30, 80, 0, 40, 24}));
}

TEST(Minhash, T3_7_FewPermutationsDoNotSuffice) {
  int cyclic = 0;  // rows 1..3, sets {3} and {2, 3}: similarity 1/2
  for (std::uint64_t shift = 0; shift < 3; ++shift) {
    const std::vector<std::uint64_t> position = {0, shift % 3, (1 + shift) % 3, (2 + shift) % 3};
    cyclic += minhash({3}, position) == minhash({2, 3}, position) ? 1 : 0;
  }
  EXPECT_EQ(cyclic, 1);  // out of 3
  int linear = 0;
  for (std::uint64_t a = 1; a < 5; ++a) {
    for (std::uint64_t b = 0; b < 5; ++b) {
      const LinearHash h{a, b, 5};
      linear +=
          classic_signature(kFigure33[0], {&h, 1}) == classic_signature(kFigure33[3], {&h, 1});
    }
  }
  EXPECT_EQ(linear, 13);  // out of 20; the similarity is 2/3
}

TEST(Minhash, T3_9_OfSevenRows) {
  const auto sets = columns_of({"0110", "0011", "1000", "0101", "0001", "1100", "0010"});
  EXPECT_EQ(minhashes(sets, {0, 1, 2, 3, 4, 5, 6, 7}), (Signature{3, 1, 1, 2}));
  EXPECT_EQ(minhashes(sets, {0, 7, 6, 5, 4, 3, 2, 1}), (Signature{2, 2, 1, 3}));
  EXPECT_EQ(minhashes(sets, {0, 6, 3, 1, 7, 2, 5, 4}), (Signature{1, 5, 3, 2}));
}

TEST(Minhash, T3_10_OfAUnionIsTheLeastOfEach) {
  std::vector<LinearHash> functions;
  for (std::uint64_t i = 0; i < 50; ++i) {
    functions.push_back({random64(3, 2 * i) >> 4, random64(3, 2 * i + 1) >> 4, (1ULL << 61) - 1});
  }
  Set all;
  Signature combined(functions.size(), kNoMinhash);
  for (std::uint64_t chunk = 0; chunk < 5; ++chunk) {
    Set part;
    for (std::uint64_t i = 0; i < 40; ++i) part.push_back(random64(chunk, i % 30) >> 4);
    all.insert(all.end(), part.begin(), part.end());
    const Signature of_part = classic_signature(part, functions);
    for (std::size_t i = 0; i < combined.size(); ++i) {
      combined[i] = std::min(combined[i], of_part[i]);
    }
  }
  EXPECT_EQ(combined, classic_signature(all, functions));
}

// Two sets with `shared` common elements among `united` elements in total.
struct PlantedPair {
  Set left;
  Set right;
};

PlantedPair planted(std::uint64_t trial, std::uint64_t united, std::uint64_t shared) {
  PlantedPair pair;
  for (std::uint64_t i = 0; i < united; ++i) {
    const std::uint64_t element = random64(trial, i);
    if (i < shared || i % 2 == 0) pair.left.push_back(element);
    if (i < shared || i % 2 == 1) pair.right.push_back(element);
  }
  return pair;
}

struct Moments {
  double sum = 0;
  double squares = 0;
  int count = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double standard_error() const {
    return std::sqrt(std::max(1e-12, squares / count - mean() * mean()) / count);
  }
};

class Unbiased : public testing::TestWithParam<int> {};

TEST_P(Unbiased, T3_8_OnePermutationForAllSizesAndSimilarities) {
  const int k = GetParam();
  for (const std::uint64_t united : {20U, 200U, 10'000U}) {
    for (const std::uint64_t percent : {30U, 50U, 80U, 95U}) {
      const std::uint64_t shared = united * percent / 100;
      Moments estimate;
      for (std::uint64_t trial = 0; trial < 2000; ++trial) {
        MinHasher hasher(k, trial % 8);
        const PlantedPair pair = planted(1000 * united + trial, united, shared);
        std::vector<std::uint32_t> a(static_cast<std::size_t>(k));
        std::vector<std::uint32_t> b(a.size());
        hasher.sketch(pair.left, a);
        hasher.sketch(pair.right, b);
        std::size_t agree = 0;
        for (std::size_t i = 0; i < a.size(); ++i) agree += a[i] == b[i] ? 1U : 0U;
        estimate.add(static_cast<double>(agree) / k);
      }
      const double truth = static_cast<double>(shared) / static_cast<double>(united);
      EXPECT_NEAR(estimate.mean(), truth, 4 * estimate.standard_error())
          << united << " elements, similarity " << truth;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Components, Unbiased, testing::Values(64, 128, 256));

TEST(Minhash, T3_8_ClassicIsUnbiased) {
  for (const std::uint64_t percent : {30U, 50U, 80U, 95U}) {
    Moments estimate;
    for (std::uint64_t trial = 0; trial < 2000; ++trial) {
      std::vector<LinearHash> functions;
      for (std::uint64_t i = 0; i < 32; ++i) {
        functions.push_back(
            {random64(trial, 2 * i) >> 4 | 1, random64(trial, 2 * i + 1) >> 4, (1ULL << 61) - 1});
      }
      const PlantedPair pair = planted(trial + 77, 200, 2 * percent);
      estimate.add(estimate_similarity(classic_signature(pair.left, functions),
                                       classic_signature(pair.right, functions)));
    }
    EXPECT_NEAR(estimate.mean(), static_cast<double>(percent) / 100, 4 * estimate.standard_error());
  }
}

TEST(LinearHash, NeedsNoDivisionByAMersennePrime) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kPrime = (1ULL << 61) - 1;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint64_t a = i % 3 == 0 ? kPrime - 1 - i : random64(1, i) % kPrime;
    const std::uint64_t b = i % 3 == 0 ? kPrime - 1 : random64(2, i) % kPrime;
    const std::uint64_t x = i % 5 == 0 ? ~i : random64(3, i);
    const auto expected = static_cast<std::uint64_t>((static_cast<Wide>(a) * x + b) % kPrime);
    EXPECT_EQ((LinearHash{a, b, kPrime}(x)), expected) << a << ' ' << b << ' ' << x;
    const auto product = static_cast<std::uint64_t>(static_cast<Wide>(a) * x % kPrime);
    const std::uint64_t to_zero = (kPrime - product) % kPrime;  // the halves add up to the prime
    EXPECT_EQ((LinearHash{a, to_zero, kPrime}(x)), 0U) << a << ' ' << x;
  }
}

TEST(MinHasher, ClassicIsTheSignatureOfTheBook) {
  constexpr std::uint64_t kPrime = (1ULL << 61) - 1;
  Set set;
  for (std::uint64_t i = 0; i < 50; ++i) set.push_back(random64(6, i));
  std::vector<LinearHash> functions;
  for (std::uint64_t j = 0; j < 64; ++j) {
    functions.push_back(
        {1 + random64(9, 2 * j) % (kPrime - 1), random64(9, 2 * j + 1) % kPrime, kPrime});
  }
  const Signature expected = classic_signature(set, functions);
  std::vector<std::uint32_t> signature(64);
  MinHasher(64, 9, SketchKind::classic).sketch(set, signature);
  for (std::size_t j = 0; j < 64; ++j) {
    EXPECT_EQ(signature[j], static_cast<std::uint32_t>(expected[j])) << j;
  }
}

TEST(MinHasher, IgnoresOrderAndRepetitions) {
  MinHasher hasher(128, 1);
  Set set;
  for (std::uint64_t i = 0; i < 300; ++i) set.push_back(random64(5, i));
  std::vector<std::uint32_t> signature(128);
  std::vector<std::uint32_t> other(128);
  hasher.sketch(set, signature);
  std::reverse(set.begin(), set.end());
  set.insert(set.end(), set.begin(), set.begin() + 50);
  hasher.sketch(set, other);
  EXPECT_EQ(signature, other);
}

// No rule may depend on the size of the set; otherwise, pairs with sizes on both sides of a limit
// would never meet.
TEST(MinHasher, PairsMeetAcrossEverySizeLimit) {
  constexpr int kComponents = 128;
  for (const std::uint64_t size :
       {2U, 16U, 32U, 64U, 127U, 128U, 129U, 256U, 511U, 512U, 1024U, 2048U, 4096U}) {
    Moments agreement;
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
      MinHasher hasher(kComponents, trial);
      Set set;
      for (std::uint64_t i = 0; i <= size; ++i) set.push_back(random64(trial * 7919 + size, i));
      std::vector<std::uint32_t> without(kComponents);
      std::vector<std::uint32_t> with(kComponents);
      hasher.sketch(std::span(set).first(size), without);
      hasher.sketch(set, with);
      std::size_t agree = 0;
      for (std::size_t i = 0; i < kComponents; ++i) agree += without[i] == with[i] ? 1U : 0U;
      agreement.add(static_cast<double>(agree) / kComponents);
    }
    const double truth = static_cast<double>(size) / static_cast<double>(size + 1);
    EXPECT_NEAR(agreement.mean(), truth, 4 * agreement.standard_error() + 1e-9) << size;
  }
}

TEST(MinHasher, SingletonFillsEveryComponentApartFromItsBin) {
  MinHasher hasher(64, 1);
  const Set set = {42};
  std::vector<std::uint32_t> signature(64);
  hasher.sketch(set, signature);
  int from_the_pass = 0;
  for (std::uint32_t j = 0; j < 64; ++j) from_the_pass += (signature[j] & 63) == j ? 1 : 0;
  EXPECT_EQ(from_the_pass, 1);  // permfilled values carry another bin's number
}

TEST(FilterSignature, AgreesBetweenUnrelatedSetsOneTimeIn256) {
  MinHasher hasher(128, 1);
  Moments agreement;
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    std::vector<std::uint32_t> signature(128);
    std::vector<std::uint8_t> a(128);
    std::vector<std::uint8_t> b(128);
    const PlantedPair pair = planted(trial, 1000, 0);
    hasher.sketch(pair.left, signature);
    filter_signature(signature, a);
    hasher.sketch(pair.right, signature);
    filter_signature(signature, b);
    std::size_t agree = 0;
    for (std::size_t i = 0; i < 128; ++i) agree += a[i] == b[i] ? 1U : 0U;
    agreement.add(static_cast<double>(agree) / 128);
  }
  EXPECT_NEAR(agreement.mean(), 1.0 / 256, 4 * agreement.standard_error());
}

// Stored plans and sketches depend on these values: a change requires a new recipe version.
TEST(MinHasher, GoldenValuesOfTheRecipe) {
  MinHasher hasher(64, 1);
  const Set set = {mix64(1), mix64(2), mix64(3)};
  std::vector<std::uint32_t> signature(64);
  hasher.sketch(set, signature);
  EXPECT_EQ(signature[0], 0x13069201U);
  EXPECT_EQ(signature[63], 0x974713FEU);
  std::vector<std::uint64_t> keys(8);
  band_keys(signature, 8, keys);
  EXPECT_EQ(keys[0], 0x42DFB657E6ULL);
  EXPECT_EQ(keys[7], 0xFB1112FD52ULL);
  std::vector<std::uint8_t> filter(64);
  filter_signature(signature, filter);
  EXPECT_EQ(filter[5], 0x89U);
}

}  // namespace
}  // namespace sosie
