#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/scored_link.h"
#include "plan/score_bands.h"

namespace sosie {

struct RunnerUpTask {
  std::span<const ScoredLink> links;    // all scored pairs of two collections, by (left, right)
  std::span<const std::size_t> chosen;  // indexes of links that were assigned one to one, ascending
};

// Estimate by the second-best partners of linked records, or the reason why there is none.
struct RunnerUpEstimate {
  std::string refusal;           // empty: the estimate holds
  double false_links = 0;        // estimated, of the chosen ones
  std::uint64_t runners_up = 0;  // number of scores that it rests on
  LinkEstimate estimate;
};

// Estimates how many of the chosen links are true. Where links are one to one, a linked record's
// second-best partner is no match: its score shows how high non-matches reach, and false links are
// taken to score like that. Runners-up come from the side with fewer records (left if equal), every
// record of which looks for a partner, and from the best links alone, a third of them and at most
// half as many as are estimated to be true, since a false link's second-best partner is too weak.
// The number of false links is the least that any decile of the runners-up allows: links at or
// below the score, over the part of runners-up there less one standard error. The part of a band of
// links that is true is 1 - false ones / links, as a falling sequence clamped to [0, 1]. Bands give
// no intervals.
//
// Refuses when under 100 links were chosen, when under 30 of the best have a runner-up, when more
// than a tenth of the best third have a runner-up that reaches their middle score (one side seems
// to hold several records of one entity), and when under a quarter of the links seem to be true.
// O(links log links), 24 bytes a linked record.
// Source: target-decoy competition, Elias, Gygi 2007; the number of false links: Storey 2002.
[[nodiscard]] RunnerUpEstimate estimate_by_runners_up(const RunnerUpTask& task);

// Pairs of a record of a chosen link of the best third by score with another partner, for
// HeldOutTask::runners_up: indexes into the links, ascending.
[[nodiscard]] std::vector<std::size_t> runner_up_pairs(const RunnerUpTask& task);

}  // namespace sosie
