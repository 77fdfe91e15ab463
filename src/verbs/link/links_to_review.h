#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/save_links.h"
#include "verbs/link/link_decision.h"

namespace sosie {

// For each record of two collections: the first record connected to it by links; itself if there
// are none.
[[nodiscard]] std::vector<std::uint32_t> first_by_links(const std::vector<CandidateLink>& links,
                                                        std::uint32_t records);

// The pairs on which a person should judge the answer of a run, most informative first: the pairs
// that --suggest would list; then all links (within one collection, the pairs of small groups and
// the scored pairs of the others) and likely pairs that are not links, most doubtful first; ties
// are sorted by (left, right). `first`: for each record, the first record of its group; `cut`:
// minimum probability of a link, or its minimum share of the highest score. O(scored log scored).
[[nodiscard]] std::vector<SavedLink> links_to_review(const LinkDecisionTask& task,
                                                     const LinkDecision& decision,
                                                     const std::vector<std::uint32_t>& first,
                                                     double cut);

// Columns of both collections side by side, paired by rules and names: see RunFacts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> reviewed_columns(
    const LinkInputs& inputs);

}  // namespace sosie
