#include "represent/stop_words.h"

#include <gtest/gtest.h>

#include <set>

#include "core/mix64.h"
#include "kernels/hash_bytes.h"
#include "represent/text_shingler.h"
#include "sosie/error.h"
#include "verify/jaccard.h"

namespace sosie {
namespace {

constexpr std::string_view kSudzo =
    "A spokesperson for the Sudzo Corporation revealed today that studies have shown it is good "
    "for people to buy Sudzo products.";

// `stopwords` has one stop word per line; returns the shingles of `text`, each as its words joined
// by spaces.
std::vector<std::string> shingles_of(std::string_view text, std::string_view list) {
  ShingleRecipe recipe = *parse_shingle("stopwords:2");
  recipe.stop_words = std::make_shared<StopWords>(list, recipe.tokens, "list");
  TextShingler shingler(recipe);
  PaddedBytes bytes;
  bytes.assign(text);
  shingler.read(bytes.view());
  std::vector<std::string> words = {""};
  for (const char c : shingler.normalized_text()) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < shingler.shingles().size(); ++i) {
    const std::size_t first = shingler.first_token(i);
    out.push_back(words[first] + ' ' + words[first + 1] + ' ' + words[first + 2]);
  }
  return out;
}

constexpr std::string_view kList = "A\nfor\nthe\nthat\nhave\nit\nis\nto\n";

TEST(StopWordShingles, T2_4_NineOfTheSudzoSentence) {
  EXPECT_EQ(shingles_of(kSudzo, kList),
            (std::vector<std::string>{
                "a spokesperson for", "for the sudzo", "the sudzo corporation", "that studies have",
                "have shown it", "it is good", "is good for", "for people to", "to buy sudzo"}));
  EXPECT_TRUE(shingles_of("Buy Sudzo.", kList).empty());
  constexpr std::string_view kOther = "I\nthat\nyou\nfor\nyour\n";
  const auto five = shingles_of("I recommend that you buy Sudzo for your laundry. X", kOther);
  EXPECT_EQ(five.size(), 5U);
  EXPECT_EQ(five.back(), "your laundry x");
  EXPECT_EQ(shingles_of("I recommend that you buy Sudzo for your laundry.", kOther).size(), 4U);
}

// T-2.5: a page is an article with surrounding text of the same length. The words are artificial;
// one in six is a stop word in the article, and one in thirty-six in the surrounding text.
class Pages {
 public:
  std::string page(std::uint32_t article, std::uint32_t surroundings) const {
    std::string text;
    for (std::uint32_t i = 0; i < kWords / 2; ++i) text += word('s', surroundings, i, 36);
    for (std::uint32_t i = 0; i < kWords; ++i) text += word('a', article, i, 6);
    for (std::uint32_t i = kWords / 2; i < kWords; ++i) text += word('s', surroundings, i, 36);
    return text;
  }
  static double similarity(const ShingleRecipe& recipe, const std::string& a,
                           const std::string& b) {
    return jaccard(set_of(recipe, a), set_of(recipe, b));
  }

 private:
  static constexpr std::uint32_t kWords = 1800;

  // Seven letters and a space, so both halves also have the same number of characters.
  static std::string word(char part, std::uint32_t which, std::uint32_t i,
                          std::uint32_t stop_every) {
    if (i % stop_every == 0) return "because ";
    std::string text(7, part);
    std::uint64_t random = random64(static_cast<std::uint64_t>(part) << 32 | which, i);
    for (std::size_t at = 1; at < text.size(); ++at, random /= 26) {
      text[at] = static_cast<char>('a' + random % 26);
    }
    return text + ' ';
  }
  static std::vector<std::uint64_t> set_of(const ShingleRecipe& recipe, const std::string& text) {
    TextShingler shingler(recipe);
    PaddedBytes bytes;
    bytes.assign(text);
    shingler.read(bytes.view());
    const std::set<std::uint64_t> unique(shingler.shingles().begin(), shingler.shingles().end());
    return {unique.begin(), unique.end()};
  }
};

TEST(StopWordShingles, T2_5_ArticlesCountMoreThanTheirSurroundings) {
  const Pages pages;
  ShingleRecipe stopwords = *parse_shingle("stopwords:2");
  stopwords.stop_words =
      std::make_shared<StopWords>(stop_word_list("english")->words, stopwords.tokens, "english");
  const ShingleRecipe chars = *parse_shingle("chars:10");
  const std::string one = pages.page(1, 1);
  const std::string same_article = pages.page(1, 2);
  const std::string same_surroundings = pages.page(2, 1);
  // A / (A + 2 S) with A = 6 S, and S / (S + 2 A).
  EXPECT_NEAR(Pages::similarity(stopwords, one, same_article), 0.75, 0.01);
  EXPECT_NEAR(Pages::similarity(stopwords, one, same_surroundings), 1.0 / 13, 0.01);
  EXPECT_NEAR(Pages::similarity(chars, one, same_article), 1.0 / 3, 0.03);
  EXPECT_NEAR(Pages::similarity(chars, one, same_surroundings), 1.0 / 3, 0.03);
}

TEST(StopWords, ListsOfAllLanguagesAreThere) {
  std::set<std::string_view> names;
  for (const StopWordList& list : stop_word_lists()) {
    for (const TokenMode mode : {TokenMode::unicode, TokenMode::ascii}) {
      EXPECT_NO_THROW(StopWords(list.words, mode, std::string(list.language)));
    }
    names.insert(list.language);
    EXPECT_EQ(stop_word_list(list.code), &list);
  }
  for (const char* name : {"english", "german", "french", "spanish", "italian", "portuguese",
                           "dutch", "russian", "swedish", "finnish"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(stop_word_list("klingon"), nullptr);
}

TEST(StopWords, AreNormalisedAsTextsAre) {
  const StopWords list(
      "Stra\xC3\x9F"
      "e\r\n\n# a remark\n  und\n",
      TokenMode::unicode, "list");
  PaddedBytes word;
  word.assign("strasse");
  EXPECT_TRUE(list.contains(hash_bytes(word.data(), word.size())));
  word.assign("und");
  EXPECT_TRUE(list.contains(hash_bytes(word.data(), word.size())));
  word.assign("#");
  EXPECT_FALSE(list.contains(hash_bytes(word.data(), word.size())));
  EXPECT_EQ(list.fingerprint(),
            StopWords("UND\nSTRASSE", TokenMode::unicode, "other").fingerprint());
  EXPECT_NE(list.fingerprint(), StopWords("und", TokenMode::unicode, "less").fingerprint());
}

TEST(StopWords, RefuseLinesThatAreNotOneWord) {
  const auto message = [](std::string_view lines) -> std::string {
    try {
      const StopWords list(lines, TokenMode::unicode, "my.stop");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("the\nof the\n"), "my.stop:2: expected one word, found 2");
  EXPECT_EQ(message("the\n\n...\n"), "my.stop:3: expected one word, found 0");
  EXPECT_EQ(message("# none\n\n"), "my.stop: holds no stop word");
}

}  // namespace
}  // namespace sosie
