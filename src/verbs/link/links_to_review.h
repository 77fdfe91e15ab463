#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/save_links.h"
#include "verbs/link/link_decision.h"

namespace sosie {

// For each record of two collections: the first record to which links connect it; itself if there
// are none.
[[nodiscard]] std::vector<std::uint32_t> first_by_links(const std::vector<CandidateLink>& links,
                                                        std::uint32_t records);

// The pairs by which a person should judge the answer of a run, most informative first. They begin
// with the pairs that --suggest would list, followed by all links (within a single collection, the
// pairs in small groups and the scored pairs in other groups) and by likely pairs that are not
// links, most doubtful first; ties are sorted by (left, right). `first`: for each record, the first
// record in its group; `cut`: minimum probability of a link, or its minimum share of the highest
// score. O(scored log scored).
[[nodiscard]] std::vector<SavedLink> links_to_review(const LinkDecisionTask& task,
                                                     const LinkDecision& decision,
                                                     const std::vector<std::uint32_t>& first,
                                                     double cut);

// Columns of both collections side by side, matched by rules and names: see RunFacts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> reviewed_columns(
    const LinkInputs& inputs);

}  // namespace sosie
