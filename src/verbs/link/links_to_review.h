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

// Pairs for a person's judgement on the answer of a run, most informative ones first: those that
// --suggest would list, then all links (within one collection the pairs of small groups, and the
// scored pairs of others) and likely pairs that are not links, most doubtful ones first; ties by
// (left, right). `first`: by record the first one of its group; `cut`: minimum probability, or
// share of the highest score, of a link. O(scored log scored).
[[nodiscard]] std::vector<SavedLink> links_to_review(const LinkDecisionTask& task,
                                                     const LinkDecision& decision,
                                                     const std::vector<std::uint32_t>& first,
                                                     double cut);

// Columns of both collections side by side, paired by rules and names: see RunFacts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> reviewed_columns(
    const LinkInputs& inputs);

}  // namespace sosie
