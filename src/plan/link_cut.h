#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// The score of a link, and the estimated probability that the link is true. Lists are sorted by
// descending score.
struct JudgedScore {
  double score = 0;
  double true_part = 0;
};

// The rule that determines the minimum score of a link.
struct CutRule {
  enum class Kind : std::uint8_t { best_f1, precision, fixed } kind = Kind::best_f1;
  double value = 0;  // minimum precision in (0, 1], or the score itself
};

// A cut and the estimated quality of the links that reach it.
struct LinkCut {
  double score = 0;         // links at and above it are kept; infinite if none are
  std::uint64_t links = 0;  // number of links kept
  double matches = 0;       // estimated number of true links among them
  double precision = 1;     // matches / links; 1 without links
  double recall = 0;        // matches / all matches; 1 if there are none
  double f1 = 0;            // 2 matches / (links + all matches)
};

// The cut that a rule gives. best_f1: the highest estimated F1 (ties: the highest score).
// precision: the lowest score at which the links reach the precision; if they never reach it, no
// link is kept. Links with equal scores are either all kept or all left out. `all_matches`:
// estimated number of true pairs in the data, linked or not. O(links).
[[nodiscard]] LinkCut choose_cut(std::span<const JudgedScore> links, double all_matches,
                                 const CutRule& rule = {});

// The sum of the links' true_part, in the order of the list.
[[nodiscard]] double sum_of_matches(std::span<const JudgedScore> links) noexcept;

}  // namespace sosie
