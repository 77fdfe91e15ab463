#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/mix64.h"
#include "sosie/error.h"
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

TEST(EditStrings, ManyAtOnceHaveTheDistancesOfEach) {
  std::uint64_t next = 0;
  const auto random = [&](std::size_t length, std::uint64_t letters) {
    std::string out;
    for (std::size_t i = 0; i < length; ++i) {
      out += static_cast<char>('a' + random64(1, next++) % letters);
    }
    return out;
  };
  for (std::size_t i = 0; i < 300; ++i) {
    const std::uint64_t letters = i % 2 == 0 ? 3 : 26;
    EditQuery query(EditMeasure::levenshtein, random(i % 70, letters));
    std::vector<std::string> others;
    for (std::size_t n = 0; n < 21; ++n) others.push_back(random(random64(2, n * i) % 80, letters));
    if (i % 3 == 0) others[i % 21] += "é";
    const std::vector<std::string_view> views(others.begin(), others.end());
    std::vector<std::uint32_t> found(others.size());
    for (const std::uint32_t most : {0U, 2U, 5U, 20U, kAnyDistance}) {
      query.distances(views, found, most);
      for (std::size_t n = 0; n < others.size(); ++n) {
        const std::uint32_t expected = query.distance(views[n], most);
        if (expected <= most) {
          ASSERT_EQ(found[n], expected) << others[n];
        } else {
          ASSERT_GT(found[n], most) << others[n];
        }
      }
    }
  }
  std::uint32_t one = 0;
  EditQuery query(EditMeasure::osa, "ab");
  EXPECT_THROW(query.distances({}, {&one, 1}), Error);
}

// Short strings and small bounds use code of their own.
TEST(EditStrings, BoundsChangeNoDistanceWithinThem) {
  std::uint64_t next = 0;
  const auto random = [&](std::uint64_t letters) {
    std::string out(random64(3, next++) % 20, ' ');
    for (char& c : out) c = static_cast<char>('!' + random64(3, next++) % letters);
    return out;
  };
  for (std::size_t i = 0; i < 20000; ++i) {
    const std::uint64_t letters = i % 2 == 0 ? 2 + i % 5 : 94;
    const std::string left = random(letters);
    std::string right = i % 3 == 0 ? random(letters) : left;
    for (std::uint64_t edits = random64(3, next++) % 5; edits > 0 && !right.empty(); --edits) {
      const std::size_t at = random64(3, next++) % right.size();
      right.replace(at, random64(3, next++) % 2, random(letters).substr(0, 1));
    }
    for (const auto distance : {levenshtein, indel, osa, damerau}) {
      const std::uint32_t whole = distance(left, right, kAnyDistance);
      for (std::uint32_t most = 0; most < 5; ++most) {
        const std::uint32_t found = distance(left, right, most);
        ASSERT_EQ(std::min(found, most + 1), std::min(whole, most + 1)) << left << ' ' << right;
      }
    }
  }
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

// A string in Greek letters, which is compared code point by code point.
std::string in_greek(std::string_view text) {
  std::string greek;
  for (const char c : text) {
    greek += '\xCE';
    greek += static_cast<char>(0xB1 + (c - 'a'));
  }
  return greek;
}

TEST(EditStrings, JaroOfShortAsciiIsThatOfCodePoints) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 120; ++i) {
    const std::uint64_t random = mix64(i);
    const std::size_t length = i % 10 == 0 ? 60 + random % 8 : random % 12;  // 64 is the boundary
    std::string text;
    for (std::size_t j = 0; j < length; ++j) {
      text += static_cast<char>('a' + mix64(random + j) % (2 + i % 5));
    }
    texts.push_back(text);
  }
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      EXPECT_EQ(jaro(a, b), jaro(in_greek(a), in_greek(b))) << a << " and " << b;
      EXPECT_EQ(jaro_winkler(a, b), jaro_winkler(in_greek(a), in_greek(b))) << a << " and " << b;
    }
  }
}

// Jaro similarity by definition: for each letter, the first free equal letter within half of the
// longer length.
double jaro_by_definition(const std::string& left, const std::string& right) {
  const std::size_t longer = std::max(left.size(), right.size());
  const std::size_t reach = longer / 2 > 0 ? longer / 2 - 1 : 0;
  std::vector<bool> taken(right.size());
  std::string of_left;
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < right.size(); ++j) {
      if (taken[j] || left[i] != right[j] || j + reach < i || i + reach < j) continue;
      taken[j] = true;
      of_left += left[i];
      break;
    }
  }
  std::string of_right;
  for (std::size_t j = 0; j < right.size(); ++j) {
    if (taken[j]) of_right += right[j];
  }
  if (of_left.empty()) return 0;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < of_left.size(); ++i) moved += of_left[i] != of_right[i] ? 1 : 0;
  const auto matched = static_cast<double>(of_left.size());
  return (matched / static_cast<double>(left.size()) + matched / static_cast<double>(right.size()) +
          static_cast<double>(of_left.size() - moved / 2) / matched) /
         3;
}

std::string drawn_text(std::uint64_t seed, std::size_t length, std::uint64_t letters) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    text += static_cast<char>('a' + mix64(seed * 100000 + i) % letters);
  }
  return text;
}

TEST(EditStrings, JaroOfLongTextsIsThatOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string a = drawn_text(seed, 257 + mix64(seed) % 300, 1 + seed % 20);
    const std::string b = drawn_text(seed + 1000, 1 + mix64(seed + 7) % 600, 1 + seed % 23);
    EXPECT_EQ(jaro(a, b), jaro_by_definition(a, b)) << a << " and " << b;
    EXPECT_EQ(jaro(b, a), jaro_by_definition(b, a)) << b << " and " << a;
  }
}

TEST(EditStrings, JaroOfHugeTextsIsLinear) {
  // A search letter by letter would take 10^12 steps.
  const std::string a = drawn_text(1, 2000000, 3);
  const std::string b = drawn_text(2, 2000000, 3);
  EXPECT_GT(jaro(a, b), 0.8);
  EXPECT_EQ(jaro(a, std::string(2000000, 'z')), 0);
}

}  // namespace
}  // namespace sosie
