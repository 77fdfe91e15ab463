#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/rational.h"
#include "data/token_sets.h"

// AllPairs and PPJoin as described in their papers, on one thread, with integer bounds, for
// comparison with the exact join (bench/set_joins.cc).
namespace sosie::bench {

class PlainJoin {
 public:
  // A join by Jaccard similarity; sets must not be empty.
  PlainJoin(const TokenSets& sets, Rational threshold)
      : sets_(sets), a_(threshold.num), b_(threshold.den) {}

  // The pairs, by number of set. `positional`: uses PPJoin instead of AllPairs.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> run(bool positional) {
    std::vector<std::vector<Posting>> lists(sets_.universe);
    std::vector<std::uint32_t> begins(sets_.universe, 0);
    std::vector<Candidate> candidates(sets_.size());
    std::vector<std::uint32_t> touched;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t set = 0; set < sets_.size(); ++set) {
      const TokenView x = sets_[set];
      set_least_overlaps(x.size());
      const std::uint64_t least_size = (a_ * x.size() + b_ - 1) / b_;
      const std::size_t prefix = x.size() - least_size + 1;
      touched.clear();
      for (std::uint32_t i = 0; i < prefix; ++i) {
        std::vector<Posting>& list = lists[x[i]];
        std::uint32_t& begin = begins[x[i]];
        while (begin < list.size() && sets_[list[begin].set].size() < least_size) ++begin;
        for (std::size_t k = begin; k < list.size(); ++k) {
          add(x, i, list[k], positional, candidates, touched);
        }
        postings_seen_ += list.size() - begin;
      }
      for (const std::uint32_t other : touched) {
        if (verify(x, other, candidates[other])) pairs.emplace_back(other, set);
        candidates[other] = {};
      }
      const std::size_t indexed = x.size() - least_overlaps_[x.size()] + 1;
      for (std::uint32_t i = 0; i < indexed; ++i) lists[x[i]].push_back({set, i});
    }
    return pairs;
  }

  [[nodiscard]] std::uint64_t postings_seen() const { return postings_seen_; }

 private:
  struct Posting {
    std::uint32_t set;
    std::uint32_t position;
  };
  struct Candidate {
    std::uint32_t shared = 0;  // in the prefixes; kHopeless if it cannot get there
    std::uint32_t last_mine = 0;
    std::uint32_t last_theirs = 0;
  };
  static constexpr std::uint32_t kHopeless = ~std::uint32_t{0};

  // Sets the minimum overlaps of a set of `size` elements with sets that are no larger.
  void set_least_overlaps(std::uint64_t size) {
    if (least_overlaps_.size() == size + 1) return;
    least_overlaps_.clear();
    for (std::uint64_t other = 0; other <= size; ++other) {
      least_overlaps_.push_back((a_ * (size + other) + a_ + b_ - 1) / (a_ + b_));
    }
  }

  void add(TokenView x, std::uint32_t i, const Posting& posting, bool positional,
           std::vector<Candidate>& candidates, std::vector<std::uint32_t>& touched) const {
    Candidate& candidate = candidates[posting.set];
    if (candidate.shared == kHopeless) return;
    if (candidate.shared == 0) touched.push_back(posting.set);
    if (positional) {
      const std::size_t size = sets_[posting.set].size();
      const std::uint64_t most = candidate.shared + std::min(x.size() - i, size - posting.position);
      if (most < least_overlaps_[size]) {
        candidate.shared = kHopeless;
        return;
      }
    }
    ++candidate.shared;
    candidate.last_mine = i;
    candidate.last_theirs = posting.position;
  }

  [[nodiscard]] bool verify(TokenView x, std::uint32_t other, const Candidate& candidate) const {
    if (candidate.shared == kHopeless) return false;
    const TokenView y = sets_[other];
    return reaches(x.subspan(candidate.last_mine + 1), y.subspan(candidate.last_theirs + 1),
                   candidate.shared, least_overlaps_[y.size()]);
  }

  // True if two sets share at least `least` tokens, of which `shared` precede the remaining tokens
  // passed to this function.
  static bool reaches(TokenView x, TokenView y, std::uint64_t shared, std::uint64_t least) {
    std::uint64_t most_of_x = shared + x.size();
    std::uint64_t most_of_y = shared + y.size();
    std::size_t i = 0;
    std::size_t j = 0;
    while (most_of_x >= least && most_of_y >= least && i < x.size() && j < y.size()) {
      if (x[i] == y[j]) {
        ++shared;
        ++i;
        ++j;
      } else if (x[i] < y[j]) {
        ++i;
        --most_of_x;
      } else {
        ++j;
        --most_of_y;
      }
    }
    return shared >= least;
  }

  const TokenSets& sets_;
  std::uint64_t a_;
  std::uint64_t b_;
  std::uint64_t postings_seen_ = 0;
  std::vector<std::uint64_t> least_overlaps_;  // by size
};

}  // namespace sosie::bench
