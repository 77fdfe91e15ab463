#include "represent/text_shingler.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>

#include "verify/jaccard.h"

namespace sosie {
namespace {

std::string padded(std::string_view text) { return std::string(text) + std::string(kPadding, 'x'); }

using Set = std::vector<std::uint64_t>;

Set as_set(std::span<const std::uint64_t> hashes) {
  const std::set<std::uint64_t> unique(hashes.begin(), hashes.end());
  return {unique.begin(), unique.end()};
}

// Character shingles of the text itself, without folding.
std::vector<std::uint64_t> char_shingles(std::string_view text, int k) {
  const std::string bytes = padded(text);
  std::vector<std::uint64_t> out;
  out.resize(hash_char_shingles({bytes.data(), text.size()}, k, out));
  return out;
}

std::uint64_t one(std::string_view shingle) {
  return char_shingles(shingle, kMaxShingleSize).front();
}

Set set_of(const std::vector<std::string>& shingles) {
  std::vector<std::uint64_t> hashes;
  for (const std::string& shingle : shingles) hashes.push_back(one(shingle));
  return as_set(hashes);
}

Set shingles_of(std::string_view text, const ShingleRecipe& recipe) {
  TextShingler shingler(recipe);
  const std::string bytes = padded(text);
  shingler.read({bytes.data(), text.size()});
  return as_set(shingler.shingles());
}

Set word_set(std::string_view text, int n) {
  return shingles_of(text, {ShingleUnit::words, n, TokenMode::unicode});
}

// Elements that are in one set but not in the other.
Set without(const Set& some, const Set& others) {
  Set left;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::back_inserter(left));
  return left;
}

double similarity(const Set& a, const Set& b) { return jaccard(a, b); }

TEST(CharShingles, T2_1_TwoShinglesOfTheTextbook) {
  EXPECT_EQ(as_set(char_shingles("abcdabd", 2)), set_of({"ab", "bc", "cd", "da", "bd"}));
  EXPECT_EQ(as_set(char_shingles("abcab", 2)), set_of({"ab", "bc", "ca"}));
  EXPECT_EQ(char_shingles("abcab", 2),
            (std::vector{one("ab"), one("bc"), one("ca"), one("ab")}));  // the bag
}

TEST(CharShingles, T2_2_BlanksKeepTouchDownApart) {
  const std::string a = "The plane was ready for touch down";
  const std::string b = "The quarterback scored a touchdown";
  EXPECT_EQ(similarity(as_set(char_shingles(a, 9)), as_set(char_shingles(b, 9))), 0.0);
  const auto joined = [](std::string text) {
    std::erase(text, ' ');
    return as_set(char_shingles(text, 9));
  };
  EXPECT_DOUBLE_EQ(similarity(joined(a), joined(b)), 1.0 / 41);
  std::vector<std::uint64_t> shared;
  const Set left = joined(a);
  const Set right = joined(b);
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(shared));
  EXPECT_EQ(shared, Set{one("touchdown")});
}

TEST(CharShingles, T2_3_AChangedWordChangesSevenShingles) {
  const Set a = as_set(char_shingles("The dog which chased the cat", 3));
  const Set b = as_set(char_shingles("The dog that chased the cat", 3));
  EXPECT_EQ(without(a, b), set_of({"g w", " wh", "whi", "hic", "ich", "ch ", "h c"}));
  EXPECT_DOUBLE_EQ(similarity(a, b), 3.0 / 5);
}

// Words of one to seven letters from a small alphabet, so some shingles occur more than once.
std::vector<std::string> random_words(std::size_t count) {
  const auto word = rc::gen::resize(
      7, rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'g'))));
  return *rc::gen::container<std::vector<std::string>>(count, word);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Changing a word of m characters changes at most m + k - 1 shingles of a text.
RC_GTEST_PROP(CharShingles, T2_3_AChangedWordChangesFewShingles, ()) {
  auto words = random_words(*rc::gen::inRange<std::size_t>(2, 40));
  const int k = *rc::gen::inRange(1, 12);
  const std::string before = joined(words);
  std::string& changed = words[*rc::gen::inRange<std::size_t>(0, words.size())];
  const std::size_t was = changed.size();
  changed = random_words(1).front();
  const std::string after = joined(words);
  RC_PRE(std::min(before.size(), after.size()) >= static_cast<std::size_t>(k));
  const Set a = as_set(char_shingles(before, k));
  const Set b = as_set(char_shingles(after, k));
  RC_ASSERT(without(a, b).size() <= was + static_cast<std::size_t>(k) - 1);
  RC_ASSERT(without(b, a).size() <= changed.size() + static_cast<std::size_t>(k) - 1);
}

