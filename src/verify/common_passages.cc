// Passages that two texts share, found in a suffix array of both texts.
#include "verify/common_passages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

namespace sosie {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Both texts concatenated, as ranks of their words, separated by a 0 that occurs nowhere else.
Numbers ranks_of(std::span<const std::uint64_t> left, std::span<const std::uint64_t> right) {
  std::vector<std::uint64_t> words(left.begin(), left.end());
  words.insert(words.end(), right.begin(), right.end());
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  Numbers ranks;
  ranks.reserve(left.size() + right.size() + 1);
  const auto add = [&](std::uint64_t word) {
    const auto at = std::lower_bound(words.begin(), words.end(), word) - words.begin();
    ranks.push_back(static_cast<std::uint32_t>(at) + 1);
  };
  for (const std::uint64_t word : left) add(word);
  ranks.push_back(0);
  for (const std::uint64_t word : right) add(word);
  return ranks;
}

// The suffixes of a text in ascending order, computed by doubling the length of the sorted prefix
// (Manber and Myers, 1993).
Numbers suffix_array(Numbers ranks) {
  const auto size = static_cast<std::uint32_t>(ranks.size());
  Numbers suffixes(size);
  std::iota(suffixes.begin(), suffixes.end(), 0U);
  for (std::uint32_t sorted = 0;; sorted = std::max(1U, 2 * sorted)) {
    const auto key = [&](std::uint32_t suffix) {
      const std::uint32_t next = suffix + sorted;
      return std::pair(ranks[suffix], sorted == 0 || next >= size ? 0 : ranks[next] + 1);
    };
    std::sort(suffixes.begin(), suffixes.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    Numbers finer(size);
    for (std::uint32_t i = 1; i < size; ++i) {
      finer[suffixes[i]] =
          finer[suffixes[i - 1]] + (key(suffixes[i - 1]) < key(suffixes[i]) ? 1 : 0);
    }
    ranks = std::move(finer);
    if (size == 0 || ranks[suffixes.back()] + 1 == size) return suffixes;
  }
}

// For each place in the suffix array: the number of words that its suffix has in common with the
// previous one (Kasai et al., 2001).
Numbers common_prefixes(const Numbers& text, const Numbers& suffixes) {
  Numbers place(text.size());
  for (std::uint32_t i = 0; i < suffixes.size(); ++i) place[suffixes[i]] = i;
  Numbers common(text.size());
  std::uint32_t length = 0;
  for (std::uint32_t at = 0; at < text.size(); ++at) {
    if (place[at] == 0) {
      length = 0;
      continue;
    }
    const std::uint32_t other = suffixes[place[at] - 1];
    while (at + length < text.size() && other + length < text.size() &&
           text[at + length] == text[other + length]) {
      ++length;
    }
    common[place[at]] = length;
    if (length > 0) --length;
  }
  return common;
}

// For each word of the left text: the longest passage that starts there and also occurs in the
// right text.
std::vector<CommonPassage> longest_passages(std::span<const std::uint64_t> left,
                                            std::span<const std::uint64_t> right) {
  const Numbers text = ranks_of(left, right);
  const Numbers suffixes = suffix_array(text);
  const Numbers common = common_prefixes(text, suffixes);
  const auto first_right = static_cast<std::uint32_t>(left.size()) + 1;
  std::vector<CommonPassage> longest(left.size());
  CommonPassage near;  // the most recent suffix of the right text, and the words it shares
  const auto pass = [&](std::uint32_t suffix) {
    if (suffix >= first_right) {
      near = {0, suffix - first_right, ~0U};
    } else if (suffix < left.size() && near.count > longest[suffix].count) {
      longest[suffix] = {suffix, near.right, near.count};
    }
  };
  for (std::size_t i = 0; i < suffixes.size(); ++i) {
    near.count = std::min(near.count, common[i]);
    pass(suffixes[i]);
  }
  near.count = 0;
  for (std::size_t i = suffixes.size(); i-- > 0;) {
    pass(suffixes[i]);
    near.count = std::min(near.count, common[i]);
  }
  return longest;
}

struct ShorterOrLater {
  bool operator()(const CommonPassage& a, const CommonPassage& b) const noexcept {
    return a.count != b.count ? a.count < b.count : a.left > b.left;
  }
};

}  // namespace

std::vector<CommonPassage> common_passages(std::span<const std::uint64_t> left,
                                           std::span<const std::uint64_t> right,
                                           std::uint32_t least) {
  const std::vector<CommonPassage> longest = longest_passages(left, right);
  std::priority_queue<CommonPassage, std::vector<CommonPassage>, ShorterOrLater> waiting;
  for (std::size_t i = 0; i < longest.size(); ++i) {
    const bool goes_on = i > 0 && longest[i - 1].count == longest[i].count + 1;
    if (!goes_on && longest[i].count >= least) waiting.push(longest[i]);
  }
  std::map<std::uint32_t, CommonPassage> taken;  // by `left`
  while (!waiting.empty()) {
    CommonPassage passage = waiting.top();
    waiting.pop();
    // Passages chosen earlier are at least as long, so they can cover either end, but never only
    // the middle.
    std::uint32_t end = passage.left + passage.count;
    const auto next = taken.upper_bound(passage.left);
    if (next != taken.end()) end = std::min(end, next->first);
    std::uint32_t begin = passage.left;
    if (next != taken.begin()) {
      const CommonPassage& before = std::prev(next)->second;
      begin = std::max(begin, before.left + before.count);
    }
    if (end < begin + least) continue;
    const bool is_whole = end - begin == passage.count;
    passage = {begin, passage.right + (begin - passage.left), end - begin};
    if (is_whole) {
      taken.emplace(begin, passage);
    } else {
      waiting.push(passage);
    }
  }
  std::vector<CommonPassage> passages;
  passages.reserve(taken.size());
  for (const auto& [begin, passage] : taken) passages.push_back(passage);
  return passages;
}

}  // namespace sosie
