#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "join/records/record_linker.h"
#include "report/link_table.h"
#include "sosie/options.h"
#include "write/html_link.h"

namespace sosie {

// Pairs that the page of --report shows in full.
struct ShownLink {
  std::string why;
  CandidateLink link;
};

// Single pairs on the page: how many have which score, and those nearest the decision.
struct LinkSample {
  LinkBins bins;
  std::vector<ShownLink> shown;
};

// Samples the scored pairs of a run: `is_linked` of those that are links, or in one group. `cut`:
// least score of a link. O(scored).
[[nodiscard]] LinkSample sample_links(std::span<const CandidateLink> scored, double cut,
                                      const std::function<bool(const CandidateLink&)>& is_linked);

// `link --report`: one page about what a run linked and why. `facts` are complete.
[[nodiscard]] std::string link_page(const Options& options, const LinkFacts& facts,
                                    const LinkSample& sample);

}  // namespace sosie