// Moving a paragraph removes at most 3 (k - 1) shingles and adds as many: the ones across its two
// ends and across its new place.
RC_GTEST_PROP(CharShingles, T2_3_AMovedParagraphChangesFewShingles, ()) {
  const auto words = random_words(*rc::gen::inRange<std::size_t>(4, 60));
  const std::string text = joined(words) + " ";
  const int k = *rc::gen::inRange(1, 12);
  RC_PRE(text.size() >= static_cast<std::size_t>(k));
  std::array<std::size_t, 3> cuts{};
  for (std::size_t& cut : cuts) cut = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  std::sort(cuts.begin(), cuts.end());
  std::string moved = text;
  std::rotate(moved.begin() + static_cast<std::ptrdiff_t>(cuts[0]),
              moved.begin() + static_cast<std::ptrdiff_t>(cuts[1]),
              moved.begin() + static_cast<std::ptrdiff_t>(cuts[2]));
  const Set a = as_set(char_shingles(text, k));
  const Set b = as_set(char_shingles(moved, k));
  RC_ASSERT(without(a, b).size() <= 3 * (static_cast<std::size_t>(k) - 1));
  RC_ASSERT(without(b, a).size() <= 3 * (static_cast<std::size_t>(k) - 1));
}

TEST(WordShingles, T2_6_OrderCountsFromTwoWordsOn) {
  const std::string_view a = "the dog bit the man";
  const std::string_view b = "the man bit the dog";
  EXPECT_DOUBLE_EQ(similarity(word_set(a, 1), word_set(b, 1)), 1.0);
  EXPECT_DOUBLE_EQ(similarity(word_set(a, 2), word_set(b, 2)), 3.0 / 5);
}

TEST(WordShingles, OfFewerWordsThanAShingleAreOne) {
  EXPECT_EQ(word_set("", 5).size(), 0U);
  EXPECT_EQ(word_set(" ,.! ", 5).size(), 0U);
  EXPECT_EQ(word_set("one", 5).size(), 1U);
  EXPECT_EQ(word_set("one two three four", 5).size(), 1U);
  EXPECT_EQ(word_set("one two three four five", 5).size(), 1U);
  EXPECT_EQ(word_set("one two three four five six", 5).size(), 2U);
  EXPECT_NE(word_set("one two three four", 5), word_set("four three two one", 5));
}

TEST(CharShingles, OfFewerCharactersThanAShingleAreOne) {
  EXPECT_EQ(char_shingles("", 9).size(), 0U);
  EXPECT_EQ(char_shingles("12345678", 9).size(), 1U);
  EXPECT_EQ(char_shingles("123456789", 9).size(), 1U);
  EXPECT_EQ(char_shingles("1234567890", 9).size(), 2U);
}

TEST(CharShingles, CountCodePointsNotBytes) {
  EXPECT_EQ(char_shingles("h\u00e9llo", 5).size(), 1U);
  EXPECT_EQ(char_shingles("h\u00e9llo!", 5).size(), 2U);
  EXPECT_EQ(char_shingles("\U0001F600\u4e2d\u00e9a", 2),
            (std::vector{one("\U0001F600\u4e2d"), one("\u4e2d\u00e9"), one("\u00e9a")}));
}

// A shingle's hash must not depend on its position: if a kernel read by position, inserting
// something at the start of a text would change all its shingles.
TEST(Shingles, AreTheSameWhereverTheyStand) {
  const std::string tail = "one two three four five six seven eight nine ten";
  const Set plain = word_set(tail, 5);
  const Set plain_chars = as_set(char_shingles(tail, 9));
  for (const char* head : {"a ", "some words ", "\u00e9t\u00e9 ", "0123456789 0123456789 "}) {
    const Set with = word_set(head + tail, 5);
    EXPECT_TRUE(std::includes(with.begin(), with.end(), plain.begin(), plain.end())) << head;
    const Set chars = as_set(char_shingles(head + tail, 9));
    EXPECT_TRUE(std::includes(chars.begin(), chars.end(), plain_chars.begin(), plain_chars.end()));
  }
}

TEST(TextShingler, TextHashSeesOnlyTheNormalisedText) {
  TextShingler shingler({ShingleUnit::words, 5, TokenMode::unicode});
  const auto hash = [&](std::string_view text) {
    const std::string bytes = padded(text);
    shingler.read({bytes.data(), text.size()});
    return shingler.text_hash();
  };
  EXPECT_EQ(hash("One, two!"), hash("one   TWO"));
  EXPECT_NE(hash("one two"), hash("two one"));
  EXPECT_NE(hash("one two"), hash("onetwo"));
  (void)hash("One,  two!");
  EXPECT_EQ(shingler.normalized_text(), "one two");
}

TEST(Shingle, NamesAreRead) {
  EXPECT_EQ(parse_shingle("words:5")->size, 5);
  EXPECT_EQ(parse_shingle("chars:64")->unit, ShingleUnit::chars);
  EXPECT_EQ(shingle_name(*parse_shingle("chars:9")), "chars:9");
  for (const char* text : {"", "words", "words:", "words:0", "words:65", "words:-1", "words:5x",
                           "char:5", "words:5 ", "words:99999999999"}) {
    EXPECT_FALSE(parse_shingle(text).has_value()) << text;
  }
}

