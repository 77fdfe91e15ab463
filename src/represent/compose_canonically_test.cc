#include "represent/compose_canonically.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "represent/unicode_tables.h"

namespace sosie::unicode {
namespace {

using CodePoints = std::vector<char32_t>;

CodePoints composed(CodePoints text) {
  compose_canonically(text);
  return text;
}

CodePoints folded(CodePoints text) {
  fold_canonically(text);
  return text;
}

// A line of NormalizationTest.txt (Unicode 15.0): source, NFC, NFD.
struct NormalizationLine {
  CodePoints source;
  CodePoints nfc;
  CodePoints nfd;
};

const NormalizationLine kLines[] = {
    {{0x1E0A, 0x323}, {0x1E0C, 0x307}, {0x44, 0x323, 0x307}},
    {{0x340}, {0x300}, {0x300}},
    {{0x344}, {0x308, 0x301}, {0x308, 0x301}},
    {{0x390}, {0x390}, {0x3B9, 0x308, 0x301}},
    {{0x958}, {0x915, 0x93C}, {0x915, 0x93C}},
    {{0x1E69}, {0x1E69}, {0x73, 0x323, 0x307}},
    {{0x1F06}, {0x1F06}, {0x3B1, 0x313, 0x342}},
    {{0x2126}, {0x3A9}, {0x3A9}},
    {{0x2ADC}, {0x2ADD, 0x338}, {0x2ADD, 0x338}},
    {{0xAC01}, {0xAC01}, {0x1100, 0x1161, 0x11A8}},
    {{0xD4DB}, {0xD4DB}, {0x1111, 0x1171, 0x11B6}},
    {{0x1100, 0xAC00, 0x11A8}, {0x1100, 0xAC01}, {0x1100, 0x1100, 0x1161, 0x11A8}},
    {{0x1100, 0xAC00, 0x11A8, 0x11A8},
     {0x1100, 0xAC01, 0x11A8},
     {0x1100, 0x1100, 0x1161, 0x11A8, 0x11A8}},
    {{0xF951}, {0x964B}, {0x964B}},
    {{0xFB2C}, {0x5E9, 0x5BC, 0x5C1}, {0x5E9, 0x5BC, 0x5C1}},
    {{0x1D160}, {0x1D158, 0x1D165, 0x1D16E}, {0x1D158, 0x1D165, 0x1D16E}},
    {{0x2F800}, {0x4E3D}, {0x4E3D}},
    {{0x61, 0x315, 0x300, 0x5AE, 0x300, 0x62},
     {0xE0, 0x5AE, 0x300, 0x315, 0x62},
     {0x61, 0x5AE, 0x300, 0x300, 0x315, 0x62}},
    // Blocked: the mark in between keeps the starters apart.
    {{0x9C7, 0x334, 0x9BE}, {0x9C7, 0x334, 0x9BE}, {0x9C7, 0x334, 0x9BE}},
    {{0xB47, 0x334, 0xB3E}, {0xB47, 0x334, 0xB3E}, {0xB47, 0x334, 0xB3E}},
    {{0x1100, 0x334, 0x1161}, {0x1100, 0x334, 0x1161}, {0x1100, 0x334, 0x1161}},
};

TEST(Canonical, ComposesTheLinesOfTheNormalizationTest) {
  for (const NormalizationLine& line : kLines) {
    EXPECT_EQ(composed(line.source), line.nfc) << "line " << &line - kLines;
    EXPECT_EQ(composed(line.nfc), line.nfc) << "line " << &line - kLines;
    EXPECT_EQ(composed(line.nfd), line.nfc) << "line " << &line - kLines;
  }
}

TEST(Canonical, EveryHangulSyllableComposesFromItsJamo) {
  for (char32_t i = 0; i < 11172; ++i) {
    CodePoints jamo = {0x1100 + i / 588, 0x1161 + i / 28 % 21};
    if (i % 28 != 0) jamo.push_back(0x11A7 + i % 28);
    ASSERT_EQ(composed(jamo), CodePoints{0xAC00 + i});
    ASSERT_EQ(composed({0xAC00 + i}), CodePoints{0xAC00 + i});
  }
}

TEST(Canonical, WhatIsNoTailJamoDoesNotCompose) {
  EXPECT_EQ(composed({0xAC00, 0x11A7}), (CodePoints{0xAC00, 0x11A7}));
  EXPECT_EQ(composed({0xAC00, 0x11C3}), (CodePoints{0xAC00, 0x11C3}));
  EXPECT_EQ(composed({0xAC01, 0x11A8}), (CodePoints{0xAC01, 0x11A8}));
}

TEST(Canonical, FoldingComposesWhatFoldingTookApart) {
  EXPECT_EQ(folded({0x390}), CodePoints{0x390});
  EXPECT_EQ(folded({0x1FD3}), CodePoints{0x390});
  EXPECT_EQ(folded({0x3B1, 0x345, 0x301}), (CodePoints{0x3AC, 0x3B9}));
  EXPECT_EQ(folded({0x1F80}), (CodePoints{0x1F00, 0x3B9}));
  EXPECT_EQ(folded({0x212B}), CodePoints{0xE5});
  EXPECT_EQ(folded({'I', 0x307}), (CodePoints{'i', 0x307}));
  EXPECT_EQ(folded({0x130}), (CodePoints{'i', 0x307}));
}

TEST(Canonical, NothingStaysNothing) {
  EXPECT_EQ(folded({}), CodePoints{});
  EXPECT_EQ(composed({}), CodePoints{});
}

TEST(Canonical, AMillionMarksAreSortedInTheirOrder) {
  CodePoints text = {'q'};
  for (int i = 0; i < 500'000; ++i) text.insert(text.end(), {0x30D, 0x331});
  const CodePoints result = composed(text);
  ASSERT_EQ(result.size(), text.size());
  EXPECT_EQ(std::count(result.begin() + 1, result.begin() + 500'001, char32_t{0x331}), 500'000);
  EXPECT_EQ(std::count(result.begin() + 500'001, result.end(), char32_t{0x30D}), 500'000);
}

TEST(UnicodeTables, CharacterCountsAreThoseOfUnicode15) {
  std::size_t count[4] = {};
  std::size_t joining = 0;
  std::size_t with_class = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    ++count[static_cast<std::size_t>(properties_of(c).char_class())];
    joining += properties_of(c).joins_previous() ? 1 : 0;
    with_class += combining_class(c) != 0 ? 1 : 0;
  }
  EXPECT_EQ(count[static_cast<std::size_t>(CharClass::blank)], 26U);  // White_Space and NUL
  EXPECT_EQ(with_class, 922U);
  EXPECT_EQ(count[static_cast<std::size_t>(CharClass::word)], 40891U);
  EXPECT_EQ(count[static_cast<std::size_t>(CharClass::single)], 99504U);
  EXPECT_EQ(joining, 997U);
  EXPECT_EQ(kCompositionCount, 941U);
}

}  // namespace
}  // namespace sosie::unicode
