// Tests of distances within bounds, compared with plain tables, around the boundaries of words,
// bands and blocks.
#include "verify/distance_in_band.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include "core/mix64.h"
#include "reference/edit_distance.h"
#include "verify/edit_pattern.h"

namespace sosie {
namespace {

using Letters = std::vector<std::uint32_t>;

// Pairs of strings, generated from a seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}

  std::uint32_t below(std::uint64_t end) {
    return static_cast<std::uint32_t>(random64(seed_, next_++) % end);
  }
  Letters letters(std::uint32_t length, std::uint32_t alphabet) {
    Letters all(length);
    for (std::uint32_t& letter : all) letter = below(alphabet);
    return all;
  }
  // The string after some edits: any of four kinds, only insertions (drift 1), or only deletions
  // (drift 2).
  Letters edited(Letters all, std::uint32_t edits, std::uint32_t alphabet, std::uint32_t drift) {
    for (std::uint32_t i = 0; i < edits && all.size() > 2; ++i) {
      const std::uint32_t kind = drift == 0 ? below(4) : drift - 1;
      const std::size_t at = below(all.size() - 1);
      const auto place = all.begin() + static_cast<std::ptrdiff_t>(at);
      if (kind == 0) all.insert(place, below(alphabet));
      if (kind == 1) all.erase(place);
      if (kind == 2) *place = below(alphabet);
      if (kind == 3) std::swap(all[at], all[at + 1]);
    }
    return all;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

template <class Symbol>
std::vector<Symbol> stored(const Letters& letters) {
  std::vector<Symbol> symbols;
  for (const std::uint32_t letter : letters) symbols.push_back(static_cast<Symbol>(letter));
  return symbols;
}

template <class Symbol>
SymbolSpan span_of_symbols(const std::vector<Symbol>& symbols) {
  return {reinterpret_cast<const std::byte*>(symbols.data()),
          static_cast<std::uint32_t>(symbols.size()), sizeof(Symbol)};
}

std::uint32_t plain_distance(EditMeasure measure, const Letters& x, const Letters& y) {
  if (measure == EditMeasure::levenshtein) return reference::levenshtein(x, y);
  return measure == EditMeasure::indel ? reference::indel(x, y) : reference::osa(x, y);
}

constexpr std::array kBanded = {EditMeasure::levenshtein, EditMeasure::indel, EditMeasure::osa};

// Bounds around a distance and around the widths of bands.
std::vector<std::uint32_t> bounds_around(std::uint32_t distance) {
  std::vector<std::uint32_t> bounds{4,   8,   60,  61,  62,  63,  64, 122,
                                    123, 125, 126, 127, 250, 251, 300};
  for (std::uint32_t near = distance < 2 ? 0 : distance - 2; near <= distance + 2; ++near) {
    bounds.push_back(near);
  }
  return bounds;
}

// Compares all bounds for a pattern in any order, so that data kept for one bound are used for the
// next.
template <class Symbol, class TextSymbol>
void expect_plain_distances(const Letters& x, const Letters& y, std::uint32_t alphabet) {
  const std::vector<Symbol> pattern_symbols = stored<Symbol>(x);
  const std::vector<TextSymbol> text_symbols = stored<TextSymbol>(y);
  for (const EditMeasure measure : kBanded) {
    const std::uint32_t expected = plain_distance(measure, x, y);
    EditPattern pattern(measure, alphabet);
    pattern.set(span_of_symbols(pattern_symbols));
    for (const std::uint32_t most : bounds_around(expected)) {
      const std::uint32_t found = pattern.distance(span_of_symbols(text_symbols), most);
      ASSERT_EQ(std::min(found, most + 1), std::min(expected, most + 1))
          << "measure " << static_cast<int>(measure) << " within " << most << ": " << x.size()
          << " and " << y.size() << " of " << alphabet;
    }
  }
}

TEST(DistanceInBand, FindsTheDistancesOfPlainTables) {
  constexpr std::array<std::uint32_t, 12> kLengths = {63,  64,  65,  66,  90,  127,
                                                      128, 129, 191, 193, 256, 321};
  constexpr std::array<std::uint32_t, 5> kAlphabets = {1, 2, 4, 27, 250};
  Draw draw(1);
  for (std::uint32_t round = 0; round < 1200; ++round) {
    const std::uint32_t alphabet = kAlphabets[round % kAlphabets.size()];
    const std::uint32_t length = kLengths[draw.below(kLengths.size())];
    const Letters x = draw.letters(length, alphabet);
    const std::uint32_t edits = draw.below(round % 3 == 0 ? 140 : 12);
    const Letters y = round % 7 == 0
                          ? draw.letters(kLengths[draw.below(kLengths.size())], alphabet)
                          : draw.edited(x, edits, alphabet, round % 4 == 3 ? 1 + round % 2 : 0);
    if (round % 3 == 0) {
      ASSERT_NO_FATAL_FAILURE((expect_plain_distances<std::uint8_t, std::uint8_t>(x, y, alphabet)));
    } else if (round % 3 == 1) {
      ASSERT_NO_FATAL_FAILURE(
          (expect_plain_distances<std::uint16_t, std::uint32_t>(x, y, alphabet)));
    } else {
      ASSERT_NO_FATAL_FAILURE(
          (expect_plain_distances<std::uint32_t, std::uint8_t>(x, y, alphabet)));
    }
  }
}

// With such a large alphabet, there are words for only 16 blocks per symbol, which are reused in
// turn.
TEST(DistanceInBand, FindsThemInPatternsOfMoreBlocksThanAreKept) {
  constexpr std::uint32_t kAlphabet = 40'000;
  Draw draw(2);
  for (std::uint32_t round = 0; round < 6; ++round) {
    const Letters x = draw.letters(1300 + 400 * round, round % 2 == 0 ? 4 : kAlphabet);
    const Letters y = draw.edited(x, draw.below(90), kAlphabet, round % 3);
    ASSERT_NO_FATAL_FAILURE(
        (expect_plain_distances<std::uint32_t, std::uint32_t>(x, y, kAlphabet)));
  }
}

TEST(DistanceInBand, TakesSymbolsThatThePatternDoesNotHave) {
  Draw draw(3);
  const Letters x = draw.letters(200, 4);
  Letters y = draw.edited(x, 5, 4, 0);
  for (const std::size_t at : {0UL, 70UL, 199UL})
    y.insert(y.begin() + static_cast<std::ptrdiff_t>(at), 1'000'000);
  expect_plain_distances<std::uint8_t, std::uint32_t>(x, y, 4);
}

TEST(DistanceInBand, OnePatternServesTextsOfAnyLengthAndBound) {
  Draw draw(4);
  EditPattern pattern(EditMeasure::osa, 27);
  for (std::uint32_t round = 0; round < 40; ++round) {
    const Letters x = draw.letters(1 + draw.below(700), 27);
    const std::vector<std::uint8_t> stored_x = stored<std::uint8_t>(x);
    pattern.set(span_of_symbols(stored_x));
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Letters y = draw.edited(x, draw.below(80), 27, i % 3);
      const std::vector<std::uint8_t> stored_y = stored<std::uint8_t>(y);
      const std::uint32_t most = draw.below(200);
      ASSERT_EQ(std::min(pattern.distance(span_of_symbols(stored_y), most), most + 1),
                std::min(reference::osa(x, y), most + 1));
    }
  }
}

// The reference takes time proportional to the fourth power of the length.
TEST(DistanceInBand, TellsDamerauFromOsaOfLongStrings) {
  Draw draw(5);
  for (std::uint32_t round = 0; round < 60; ++round) {
    const Letters x = draw.letters(65 + draw.below(12), 3);
    Letters y = draw.edited(x, draw.below(6), 3, 0);
    for (std::uint32_t i = 0; i < 3; ++i) {  // swaps with a letter inserted between
      const std::size_t at = draw.below(y.size() - 1);
      std::swap(y[at], y[at + 1]);
      y.insert(y.begin() + static_cast<std::ptrdiff_t>(at) + 1, draw.below(3));
    }
    const std::uint32_t expected = reference::damerau(x, y);
    const std::vector<std::uint8_t> stored_x = stored<std::uint8_t>(x);
    const std::vector<std::uint8_t> stored_y = stored<std::uint8_t>(y);
    EditPattern pattern(EditMeasure::damerau, 3);
    pattern.set(span_of_symbols(stored_x));
    for (const std::uint32_t most : {2U, 4U, 8U, 30U, 63U, 200U, expected, expected - 1}) {
      ASSERT_EQ(std::min(pattern.distance(span_of_symbols(stored_y), most), most + 1),
                std::min(expected, most + 1));
    }
  }
}

// Lowest CPU time of some comparisons within a bound.
double least_seconds(EditPattern& pattern, const SymbolSpan& text, std::uint32_t most) {
  double least = 1e9;
  for (int round = 0; round < 7; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < 8; ++i) (void)pattern.distance(text, most);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// A table of 10,000 rows is 157 words wide; strips of 256 rows take a tenth of its time.
TEST(DistanceInBand, CostsLittleOfAWholeTable) {
  Draw draw(6);
  const Letters x = draw.letters(10'000, 4);
  const std::vector<std::uint8_t> pattern_symbols = stored<std::uint8_t>(x);
  const std::vector<std::uint8_t> near = stored<std::uint8_t>(draw.edited(x, 20, 4, 0));
  const std::vector<std::uint8_t> far = stored<std::uint8_t>(draw.letters(10'000, 4));
  for (const EditMeasure measure : {EditMeasure::indel, EditMeasure::osa}) {
    EditPattern pattern(measure, 4);
    pattern.set(span_of_symbols(pattern_symbols));
    const double whole = least_seconds(pattern, span_of_symbols(far), kAnyDistance);
    EXPECT_LT(25 * least_seconds(pattern, span_of_symbols(near), 60), whole);
    EXPECT_LT(25 * least_seconds(pattern, span_of_symbols(far), 60), whole);
  }
}

}  // namespace
}  // namespace sosie
