// Tests of diffs of two texts for a terminal, and of the words in them.
#include "report/explained_diff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "corpus/shown_text.h"

namespace sosie {
namespace {

std::vector<SpelledWord> words_of(std::string_view text, ShingleRecipe recipe = {}) {
  return WordCutter(std::move(recipe)).cut(text, 1'000'000);
}

std::string diff(std::string_view left, std::string_view right, bool colour = false) {
  const auto a = words_of(left);
  const auto b = words_of(right);
  return ExplainedDiff(a, b).text(text_style(colour));
}

std::string spelt(std::string_view text, const ShingleRecipe& recipe) {
  std::string out;
  for (const SpelledWord& word : words_of(text, recipe)) out += "[" + std::string(word.spelt) + "]";
  return out;
}

TEST(WordCutter, CutsAsTheShinglesDo) {
  const ShingleRecipe words;
  const ShingleRecipe ascii{.tokens = TokenMode::ascii};
  const ShingleRecipe chars{.unit = ShingleUnit::chars};
  EXPECT_EQ(spelt("Ab-c, d_e \u00e91", words), "[Ab][c][d_e][\u00e91]");
  EXPECT_EQ(spelt("Ab-c, d_e 1\u00e9", ascii), "[Ab][c][d_e][1\u00e9]");
  EXPECT_EQ(spelt(" Ab-c,\td_e\n", chars), "[Ab-c,][d_e]");
  EXPECT_EQ(spelt("a東京b", words), "[a][東][京][b]");
  EXPECT_EQ(spelt(".,;", words), "");
}

TEST(WordCutter, GivesOneKeyToWordsThatTheEngineTakesForOne) {
  const auto key = [](std::string_view word, const ShingleRecipe& recipe) {
    return words_of(word, recipe).at(0).key;
  };
  const ShingleRecipe words;
  EXPECT_EQ(key("Caf\u00e9", words), key("cafe\u0301", words));
  EXPECT_NE(key("cafe", words), key("caf\u00e9", words));
  const ShingleRecipe chars{.unit = ShingleUnit::chars};
  EXPECT_EQ(key("A-B", chars), key("a-b", chars));
  EXPECT_NE(key("a-b", chars), key("ab", chars));
}

// Joining gaps and words gives the text up to its last word.
RC_GTEST_PROP(WordCutter, LosesNothingOfTheText, ()) {
  std::string text;
  for (const int part : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 7))) {
    text += std::array{"a", "Bc", " ", ", ", "\n", "\u00e9", "東"}[static_cast<std::size_t>(part)];
  }
  const auto unit = *rc::gen::element(ShingleUnit::words, ShingleUnit::chars);
  const auto words = words_of(text, {.unit = unit});
  std::string joined;
  for (const SpelledWord& word : words) {
    RC_ASSERT(!word.spelt.empty());
    joined += std::string(word.gap) + std::string(word.spelt);
  }
  RC_ASSERT(text.starts_with(joined));
  RC_ASSERT(text.substr(joined.size()).find_first_of("aBc") == std::string::npos);
  const auto most = *rc::gen::inRange<std::size_t>(0, 8);
  RC_ASSERT(WordCutter({.unit = unit}).cut(text, most).size() == std::min(most, words.size()));
}

// Width of a line in characters, plus the punctuation after its last word.
constexpr std::size_t kWidest = 96 + 12;

// The words of one side, extracted from a diff without colours.
std::string side_of(std::string shown, bool left) {
  const std::string_view gone[] = {left ? "{+" : "[-", left ? "+}" : "-]"};
  for (std::size_t at; (at = shown.find(gone[0])) != std::string::npos;) {
    shown.erase(at, shown.find(gone[1], at) + 2 - at);
  }
  std::string out;
  for (const SpelledWord& word : words_of(shown)) out += std::string(word.spelt) + " ";
  return out;
}

RC_GTEST_PROP(ExplainedDiff, ShowsAllWordsOfBothTextsInLinesThatFit, ()) {
  const auto text = [] {
    std::string out;
    for (const int word : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5))) {
      out += std::array{"one ", "two, ", "three ", "four\n",
                        "longerword "}[static_cast<std::size_t>(word)];
    }
    return out;
  };
  const std::string left = text();
  const std::string right = text();
  const auto a = words_of(left);
  const auto b = words_of(right);
  const ExplainedDiff explained(a, b);
  RC_ASSERT(explained.counts().same + explained.counts().removed == a.size());
  RC_ASSERT(explained.counts().same + explained.counts().added == b.size());
  const std::string shown = explained.text(text_style(false));
  if (shown.find("the same ...") == std::string::npos) {  // nothing is left out
    std::string words[2];
    for (const SpelledWord& word : a) words[0] += std::string(word.spelt) + " ";
    for (const SpelledWord& word : b) words[1] += std::string(word.spelt) + " ";
    RC_ASSERT(side_of(shown, true) == words[0]);
    RC_ASSERT(side_of(shown, false) == words[1]);
  }
  std::size_t begin = 0;
  for (std::size_t end; (end = shown.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = shown.substr(begin, end - begin);
    RC_ASSERT(line.starts_with("  "));
    RC_ASSERT(count_characters(line) <= kWidest);
  }
  RC_ASSERT(begin == shown.size());
}

