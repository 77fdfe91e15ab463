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
  std::span<const std::size_t> chosen;  // indexes of links assigned one to one, ascending
};

// An estimate from the second-best partners of linked records, or the reason why there is none.
struct RunnerUpEstimate {
  std::string refusal;           // empty: the estimate holds
  double false_links = 0;        // estimated, among the chosen ones
  std::uint64_t runners_up = 0;  // number of scores on which it is based
  LinkEstimate estimate;
};

// Estimates how many of the chosen links are true. If links are one to one, a linked record's
// second-best partner is not a match. Its score shows how high non-matches score, and false links
// are assumed to score like that. Runners-up are taken from the side with fewer records (left if
// equal), every record of which seeks a partner, and from the best links only: a third of them, and
// at most half of the estimated number of true links, because the second-best partner of a false
// link is too weak. The number of false links is the lowest that any decile of the runners-up
// allows: the number of links at or below the score, divided by the share of runners-up there less
// one standard error. The share of true links in a band is 1 - false ones / links, as a decreasing
// sequence clamped to [0, 1]. Bands give no intervals.
// There is no estimate if fewer than 100 links were chosen, if fewer than 30 of the best links have
// a runner-up, if more than a tenth of the best third have a runner-up that reaches their middle
// score (one side then seems to have several records of the same entity), or if less than a quarter
// of the links seem to be true. O(links log links), 24 bytes per linked record. Source:
// target-decoy competition, Elias, Gygi 2007; the number of false links: Storey 2002.
[[nodiscard]] RunnerUpEstimate estimate_by_runners_up(const RunnerUpTask& task);

// Pairs that link records of the best third of the chosen links (by score) to another partner, for
// HeldOutTask::runners_up: indexes into the links, ascending.
[[nodiscard]] std::vector<std::size_t> runner_up_pairs(const RunnerUpTask& task);

}  // namespace sosie
