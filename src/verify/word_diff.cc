// Shortest edit script of words by Myers' algorithm, with patience cuts where it would take too
// long.
#include "verify/word_diff.h"

#include <algorithm>

namespace sosie {
namespace {

using Words = std::span<const std::uint64_t>;
using Position = std::int64_t;

// Ranges [begin, end) of both texts.
struct Stretch {
  std::size_t left_begin;
  std::size_t left_end;
  std::size_t right_begin;
  std::size_t right_end;
};

struct Anchor {
  std::size_t left;
  std::size_t right;
};

// Positions of the words that occur exactly once in [begin, end), sorted by word.
std::vector<std::pair<std::uint64_t, std::size_t>> single_words(Words words, std::size_t begin,
                                                                std::size_t end) {
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  for (std::size_t i = begin; i < end; ++i) all.emplace_back(words[i], i);
  std::sort(all.begin(), all.end());
  std::vector<std::pair<std::uint64_t, std::size_t>> single;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool before = i > 0 && all[i - 1].first == all[i].first;
    const bool after = i + 1 < all.size() && all[i + 1].first == all[i].first;
    if (!before && !after) single.push_back(all[i]);
  }
  return single;
}

// The longest subsequence of `anchors` (ascending in left) that also ascends in right.
std::vector<Anchor> longest_ascent(const std::vector<Anchor>& anchors) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> tails;  // tails[l]: the anchor that ends an ascent of l + 1
  std::vector<std::size_t> before(anchors.size(), kNone);
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const auto at = std::lower_bound(
        tails.begin(), tails.end(), anchors[i].right,
        [&](std::size_t tail, std::size_t right) { return anchors[tail].right < right; });
    if (at != tails.begin()) before[i] = *(at - 1);
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<Anchor> ascent;
  for (std::size_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = before[i]) {
    ascent.push_back(anchors[i]);
  }
  std::reverse(ascent.begin(), ascent.end());
  return ascent;
}

// Marks the words that occur on only one side; all other words correspond to each other in order.
class Differ {
 public:
  Differ(Words left, Words right, std::uint32_t most_edits)
      : left_(left),
        right_(right),
        most_edits_(most_edits),
        removed_(left.size(), false),
        added_(right.size(), false) {}

  std::vector<DiffRun> run() {
    compare({0, left_.size(), 0, right_.size()}, 0);
    return runs();
  }

 private:
  // Texts that have been cut at their unique words this many times have too little in common for
  // further cuts.
  static constexpr int kMaxDepth = 4;

  void compare(Stretch s, int depth) {
    while (s.left_begin < s.left_end && s.right_begin < s.right_end &&
           left_[s.left_begin] == right_[s.right_begin]) {
      ++s.left_begin;
      ++s.right_begin;
    }
    while (s.left_begin < s.left_end && s.right_begin < s.right_end &&
           left_[s.left_end - 1] == right_[s.right_end - 1]) {
      --s.left_end;
      --s.right_end;
    }
    if (s.left_begin == s.left_end || s.right_begin == s.right_end) {
      mark_all(s);
    } else if (!mark_least_edits(s)) {
      split(s, depth);
    }
  }

  void mark_all(const Stretch& s) {
    for (std::size_t i = s.left_begin; i < s.left_end; ++i) removed_[i] = true;
    for (std::size_t i = s.right_begin; i < s.right_end; ++i) added_[i] = true;
  }

  void split(const Stretch& s, int depth) {
    const std::vector<Anchor> anchors = depth < kMaxDepth ? anchors_of(s) : std::vector<Anchor>{};
    if (anchors.empty()) {
      mark_all(s);
      return;
    }
    Stretch part = s;
    for (const Anchor& anchor : anchors) {
      part.left_end = anchor.left;
      part.right_end = anchor.right;
      compare(part, depth + 1);
      part.left_begin = anchor.left + 1;
      part.right_begin = anchor.right + 1;
    }
    part.left_end = s.left_end;
    part.right_end = s.right_end;
    compare(part, depth + 1);
  }

