// Tests that few_edits() agrees with the plain distance, regardless of the bytes after the strings.
#include "verify/few_edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/mix64.h"
#include "reference/edit_distance.h"

namespace sosie {
namespace {

constexpr std::array kFewEditMeasures = {EditMeasure::levenshtein, EditMeasure::indel,
                                         EditMeasure::osa};

constexpr std::array<std::uint8_t, 3> kWidths = {1, 2, 4};

std::uint32_t expected(EditMeasure measure, const std::string& x, const std::string& y) {
  switch (measure) {
    case EditMeasure::indel:
      return reference::indel(x, y);
    case EditMeasure::osa:
      return reference::osa(x, y);
    default:
      return reference::levenshtein(x, y);
  }
}

// The strings in symbols of one width, one after another, followed by bytes that may be read.
struct SymbolText {
  SymbolText(const std::string& x, const std::string& y, std::uint8_t width, std::byte behind) {
    for (const char c : x + y) {
      bytes.push_back(static_cast<std::byte>(c));
      bytes.resize(bytes.size() + width - 1, static_cast<std::byte>(c & 1));
    }
    bytes.resize(bytes.size() + kReadBehind, behind);
    left = {bytes.data(), static_cast<std::uint32_t>(x.size()), width};
    right = {bytes.data() + x.size() * width, static_cast<std::uint32_t>(y.size()), width};
  }

  std::vector<std::byte> bytes;
  SymbolSpan left;
  SymbolSpan right;
};

class Random {
 public:
  std::uint64_t below(std::uint64_t bound) { return random64(7, next_++) % bound; }

  std::string string(std::size_t length, unsigned letters) {
    std::string out;
    for (std::size_t i = 0; i < length; ++i) out += static_cast<char>('a' + below(letters));
    return out;
  }

  std::string edited(std::string string, std::size_t edits, unsigned letters) {
    for (; edits > 0; --edits) {
      const std::size_t at = below(string.size() + 1);
      const std::size_t kind = below(4);
      if (kind == 0) string.insert(at, this->string(1, letters));
      if (kind == 1) string.erase(at, 1);
      if (kind == 2) string.replace(at, 1, this->string(1, letters));
      if (kind == 3 && at + 2 <= string.size()) std::swap(string[at], string[at + 1]);
    }
    return string;
  }

 private:
  std::uint64_t next_ = 0;
};

void check(const std::string& x, const std::string& y) {
  for (const EditMeasure measure : kFewEditMeasures) {
    const std::uint32_t distance = expected(measure, x, y);
    for (std::uint32_t most = 0; most <= kMostFewEdits; ++most) {
      const std::uint32_t bounded = std::min(distance, most + 1);
      for (const std::uint8_t width : kWidths) {
        const SymbolText symbols(x, y, width, static_cast<std::byte>(0xA5));
        for (const ReadBehind behind : {ReadBehind::no, ReadBehind::yes}) {
          ASSERT_EQ(few_edits(measure, symbols.left, symbols.right, most, behind), bounded)
              << x << ' ' << y << ", at most " << most << ", width " << int{width} << ", measure "
              << static_cast<int>(measure);
        }
      }
    }
  }
}

TEST(FewEdits, AreThoseOfTheDefinitionForAllShortStrings) {
  std::vector<std::string> strings = {""};
  for (std::size_t i = 0; i < strings.size() && strings[i].size() < 5; ++i) {
    for (const char c : {'a', 'b'}) strings.push_back(strings[i] + c);
  }
  for (const std::string& x : strings) {
    for (const std::string& y : strings) check(x, y);
  }
}

TEST(FewEdits, AreThoseOfTheDefinitionNearTheLengthsOfWords) {
  Random random;
  for (int i = 0; i < 3000; ++i) {
    const unsigned letters = random.below(2) == 0 ? 3 : 26;
    const std::string x = random.string(random.below(20), letters);
    check(x, random.edited(x, random.below(5), letters));
  }
}

TEST(EqualEnds, AreCountedInSymbols) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    const std::string x = random.string(random.below(20), 2);
    const std::string y = random.edited(x, 2, 2);
    for (const std::uint8_t width : kWidths) {
      const SymbolText symbols(x, y, width, std::byte{0});
      const std::size_t shorter = std::min(x.size(), y.size());
      std::size_t front = 0;
      while (front < shorter && x[front] == y[front]) ++front;
      std::size_t end = 0;
      while (end < shorter && x[x.size() - 1 - end] == y[y.size() - 1 - end]) ++end;
      ASSERT_EQ(equal_front(symbols.left, symbols.right), front) << x << ' ' << y;
      ASSERT_EQ(equal_end(symbols.left, symbols.right), end) << x << ' ' << y;
    }
  }
}

}  // namespace
}  // namespace sosie
