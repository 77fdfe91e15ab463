// Union of what candidate rules find, without duplicates.
#include "candidates/candidate_union.h"

#include <algorithm>

namespace sosie {

std::uint32_t rules_in(std::span<const CandidatePartner> partners, std::uint32_t partner) noexcept {
  const auto at = std::lower_bound(
      partners.begin(), partners.end(), partner,
      [](const CandidatePartner& other, std::uint32_t of) { return other.partner < of; });
  return at == partners.end() || at->partner != partner ? 0 : at->rules;
}

std::span<const CandidatePartner> CandidateUnion::of(std::uint32_t record, Buffers& buffers) const {
  std::vector<CandidatePartner>& found = buffers.found;
  found.clear();
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    buffers.partners.clear();
    rules_[rule](record, buffers.partners);
    for (const std::uint32_t partner : buffers.partners) found.push_back({partner, 1U << rule});
  }
  std::sort(found.begin(), found.end(), [](const CandidatePartner& a, const CandidatePartner& b) {
    return a.partner < b.partner;
  });
  std::size_t count = 0;
  for (const CandidatePartner& next : found) {
    if (count > 0 && found[count - 1].partner == next.partner) {
      found[count - 1].rules |= next.rules;
    } else {
      found[count++] = next;
    }
  }
  found.resize(count);
  return found;
}

}  // namespace sosie