  [[nodiscard]] std::vector<Anchor> anchors_of(const Stretch& s) const {
    const auto left = single_words(left_, s.left_begin, s.left_end);
    const auto right = single_words(right_, s.right_begin, s.right_end);
    std::vector<Anchor> anchors;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i].first == right[j].first) anchors.push_back({left[i].second, right[j].second});
      const bool step_left = left[i].first <= right[j].first;
      const bool step_right = right[j].first <= left[i].first;
      i += step_left ? 1U : 0U;
      j += step_right ? 1U : 0U;
    }
    std::sort(anchors.begin(), anchors.end(),
              [](const Anchor& a, const Anchor& b) { return a.left < b.left; });
    return longest_ascent(anchors);
  }

  // Finds the farthest points after d = 0, 1, ... edits; trace_ keeps the points for each d, on
  // diagonals -d, -d + 2, ..., d. Marks nothing if more than most_edits_ edits are needed.
  bool mark_least_edits(const Stretch& s) {
    const auto n = static_cast<Position>(s.left_end - s.left_begin);
    const auto m = static_cast<Position>(s.right_end - s.right_begin);
    const Position most = std::min<Position>(most_edits_, n + m);
    if (n - m > most || m - n > most) return false;
    trace_.clear();
    for (Position d = 0; d <= most; ++d) {
      for (Position k = -d; k <= d; k += 2) {
        Position x = d == 0 ? 0 : start_of(d, k);
        while (x < n && x - k < m &&
               left_[s.left_begin + static_cast<std::size_t>(x)] ==
                   right_[s.right_begin + static_cast<std::size_t>(x - k)]) {
          ++x;
        }
        trace_.push_back(static_cast<std::int32_t>(x));
        if (x >= n && x - k >= m && k == n - m) {
          walk_back(s, d, k);
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] Position furthest(Position d, Position k) const {
    return trace_[static_cast<std::size_t>(d * (d + 1) / 2 + (k + d) / 2)];
  }

  // True if the d-th edit onto diagonal k adds a word of the right text (otherwise, it removes a
  // word of the left text).
  [[nodiscard]] bool adds(Position d, Position k) const {
    return k == -d || (k != d && furthest(d - 1, k - 1) < furthest(d - 1, k + 1));
  }

  [[nodiscard]] Position start_of(Position d, Position k) const {
    return adds(d, k) ? furthest(d - 1, k + 1) : furthest(d - 1, k - 1) + 1;
  }

  void walk_back(const Stretch& s, Position d, Position k) {
    for (; d > 0; --d) {
      const bool adding = adds(d, k);
      k += adding ? 1 : -1;
      const Position x = furthest(d - 1, k);
      if (adding) {
        added_[s.right_begin + static_cast<std::size_t>(x - k)] = true;
      } else {
        removed_[s.left_begin + static_cast<std::size_t>(x)] = true;
      }
    }
  }

  [[nodiscard]] std::vector<DiffRun> runs() const {
    std::vector<DiffRun> out;
    std::size_t i = 0;
    std::size_t j = 0;
    const auto collect = [&](DiffKind kind, auto go_on) {
      DiffRun run{kind, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), 0};
      for (; go_on(); ++run.count) {
        i += kind != DiffKind::added ? 1U : 0U;
        j += kind != DiffKind::removed ? 1U : 0U;
      }
      if (run.count > 0) out.push_back(run);
    };
    while (i < left_.size() || j < right_.size()) {
      collect(DiffKind::same,
              [&] { return i < left_.size() && j < right_.size() && !removed_[i] && !added_[j]; });
      collect(DiffKind::removed, [&] { return i < left_.size() && removed_[i]; });
      collect(DiffKind::added, [&] { return j < right_.size() && added_[j]; });
    }
    return out;
  }

  Words left_;
  Words right_;
  std::uint32_t most_edits_;
  std::vector<bool> removed_;
  std::vector<bool> added_;
  std::vector<std::int32_t> trace_;
};

}  // namespace

std::vector<DiffRun> word_diff(std::span<const std::uint64_t> left,
                               std::span<const std::uint64_t> right, std::uint32_t most_edits) {
  return Differ(left, right, most_edits).run();
}

}  // namespace sosie
