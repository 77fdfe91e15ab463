#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "sosie/strings.h"

namespace sosie {
namespace {

using Distances = std::array<std::uint32_t, 4>;

Distances all(std::string_view left, std::string_view right) {
  return {levenshtein(left, right), indel(left, right), osa(left, right), damerau(left, right)};
}

TEST(EditStrings, T5_4_Distances) {
  EXPECT_EQ(all("abcde", "acfdeg"), (Distances{3, 3, 3, 3}));
  EXPECT_EQ(all("aba", "bab"), (Distances{2, 2, 2, 2}));
  EXPECT_EQ(all("abcdef", "bdaefc"), (Distances{4, 4, 4, 4}));
  EXPECT_EQ(all("abccdabc", "acbdcab"), (Distances{4, 5, 3, 3}));
  EXPECT_EQ(all("abcdef", "baedfc"), (Distances{5, 6, 4, 4}));
}

TEST(EditStrings, T5_6_OnlyDamerauKeepsTheTriangle) {
  EXPECT_EQ(all("ca", "ac"), (Distances{2, 2, 1, 1}));
  EXPECT_EQ(all("ac", "abc"), (Distances{1, 1, 1, 1}));
  EXPECT_EQ(all("ca", "abc"), (Distances{3, 3, 3, 2}));
}

TEST(EditStrings, CountsCodePoints) {
  EXPECT_EQ(levenshtein("Müller", "Muller"), 1);
  EXPECT_EQ(levenshtein("東京都", "京都"), 1);
  EXPECT_EQ(osa("Ελλάς", "Ελάλς"), 1);
  EXPECT_EQ(indel("\U0001F600a", "a"), 1);
  EXPECT_EQ(damerau("aß", "ßa"), 1);
  EXPECT_EQ(levenshtein("", "äöü"), 3);
  EXPECT_EQ(levenshtein("ascii", "äscii"), 1);
  EXPECT_EQ(levenshtein("äscii", "ascii"), 1);
}

TEST(EditStrings, BytesThatAreNoUtf8AreCodePointsOfTheirOwn) {
  EXPECT_EQ(levenshtein("a\xFF", "a\xFE"), 1);
  EXPECT_EQ(levenshtein("a\xFF", "a\xFF"), 0);
  EXPECT_EQ(levenshtein(std::string_view("a\0b", 3), "ab"), 1);
}

TEST(EditStrings, OneStringIsComparedWithMany) {
  EditQuery query(EditMeasure::levenshtein, "Katharina");
  EXPECT_EQ(query.distance("Katarina"), 1);
  EXPECT_EQ(query.distance("Catharine", 2), 2);
  EXPECT_GT(query.distance("Catharine", 1), 1);
  EXPECT_EQ(query.distance("Kätharina"), 1);
  EditQuery moved = std::move(query);
  EXPECT_EQ(moved.distance("Katharina"), 0);
}

TEST(EditStrings, JaroOfTheLiterature) {
  // Winkler 1990, table 2.
  EXPECT_NEAR(jaro("MARTHA", "MARHTA"), .944, .0005);
  EXPECT_NEAR(jaro("DIXON", "DICKSONX"), .767, .0005);
  EXPECT_NEAR(jaro_winkler("MARTHA", "MARHTA"), .961, .0005);
  EXPECT_NEAR(jaro_winkler("DWAYNE", "DUANE"), .840, .0005);
  EXPECT_NEAR(jaro_winkler("DIXON", "DICKSONX"), .813, .0005);
  EXPECT_EQ(jaro("", ""), 1);
  EXPECT_EQ(jaro("a", ""), 0);
  EXPECT_EQ(jaro("a", "a"), 1);
  EXPECT_EQ(jaro("ab", "cd"), 0);
}

}  // namespace
}  // namespace sosie
