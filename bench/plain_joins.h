#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "data/token_sets.h"

// AllPairs and PPJoin as their papers have them, one thread, with bounds in integers: what the
// exact join is measured beside (bench/set_joins.cc). Jaccard similarity a / b; sets by ascending
// size.
namespace sosie::bench {

struct PlainJoin {
  const TokenSets& sets;
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t postings_seen = 0;

  struct Posting {
    std::uint32_t set;
    std::uint32_t position;
  };
  struct Candidate {
    std::uint32_t shared = 0;  // in the prefixes; kHopeless when it cannot get there
    std::uint32_t last_mine = 0;
    std::uint32_t last_theirs = 0;
  };
  static constexpr std::uint32_t kHopeless = ~std::uint32_t{0};

  [[nodiscard]] std::uint64_t least_overlap(std::uint64_t x, std::uint64_t y) const {
    return (a * (x + y) + a + b - 1) / (a + b);
  }

  // How many tokens are shared from these positions on, given up below `least`.
  static std::uint64_t shared_from(TokenView x, std::size_t i, TokenView y, std::size_t j,
                                   std::uint64_t shared, std::uint64_t least) {
    while (i < x.size() && j < y.size()) {
      if (shared + std::min(x.size() - i, y.size() - j) < least) return shared;
      if (x[i] == y[j]) {
        ++shared;
        ++i;
        ++j;
      } else if (x[i] < y[j]) {
        ++i;
      } else {
        ++j;
      }
    }
    return shared;
  }

  // How many pairs there are. `positional`: PPJoin, else AllPairs.
  std::uint64_t run(bool positional) {
    std::vector<std::vector<Posting>> lists(sets.universe);
    std::vector<std::uint32_t> begins(sets.universe, 0);
    std::vector<Candidate> candidates(sets.size());
    std::vector<std::uint32_t> touched;
    std::uint64_t pairs = 0;
    for (std::uint32_t set = 0; set < sets.size(); ++set) {
      const TokenView x = sets[set];
      if (x.empty()) continue;
      const std::uint64_t least_size = (a * x.size() + b - 1) / b;
      const std::size_t prefix = x.size() - least_size + 1;
      touched.clear();
      for (std::uint32_t i = 0; i < prefix; ++i) {
        std::vector<Posting>& list = lists[x[i]];
        std::uint32_t& begin = begins[x[i]];
        while (begin < list.size() && sets[list[begin].set].size() < least_size) ++begin;
        for (std::size_t k = begin; k < list.size(); ++k) {
          ++postings_seen;
          add(x, i, list[k], positional, candidates, touched);
        }
      }
      for (const std::uint32_t other : touched) {
        pairs += verify(x, other, candidates[other]) ? 1 : 0;
        candidates[other] = {};
      }
      const std::size_t indexed = x.size() - least_overlap(x.size(), x.size()) + 1;
      for (std::uint32_t i = 0; i < indexed; ++i) lists[x[i]].push_back({set, i});
    }
    return pairs;
  }

 private:
  void add(TokenView x, std::uint32_t i, const Posting& posting, bool positional,
           std::vector<Candidate>& candidates, std::vector<std::uint32_t>& touched) const {
    Candidate& candidate = candidates[posting.set];
    if (candidate.shared == kHopeless) return;
    if (candidate.shared == 0) touched.push_back(posting.set);
    if (positional) {
      const std::size_t size = sets[posting.set].size();
      const std::uint64_t most = candidate.shared + std::min(x.size() - i, size - posting.position);
      if (most < least_overlap(x.size(), size)) {
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
    const TokenView y = sets[other];
    const std::uint64_t least = least_overlap(x.size(), y.size());
    return shared_from(x, candidate.last_mine + 1, y, candidate.last_theirs + 1, candidate.shared,
                       least) >= least;
  }
};

}  // namespace sosie::bench
