#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "join/records/record_linker.h"

namespace sosie {

// Bin i counts pairs with scores in [first + i · width, first + (i + 1) · width); the last bin
// includes its end.
struct LinkBins {
  double first = 0;
  double width = 1;
  std::vector<std::uint64_t> pairs = {};  // candidates
  std::vector<std::uint64_t> links = {};  // links among these
};

// A pair that the page of --report shows in full.
struct ShownLink {
  std::string why;  // "weakest link"
  CandidateLink link;
};

// Counts of pairs by score, and the pairs closest to the decision.
struct LinkSample {
  LinkBins bins = {};
  std::vector<ShownLink> shown = {};
};

// Samples a run's scored pairs. `is_linked`: true for pairs that are links or in the same group.
// `cut`: minimum score of a link. O(scored).
[[nodiscard]] LinkSample sample_links(std::span<const CandidateLink> scored, double cut,
                                      const std::function<bool(const CandidateLink&)>& is_linked);

}  // namespace sosie
