#include "verify/edit_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mix64.h"
#include "reference/edit_distance.h"
#include "sosie/strings.h"

namespace sosie {
namespace {

using Symbols = std::vector<std::uint32_t>;

constexpr std::array kMeasures = {EditMeasure::levenshtein, EditMeasure::indel, EditMeasure::osa,
                                  EditMeasure::damerau};

std::uint32_t reference_of(EditMeasure measure, const Symbols& x, const Symbols& y) {
  switch (measure) {
    case EditMeasure::levenshtein:
      return reference::levenshtein(x, y);
    case EditMeasure::indel:
      return reference::indel(x, y);
    case EditMeasure::osa:
      return reference::osa(x, y);
    case EditMeasure::damerau:
      return reference::damerau(x, y);
  }
  return 0;
}

// Random strings, each from its own seed; similar ones differ by some edits.
class Source {
 public:
  explicit Source(std::uint64_t seed) : seed_(seed) {}

  std::uint32_t below(std::uint64_t end) {
    return static_cast<std::uint32_t>(random64(seed_, next_++) % end);
  }
  Symbols string(std::uint32_t length, std::uint32_t alphabet) {
    Symbols symbols(length);
    for (std::uint32_t& symbol : symbols) symbol = below(alphabet);
    return symbols;
  }
  Symbols edited(Symbols symbols, std::uint32_t edits, std::uint32_t alphabet) {
    for (std::uint32_t i = 0; i < edits; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(below(symbols.size() + 1));
      const std::uint32_t kind = below(4);
      if (kind == 0 || at == static_cast<std::ptrdiff_t>(symbols.size())) {
        symbols.insert(symbols.begin() + at, below(alphabet));
      } else if (kind == 1) {
        symbols.erase(symbols.begin() + at);
      } else if (kind == 2 || at == 0) {
        symbols[static_cast<std::size_t>(at)] = below(alphabet);
      } else {
        std::swap(symbols[static_cast<std::size_t>(at)], symbols[static_cast<std::size_t>(at) - 1]);
      }
    }
    return symbols;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

// The symbols, stored in `width` bytes each.
class Stored {
 public:
  Stored(const Symbols& symbols, std::uint8_t width)
      : length_(static_cast<std::uint32_t>(symbols.size())), width_(width) {
    for (const std::uint32_t symbol : symbols) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&symbol);
      bytes_.insert(bytes_.end(), bytes, bytes + width);
    }
  }
  [[nodiscard]] SymbolSpan span() const { return {bytes_.data(), length_, width_}; }

