// Shingles of one text with their places, for explain and the report.
#include "corpus/rows/shingled_text.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "kernels/intersection_size.h"

namespace sosie {
namespace {

bool starts_character(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Separator between tokens in the normalised text, if there is one.
std::optional<char> separator_of(const ShingleRecipe& recipe) {
  if (recipe.unit == ShingleUnit::elements) return '\n';
  return recipe.cuts_words() ? std::optional(' ') : std::nullopt;
}

// Start of each token in the normalised text, followed by the position after the last one.
std::vector<std::size_t> token_starts(const ShingledText& text, const ShingleRecipe& recipe) {
  const std::optional<char> separator = separator_of(recipe);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.normalized.size(); ++i) {
    const bool starts_token = separator ? i == 0 || text.normalized[i - 1] == *separator
                                        : starts_character(text.normalized[i]);
    if (starts_token) starts.push_back(i);
  }
  starts.push_back(text.normalized.size() + (recipe.cuts_words() ? 1U : 0U));
  return starts;
}

// The lines of a set of elements.
std::vector<std::string_view> element_lines_of(const ShingledText& text) {
  std::vector<std::string_view> lines;
  const std::string_view all = text.normalized;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    lines.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

ShingledText shingle_text(std::string_view text, const ShingleRecipe& recipe) {
  TextShingler shingler(recipe);
  shingler.read(text);
  ShingledText out;
  out.tokens = shingler.token_count();
  // Lines of elements are kept unchanged, in the order of their hashes.
  out.normalized =
      recipe.unit == ShingleUnit::elements ? std::string(text) : shingler.normalized_text();
  const auto shingles = shingler.shingles();
  out.in_order.assign(shingles.begin(), shingles.end());
  for (std::size_t i = 0; i < shingles.size(); ++i) out.first.push_back(shingler.first_token(i));
  out.set = out.in_order;
  std::vector<std::uint64_t> scratch(out.set.size());
  out.set.resize(kernels::sort_unique_hashes(out.set.data(), out.set.size(), scratch.data()));
  return out;
}

std::uint64_t count_elements(const ShingledText& text) {
  const std::vector<std::string_view> lines = element_lines_of(text);
  return std::unordered_set<std::string_view>(lines.begin(), lines.end()).size();
}

std::vector<ExampleShingle> example_elements(const ShingledText& text,
                                             const std::vector<std::uint64_t>& other, bool in_other,
                                             std::size_t most) {
  const std::vector<std::string_view> lines = element_lines_of(text);
  std::vector<ExampleShingle> examples;
  std::unordered_map<std::string_view, std::size_t> place_of;
  for (std::size_t i = 0; i < text.in_order.size(); ++i) {
    if (std::binary_search(other.begin(), other.end(), text.in_order[i]) != in_other) continue;
    const auto [at, added] = place_of.try_emplace(lines[text.first[i]], examples.size());
    if (!added) {
      ++examples[at->second].times;
    } else if (examples.size() < most) {
      examples.push_back({std::string(at->first)});
    } else {
      place_of.erase(at);
    }
  }
  return examples;
}

std::vector<ExampleShingle> example_shingles(const ShingledText& text,
                                             const std::vector<std::uint64_t>& other, bool in_other,
                                             const ShingleRecipe& recipe, std::size_t most) {
  const std::vector<std::size_t> starts = token_starts(text, recipe);
  const std::size_t tokens = starts.size() - 1;
  const std::size_t span = std::min(recipe.span(), tokens);
  const std::size_t blank = separator_of(recipe) ? 1 : 0;
  std::vector<ExampleShingle> examples;
  std::vector<std::uint64_t> shown;
  std::size_t shown_to = 0;  // the first token behind the last one shown
  for (std::size_t i = 0; i < text.in_order.size() && examples.size() < most; ++i) {
    const std::uint64_t shingle = text.in_order[i];
    const std::size_t first = text.first[i];
    if (first < shown_to) continue;
    const bool is_in_other = std::binary_search(other.begin(), other.end(), shingle);
    if (is_in_other != in_other || std::find(shown.begin(), shown.end(), shingle) != shown.end()) {
      continue;
    }
    examples.push_back(
        {text.normalized.substr(starts[first], starts[first + span] - blank - starts[first])});
    shown.push_back(shingle);
    shown_to = first + span;
  }
  return examples;
}

std::vector<std::string> all_shingles(const ShingledText& text, const ShingleRecipe& recipe) {
  const std::vector<std::size_t> starts = token_starts(text, recipe);
  const std::size_t span = std::min(recipe.span(), starts.size() - 1);
  const std::size_t blank = separator_of(recipe) ? 1 : 0;
  std::unordered_set<std::uint64_t> listed;
  std::vector<std::string> shingles;
  for (std::size_t i = 0; i < text.in_order.size(); ++i) {
    if (!listed.insert(text.in_order[i]).second) continue;
    const std::size_t begin = starts[text.first[i]];
    shingles.push_back(text.normalized.substr(begin, starts[text.first[i] + span] - blank - begin));
  }
  return shingles;
}

std::string longest_passage(const ShingledText& text, const std::vector<std::uint64_t>& common,
                            const ShingleRecipe& recipe) {
  std::size_t best_begin = 0;
  std::size_t best_end = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.in_order.size(); ++i) {
    if (!std::binary_search(common.begin(), common.end(), text.in_order[i])) {
      begin = i + 1;
    } else if (i + 1 - begin > best_end - best_begin) {
      best_begin = begin;
      best_end = i + 1;
    }
  }
  if (best_end == 0) return {};
  const std::vector<std::size_t> starts = token_starts(text, recipe);
  const std::size_t tokens = starts.size() - 1;
  const std::size_t end = std::min(text.first[best_end - 1] + recipe.span(), tokens);
  const std::size_t first = starts[text.first[best_begin]];
  return text.normalized.substr(first, starts[end] - (separator_of(recipe) ? 1 : 0) - first);
}

}  // namespace sosie