TEST(ExplainedDiff, BreaksLinesOfScriptsWithoutBlanks) {
  std::string left;
  std::string right;
  for (int i = 0; i < 100; ++i) {
    left += "東";
    right += "京";
  }
  const std::string shown = diff("x" + left, "x" + right);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 3);
  for (std::size_t begin = 0; begin < shown.size(); begin = shown.find('\n', begin) + 1) {
    EXPECT_LE(count_characters(shown.substr(begin, shown.find('\n', begin) - begin)), kWidest);
  }
}

TEST(ExplainedDiff, MarksChangesInPlace) {
  EXPECT_EQ(diff("the quick fox", "the slow fox"), "  the [-quick-]{+slow+} fox\n");
  EXPECT_EQ(diff("the quick fox", "the fox"), "  the [-quick-] fox\n");
  EXPECT_EQ(diff("the fox", "the very  slow fox"), "  the {+very slow+} fox\n");
  EXPECT_EQ(diff("the quick fox", "the slow fox", true),
            "  the \x1b[9;31mquick\x1b[0m \x1b[1;32mslow\x1b[0m fox\n");
  EXPECT_EQ(diff("a b\x1b[31m c", "a c"), "  a [-b\\x1b[31m-] c\n") << "steers no terminal";
}

std::string counted(const std::string& word, int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) out += word + std::to_string(i) + " ";
  return out;
}

TEST(ExplainedDiff, LeavesOutTheMiddleOfWhatIsTheSame) {
  // Ten words around a change are shown; leaving out ten more or fewer is not worth a remark.
  const std::string twenty = diff("x " + counted("w", 0, 20), counted("w", 0, 20));
  EXPECT_EQ(twenty.find("..."), std::string::npos);
  const std::string many = diff("x " + counted("w", 0, 21), counted("w", 0, 21));
  EXPECT_NE(many.find("w9\n  ... 11 words the same ...\n"), std::string::npos) << many;
  EXPECT_EQ(many.find("w10"), std::string::npos);
  const std::string inner = diff("x " + counted("w", 0, 31) + "x", counted("w", 0, 31));
  EXPECT_NE(inner.find("w9\n  ... 11 words the same ...\n  w21"), std::string::npos) << inner;
  const std::string first = diff(counted("w", 0, 21) + "x", counted("w", 0, 21));
  EXPECT_TRUE(first.starts_with("  ... 11 words the same ...\n  w11 ")) << first;
}

TEST(ExplainedDiff, LeavesOutWhatIsTooMuch) {
  const std::string long_change = diff("a " + counted("w", 0, 200) + "b", "a b");
  EXPECT_NE(long_change.find("w119-]\n  ... 80 words more only in left ...\n"), std::string::npos)
      << long_change;
  EXPECT_EQ(diff("a " + counted("w", 0, 130) + "b", "a b").find("..."), std::string::npos);
  std::string left;
  std::string right;
  for (int i = 0; i < 70; ++i) {
    left += counted("same" + std::to_string(i) + "x", 0, 25) + "l" + std::to_string(i) + " ";
    right += counted("same" + std::to_string(i) + "x", 0, 25) + "r" + std::to_string(i) + " ";
  }
  const std::string shown = diff(left, right);
  EXPECT_NE(shown.find("[-l59-]{+r59+}"), std::string::npos);
  EXPECT_EQ(shown.find("l60"), std::string::npos);
  EXPECT_NE(shown.find("... and 10 more places that differ\n"), std::string::npos);
}

// "of the" is unchanged by chance; everything around it was rewritten.
TEST(ExplainedDiff, JoinsScatteredWordsToTheChangeAroundThem) {
  const std::string l = counted("l", 0, 4);
  const std::string r = counted("r", 0, 4);
  EXPECT_EQ(diff("a " + l + "of the " + l + "b", "a " + r + "of the " + r + "b"),
            "  a [-l0 l1 l2 l3 of the l0 l1 l2 l3-]{+r0 r1 r2 r3 of the r0 r1 r2 r3+} b\n");
  EXPECT_NE(diff("a " + l + "one of the " + l + "b", "a " + r + "one of the " + r + "b")
                .find("-]{+r0 r1 r2 r3+} one of the [-"),
            std::string::npos);
  EXPECT_NE(diff("a x y z of the x y z b", "a p q r of the p q r b").find("} of the ["),
            std::string::npos);
}

}  // namespace
}  // namespace sosie
