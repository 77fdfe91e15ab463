#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/save_links.h"
#include "verbs/link/link_decision.h"

namespace sosie {

// By record of two collections: the first record that links join it with, itself where none do.
[[nodiscard]] std::vector<std::uint32_t> first_by_links(const std::vector<CandidateLink>& links,
                                                        std::uint32_t records);

// Pairs that a person may judge about the answer of a run, most telling ones first: those that
// --suggest would ask about, then all links (in one collection the pairs of small groups, and the
// scored pairs of others) and likely pairs that are none, the most doubtful ones first; ties by
// (left, right). `first`: by record the first one of its group; `cut`: least probability, or share
// of the greatest score, of a link. O(scored log scored).
[[nodiscard]] std::vector<SavedLink> links_to_review(const LinkDecisionTask& task,
                                                     const LinkDecision& decision,
                                                     const std::vector<std::uint32_t>& first,
                                                     double cut);

// Columns of both collections side by side, as rules and names pair them: see RunFacts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> reviewed_columns(
    const LinkInputs& inputs);

}  // namespace sosie
