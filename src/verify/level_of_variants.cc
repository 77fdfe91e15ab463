// Fields whose values agree in more than one way: swapped columns, lists, nicknames.
#include "verify/level_of_variants.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/strings.h"

namespace sosie {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    words.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

bool share_a_row(std::span<const NicknameWord> left, std::span<const NicknameWord> right,
                 std::uint32_t place) {
  return std::any_of(left.begin(), left.end(), [&](const NicknameWord& word) {
    return word.place == place && std::find(right.begin(), right.end(), word) != right.end();
  });
}

// The left value with words of the right one in place of those they are nicknames of, and how many.
struct Renamed {
  std::string text;
  std::uint32_t names = 0;
};

std::optional<Renamed> renamed(const RecordColumn& column, std::uint32_t left,
                               std::uint32_t right) {
  const auto of_left = column.nicknames_of(left);
  const auto of_right = column.nicknames_of(right);
  if (of_left.empty() || of_right.empty()) return std::nullopt;
  const std::vector<std::string_view> words = words_of(column.text(left));
  const std::vector<std::string_view> others = words_of(column.text(right));
  if (words.size() != others.size()) return std::nullopt;
  Renamed made;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const bool is_nickname = words[i] != others[i] && share_a_row(of_left, of_right, i);
    if (i > 0) made.text += ' ';
    made.text += is_nickname ? others[i] : words[i];
    made.names += is_nickname ? 1 : 0;
  }
  return made.names == 0 ? std::nullopt : std::optional(std::move(made));
}

std::uint32_t level_of_nicknames(const RecordColumn& column, const FieldComparison& comparison,
                                 std::uint32_t left, std::uint32_t right) {
  if (comparison.bounds.empty()) return 0;
  const auto made = renamed(column, left, right);
  if (!made) return 0;
  const std::string_view other = column.text(right);
  switch (comparison.measure) {
    case FieldMeasure::levenshtein:
      return level_of_value(comparison, made->names + levenshtein(made->text, other));
    case FieldMeasure::damerau:
      return level_of_value(comparison, made->names + damerau(made->text, other));
    case FieldMeasure::jaro_winkler:
      return level_of_value(comparison, jaro_winkler(made->text, other));
    default:
      return made->text == other ? comparison.highest() - 1 : 0;
  }
}

// Calls each(left value, right value) for all ways to compare two records.
template <typename Each>
void for_each_variant(const RecordColumn& column, std::uint32_t left, std::uint32_t right,
                      const Each& each) {
  for (const std::uint32_t a : column.members_of(column.values[left])) {
    for (const std::uint32_t b : column.members_of(column.values[right])) each(a, b);
  }
  if (!column.swapped.empty()) each(column.values[left], column.swapped[right]);
}

}  // namespace

std::uint32_t level_of_variants(const RecordColumn& column, const FieldComparison& comparison,
                                const FieldComparer& compared, std::uint32_t left,
                                std::uint32_t right) {
  std::uint32_t best = 0;
  for_each_variant(column, left, right, [&](std::uint32_t a, std::uint32_t b) {
    if (best == comparison.highest()) return;
    best = std::max(best, compared.level(a, b));
    if (!column.nickname_starts.empty() && best < comparison.highest()) {
      best = std::max(best, level_of_nicknames(column, comparison, a, b));
    }
  });
  return best;
}

std::uint32_t edits_of_variants(const RecordColumn& column, std::uint32_t left, std::uint32_t right,
                                std::uint32_t most) {
  std::uint32_t best = most + 1;
  for_each_variant(column, left, right, [&](std::uint32_t a, std::uint32_t b) {
    if (a == RecordColumn::kMissing || b == RecordColumn::kMissing) return;
    const std::string_view other = column.text(b);
    best = std::min(best, a == b ? 0 : indel(column.text(a), other, most));
    if (best <= 1) return;
    if (const auto made = renamed(column, a, b)) {
      best = std::min(best, made->names + indel(made->text, other, most));
    }
  });
  return best;
}

}  // namespace sosie
