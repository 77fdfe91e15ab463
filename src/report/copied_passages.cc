// Shows passages of one text that occur in another, for a terminal.
#include "report/copied_passages.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "corpus/shown_text.h"
#include "data/padded_bytes.h"
#include "verify/common_passages.h"

namespace sosie {
namespace {

constexpr std::size_t kMostShown = 100;
constexpr std::size_t kShownCharacters = 152;

std::vector<std::uint64_t> keys_of(const std::vector<SpelledWord>& words) {
  std::vector<std::uint64_t> keys;
  keys.reserve(words.size());
  for (const SpelledWord& word : words) keys.push_back(word.key);
  return keys;
}

// The range of each word within its text.
std::vector<TextRange> ranges_of(const std::vector<SpelledWord>& words) {
  std::vector<TextRange> ranges;
  ranges.reserve(words.size());
  std::uint64_t at = 0;
  for (const SpelledWord& word : words) {
    at += count_characters(word.gap);
    const std::uint64_t begin = at;
    at += count_characters(word.spelt);
    ranges.push_back({begin, at});
  }
  return ranges;
}

std::string_view text_of(const std::vector<SpelledWord>& words, std::size_t begin,
                         std::size_t end) {
  const std::string_view last = words[end - 1].spelt;
  const char* from = words[begin].spelt.data();
  return {from, static_cast<std::size_t>(last.data() + last.size() - from)};
}

// Cuts passages of the left text down to the words that count.
class PassageCutter {
 public:
  PassageCutter(const std::vector<SpelledWord>& words, const ShingleRecipe& recipe)
      : words_(words), recipe_(recipe), shingler_(recipe) {}

  // The parts of a passage that are at least as long as a shingle and whose words all belong to
  // shingles that are not ignored as common.
  [[nodiscard]] std::vector<CommonPassage> cut(const CommonPassage& passage) {
    if (!recipe_.common) {
      return is_long_enough(passage.left, passage.left + passage.count)
                 ? std::vector{passage}
                 : std::vector<CommonPassage>{};
    }
    const std::vector<bool> counts = counted(passage);
    std::vector<CommonPassage> parts;
    for (std::uint32_t i = 0; i < passage.count;) {
      std::uint32_t end = i;
      while (end < passage.count && counts[end]) ++end;
      if (end > i) parts.push_back({passage.left + i, passage.right + i, end - i});
      i = std::max(end, i + 1);
    }
    return parts;
  }

 private:
  [[nodiscard]] bool is_long_enough(std::size_t begin, std::size_t end) const {
    if (recipe_.cuts_words()) return end - begin >= recipe_.span();
    return count_characters(text_of(words_, begin, end)) >= recipe_.span();
  }

  // For each word of a passage: true if it belongs to a shingle that counts.
  [[nodiscard]] std::vector<bool> counted(const CommonPassage& passage) {
    std::vector<bool> counts(passage.count);
    const std::size_t last = std::size_t{passage.left} + passage.count;
    std::size_t end = passage.left;
    for (std::size_t begin = passage.left; begin < last; ++begin) {
      end = std::max(end, begin + 1);
      while (end < last && !is_long_enough(begin, end)) ++end;
      if (!is_long_enough(begin, end)) break;
      padded_.assign(text_of(words_, begin, end));
      shingler_.read(padded_.view());
      if (shingler_.shingles().empty()) continue;
      std::fill(counts.begin() + static_cast<std::ptrdiff_t>(begin - passage.left),
                counts.begin() + static_cast<std::ptrdiff_t>(end - passage.left), true);
    }
    return counts;
  }

  const std::vector<SpelledWord>& words_;
  const ShingleRecipe& recipe_;
  TextShingler shingler_;
  PaddedBytes padded_;
};

}  // namespace

CopiedPassages copied_passages(const std::vector<SpelledWord>& left,
                               const std::vector<SpelledWord>& right, const ShingleRecipe& recipe) {
  const auto least = static_cast<std::uint32_t>(recipe.cuts_words() ? recipe.span() : 1);
  const std::vector<TextRange> left_ranges = ranges_of(left);
  const std::vector<TextRange> right_ranges = ranges_of(right);
  PassageCutter cutter(left, recipe);
  std::vector<bool> copied_from(right.size());
  CopiedPassages copied;
  copied.least = recipe.cuts_words() ? plural_text(recipe.span(), "word", "words")
                                     : plural_text(recipe.span(), "character", "characters");
  for (const CommonPassage& whole : common_passages(keys_of(left), keys_of(right), least)) {
    for (const CommonPassage& one : cutter.cut(whole)) {
      const std::size_t last = one.count - 1;
      copied.passages.push_back(
          {{left_ranges[one.left].begin, left_ranges[one.left + last].end},
           {right_ranges[one.right].begin, right_ranges[one.right + last].end},
           one.count,
           text_of(left, one.left, one.left + one.count)});
      copied.left_words += one.count;
      std::fill_n(copied_from.begin() + one.right, one.count, true);
    }
  }
  copied.right_words =
      static_cast<std::uint64_t>(std::count(copied_from.begin(), copied_from.end(), true));
  return copied;
}

std::string passages_text(const CopiedPassages& copied, std::uint64_t left_words,
                          std::uint64_t right_words, const TextStyle& style) {
  std::string out =
      fmt::format("\n{}passages{} of at least {}: ", style.strong, style.off, copied.least);
  if (copied.passages.empty()) return out + "none\n";
  out +=
      fmt::format("{}; {} of {} words of left, {} of {} of right\n",
                  count_text(copied.passages.size()), count_text(copied.left_words),
                  count_text(left_words), count_text(copied.right_words), count_text(right_words));
  out += "  positions are characters, from 0\n";
  for (std::size_t i = 0; i < std::min(copied.passages.size(), kMostShown); ++i) {
    const CopiedPassages::Passage& one = copied.passages[i];
    out += fmt::format("\n  {}left {}-{}, right {}-{}{}  {}\n  \"{}\"\n", style.strong,
                       one.left.begin, one.left.end, one.right.begin, one.right.end, style.off,
                       plural_text(one.words, "word", "words"),
                       shown_text(one.text, kShownCharacters));
  }
  if (copied.passages.size() > kMostShown) {
    out += fmt::format("\n  ... and {} more\n", count_text(copied.passages.size() - kMostShown));
  }
  return out;
}

}  // namespace sosie
