// Tests of columns of strings and their symbols.
#include "corpus/items/string_items.h"

#include <gtest/gtest.h>

#include <vector>

namespace sosie {
namespace {

std::vector<char32_t> consecutive(char32_t first, std::size_t count) {
  std::vector<char32_t> points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = first + static_cast<char32_t>(i);
  return points;
}

TEST(StringItems, TakeAsWideSymbolsAsTheirAlphabetNeeds) {
  SymbolTable symbols;
  StringColumn column;
  const auto few = consecutive(0x4E00, 255);  // and the symbol for characters that do not occur
  append_string(few, symbols, column);
  EXPECT_EQ(column.width, 1);
  EXPECT_EQ(column.alphabet, 256U);
  const auto more = consecutive(0x4E00, 300);
  append_string(more, symbols, column);
  EXPECT_EQ(column.width, 2);
  const auto many = consecutive(0xAC00, 70'000);
  append_string(many, symbols, column);
  EXPECT_EQ(column.width, 4);
  EXPECT_EQ(code_points_of(column, symbols, 0), few);
  EXPECT_EQ(code_points_of(column, symbols, 1), more);
  EXPECT_EQ(code_points_of(column, symbols, 2), many);
}

TEST(StringItems, GiveUnknownCodePointsTheSymbolOfNone) {
  SymbolTable symbols;
  StringColumn column;
  append_string(std::vector<char32_t>{'a', 'b'}, symbols, column);
  StringColumn asked{.width = column.width, .alphabet = column.alphabet, .symbols = {}};
  append_known(std::vector<char32_t>{'b', 'x', 0, 'a'}, symbols, asked);
  EXPECT_EQ(asked.symbols,
            (std::vector<std::byte>{std::byte{2}, std::byte{0}, std::byte{0}, std::byte{1}}));
  EXPECT_EQ(column.alphabet, 3U);
}

TEST(StringItems, AreTakenOutWithoutMovingTheOthers) {
  SymbolTable symbols;
  StringColumn column;
  for (const char32_t c : {U'a', U'\0', U'b'}) {
    append_string(c == 0 ? std::vector<char32_t>{} : std::vector<char32_t>{c, c}, symbols, column);
  }
  erase_strings(column, std::vector<RowId>{1});
  ASSERT_EQ(column.rows(), 2U);
  EXPECT_EQ(text_of(column, symbols, 0), "aa");
  EXPECT_EQ(text_of(column, symbols, 1), "bb");
}

}  // namespace
}  // namespace sosie