// The signatures of stored collections depend on these values: a change requires a new recipe
// version.
TEST(Shingles, GoldenValuesOfTheRecipe) {
  EXPECT_EQ(one("a"), 0x2119D62F50D63EF2ULL);
  EXPECT_EQ(char_shingles("near-duplicates", 9).back(), 0xC27487900F5090F5ULL);
  EXPECT_EQ(word_set("to be or not to be", 6).front(), 0x91A19CF28F8A1F3FULL);
  EXPECT_EQ(word_set("sosie", 5).front(), 0x38A34E5D3CA0E56BULL);
}

// Compares read_set() of a text in pieces of this size with read() of the whole text.
void expect_equal_sets(std::string_view text, const ShingleRecipe& recipe, std::size_t piece) {
  const std::string bytes = padded(text);
  TextShingler whole(recipe);
  TextShingler pieces(recipe);
  whole.read({bytes.data(), text.size()});
  pieces.read_set({bytes.data(), text.size()}, piece);
  RC_ASSERT(as_set(pieces.shingles()) == as_set(whole.shingles()));
  RC_ASSERT(pieces.token_count() == whole.token_count());
  RC_ASSERT(pieces.text_hash() == whole.text_hash());
  RC_ASSERT(pieces.is_well_formed() == whole.is_well_formed());
}

RC_GTEST_PROP(TextShingler, ReadsPiecesOfATextAsItReadsAllOfIt, ()) {
  static const std::vector<std::string> kParts = {
      " ",      " ",    "\n", "\t",   "word",     "A",   "b",      "E\u0301", "\u0301",
      "\u3000", "東京", "ﬁ",  "\xFF", "\xE2\x82", "x-y", "\u1100", "\u1161",  std::string(1, '\0')};
  std::string text;
  for (const auto& part :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kParts))) {
    text += part;
  }
  const auto size = *rc::gen::inRange(1, 7);
  const auto piece = *rc::gen::inRange<std::size_t>(1, 12);
  const auto list = std::make_shared<StopWords>("word\nb\n", TokenMode::unicode, "list");
  const auto common = std::make_shared<CommonShingles>(std::vector{
      shingles_of("word", {ShingleUnit::elements}).front(), word_set("word", 1).front()});
  for (const TokenMode mode : {TokenMode::unicode, TokenMode::ascii, TokenMode::raw}) {
    expect_equal_sets(text, {ShingleUnit::words, size, mode}, piece);
    expect_equal_sets(text, {ShingleUnit::chars, size, mode}, piece);
    expect_equal_sets(text, {ShingleUnit::chars, size, mode}, 8 * piece);
    expect_equal_sets(text, {ShingleUnit::stopwords, size, mode, false, list}, piece);
  }
  for (const bool bag : {false, true}) {
    expect_equal_sets(text, {ShingleUnit::elements, 1, TokenMode::unicode, bag}, piece);
    expect_equal_sets(text, {ShingleUnit::elements, 1, TokenMode::unicode, bag, nullptr, common},
                      piece);
  }
  expect_equal_sets(text, {ShingleUnit::words, 1, TokenMode::unicode, false, nullptr, common},
                    piece);
}

TEST(TextShingler, KeepsNoRepeatedShinglesOfALongText) {
  std::string text;
  while (text.size() < (std::size_t{16} << 20)) text += "word\n";
  const std::string bytes = padded(text);
  const auto list = std::make_shared<StopWords>("word\n", TokenMode::unicode, "list");
  const ShingleRecipe by_stop_words{ShingleUnit::stopwords, 2, TokenMode::unicode, false, list};
  for (const ShingleRecipe& recipe :
       {ShingleRecipe{ShingleUnit::words, 5}, ShingleRecipe{ShingleUnit::chars, 9},
        ShingleRecipe{ShingleUnit::elements}, by_stop_words}) {
    TextShingler shingler(recipe);
    shingler.read_set({bytes.data(), text.size()});
    EXPECT_EQ(as_set(shingler.shingles()), shingles_of({bytes.data(), 100}, recipe));
    EXPECT_LT(shingler.shingles().size(), std::size_t{1} << 19);
    shingler.read_set({bytes.data(), 14});
    EXPECT_EQ(as_set(shingler.shingles()), shingles_of({bytes.data(), 14}, recipe));
    EXPECT_EQ(shingler.token_count(), recipe.unit == ShingleUnit::chars ? 14U : 3U);
    EXPECT_EQ(shingler.normalized_text(), recipe.cuts_words() || recipe.unit == ShingleUnit::chars
                                              ? "word word word"
                                              : "word\n");
  }
}

}  // namespace
}  // namespace sosie