 private:
  std::uint32_t length_;
  std::uint8_t width_;
  std::vector<std::byte> bytes_;
};

// Compares distances with the reference, without a cut-off and with cut-offs around them.
testing::AssertionResult agrees(EditPattern& pattern, EditMeasure measure, const Symbols& x,
                                const Symbols& y, std::uint8_t width) {
  const Stored other(y, width);
  const std::uint32_t expected = reference_of(measure, x, y);
  const std::uint32_t found = pattern.distance(other.span(), kAnyDistance);
  if (found != expected) return testing::AssertionFailure() << found << " for " << expected;
  for (const std::uint32_t most :
       {0U, 1U, 2U, 3U, 5U, 9U, 40U, expected - 1, expected, expected + 1}) {
    const std::uint32_t bounded = pattern.distance(other.span(), most);
    if (expected <= most ? bounded == expected : bounded > most) continue;
    return testing::AssertionFailure() << bounded << " for " << expected << " within " << most;
  }
  return testing::AssertionSuccess();
}

struct Lengths {
  std::uint32_t least;
  std::uint32_t past;
};

// Compares a string with a similar and a dissimilar one, by several measures.
testing::AssertionResult round_agrees(Source& source, const Lengths& lengths, std::uint32_t round,
                                      std::span<const EditMeasure> measures) {
  const std::uint32_t alphabet = std::array{2U, 4U, 26U, 200U}[round % 4];
  const std::uint8_t width = std::array<std::uint8_t, 3>{1, 2, 4}[round % 3];
  const auto length = [&] { return lengths.least + source.below(lengths.past - lengths.least); };
  const Symbols x = source.string(length(), alphabet);
  const Stored stored(x, width);
  const Symbols near = source.edited(x, 1 + round % 40, alphabet);
  const Symbols far = source.string(length(), alphabet);
  for (const EditMeasure measure : measures) {
    EditPattern pattern(measure, alphabet);
    pattern.set(stored.span());
    for (const auto& [other, other_width] :
         {std::pair(near, width), std::pair(far, width), std::pair(near, std::uint8_t{4})}) {
      const auto result = agrees(pattern, measure, x, other, other_width);
      if (!result) return testing::AssertionFailure() << result.message() << ", round " << round;
    }
  }
  return testing::AssertionSuccess();
}

void check(std::uint64_t seed, const Lengths& lengths, std::uint32_t rounds,
           std::span<const EditMeasure> measures = kMeasures) {
  Source source(seed);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    ASSERT_TRUE(round_agrees(source, lengths, round, measures));
  }
}

TEST(EditDistance, OfShortStringsIsTheReferences) { check(1, {0, 13}, 1500); }
TEST(EditDistance, AtTheBorderOfAWordIsTheReferences) { check(2, {60, 71}, 48); }
TEST(EditDistance, OfSeveralWordsIsTheReferences) { check(3, {120, 150}, 4); }
TEST(EditDistance, OfSeveralStripsIsTheReferences) {
  // The reference for Damerau would be too slow.
  check(4, {250, 750}, 40, std::span(kMeasures).first(3));
}

TEST(EditDistance, OneTableServesPatternsOfAnyLength) {
  Source source(5);
  EditPattern pattern(EditMeasure::levenshtein, 26);
  for (const std::uint32_t length : {5U, 70U, 3U, 300U, 64U, 200U, 1U, 130U}) {
    const Symbols x = source.string(length, 26);
    const Symbols y = source.edited(x, 12, 26);
    const Stored left(x, 1);
    const Stored right(y, 1);
    pattern.set(left.span());
    EXPECT_EQ(pattern.distance(right.span(), kAnyDistance), reference::levenshtein(x, y));
  }
}

std::uint32_t edits_between(EditMeasure measure, const Symbols& x, const Symbols& y) {
  const Stored left(x, 1);
  const Stored right(y, 1);
  EditPattern pattern(measure, 4);
  pattern.set(left.span());
  return pattern.distance(right.span(), kAnyDistance);
}

std::uint32_t broken_triangles(EditMeasure measure) {
  Source source(6);
  std::uint32_t broken = 0;
  for (std::uint32_t round = 0; round < 4000; ++round) {
    const Symbols x = source.string(source.below(6), 3);
    const Symbols y = source.edited(x, source.below(4), 3);
    const Symbols z = source.edited(y, source.below(4), 3);
    broken +=
        edits_between(measure, x, z) > edits_between(measure, x, y) + edits_between(measure, y, z)
            ? 1U
            : 0U;
    EXPECT_EQ(edits_between(measure, x, y), edits_between(measure, y, x));
    EXPECT_EQ(edits_between(measure, x, y) == 0, x == y);
  }
  return broken;
}

TEST(EditDistance, AllButOsaKeepTheTriangleInequality) {
  EXPECT_EQ(broken_triangles(EditMeasure::levenshtein), 0);
  EXPECT_EQ(broken_triangles(EditMeasure::indel), 0);
  EXPECT_EQ(broken_triangles(EditMeasure::damerau), 0);
  EXPECT_GT(broken_triangles(EditMeasure::osa), 0);
}

TEST(EditDistance, LongStringsTakeLinearMemory) {
  // A whole table would have 10^14 cells.
  const std::size_t length = 10'000'000;
  std::string x(length, 'a');
  for (std::size_t i = 0; i < length; i += 7) x[i] = static_cast<char>('a' + random64(7, i) % 26);
  std::string y = x;
  y.erase(length / 3, 1);
  std::swap(y[length / 2], y[length / 2 + 1]);
  y[length - 5] = '!';
  EXPECT_LE(levenshtein(x, y, 5), 4);
  EXPECT_EQ(osa(x, y, 40), osa(y, x, 3));
  EXPECT_LE(indel(x, y, 50), 5);
  EXPECT_LE(damerau(x, y, 10), 3);
}

TEST(EditBound, IsDecidedInIntegers) {
  // In doubles, 1 - 0.85 is .15000000000000002, and 20 times this is less than 3.
  const EditBound bound{.by_similarity = true, .threshold = {17, 20}};
  EXPECT_EQ(bound.most_edits(20, 18), 3);
  EXPECT_EQ(bound.most_edits(19, 19), 2);
  const EditBound ratio{
      .measure = EditMeasure::indel, .by_similarity = true, .threshold = {17, 20}};
  EXPECT_EQ(ratio.most_edits(10, 10), 3);
  EXPECT_EQ(bound.value(0, 0, 0), 1);
  EXPECT_EQ(bound.value(20, 18, 3), .85);
}

}  // namespace
}  // namespace sosie
