// Inverts the prefixes of all sets into one list for each shared token.
#include "candidates/prefix_lists.h"

#include <algorithm>
#include <numeric>

namespace sosie {

PrefixLists::PrefixLists(const TokenSets& sets, const PrefixJoin& join, bool across,
                         const SizeTable& sizes)
    : sets_(sets), join_(join), across_(across), sizes_(sizes) {
  place_lists();
  fill_lists();
}

std::uint32_t PrefixLists::list_at(std::uint64_t posting) const noexcept {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), posting);
  return static_cast<std::uint32_t>(after - starts_.begin() - 1);
}

// Uses of a set's first tokens: how many are indexed, and how many look others up. Across two
// collections it is one or the other.
PrefixLists::Prefix PrefixLists::prefix_of(std::uint32_t set) const noexcept {
  const std::uint32_t rank = sizes_.ranks()[set];
  Prefix prefix{sizes_.indexed(rank), sizes_.probed(rank)};
  if (!across_) return prefix;
  const Place place = sets_.places[set];
  if (place >= join_.scope.left_end) prefix.indexed = 0;
  if (place < join_.scope.right_begin) prefix.probed = 0;
  return prefix;
}

// Calls each(number of the list, posting) for the tokens of a prefix that may have a list.
template <class Each>
void PrefixLists::for_each_posting(std::uint32_t set, Prefix prefix, const Each& each) const {
  const TokenView tokens = sets_[set].first(std::max(prefix.indexed, prefix.probed));
  for (std::uint32_t position = 0; position < tokens.size(); ++position) {
    if (tokens[position] < sets_.first_shared) continue;
    std::uint32_t place = position;
    if (position < prefix.indexed) place |= kernels::kIndexed;
    if (position < prefix.probed) place |= kernels::kProbes;
    each(tokens[position] - sets_.first_shared, kernels::Posting{set, place});
  }
}

void PrefixLists::place_lists() {
  const std::uint32_t lists = sets_.universe - sets_.first_shared;
  std::vector<std::uint32_t> lengths(lists, 0);
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    for_each_posting(set, prefix_of(set),
                     [&](std::uint32_t list, kernels::Posting) { ++lengths[list]; });
  }
  starts_.reserve(std::size_t{lists} + 1);
  starts_.push_back(0);
  for (const std::uint32_t length : lengths) {
    starts_.push_back(starts_.back() + (length > 1 ? length : 0));
  }
}

void PrefixLists::fill_lists() {
  postings_.resize(starts_.back() + kernels::kPostingPadding);
  constexpr std::uint64_t kNoList = ~std::uint64_t{0};
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t list = 0; list < lists(); ++list) {
    if (starts_[list] == starts_[list + 1]) next[list] = kNoList;
  }
  const auto fill = [&](std::uint32_t list, kernels::Posting posting) {
    std::uint64_t& to = next[list];
    if (to == kNoList) return;
    indexed_ += posting.place >> 31;  // kIndexed
    postings_[to++] = posting;
  };
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    Prefix prefix = prefix_of(set);
    if (across_) prefix.probed = 0;
    for_each_posting(set, prefix, fill);
  }
  for (std::uint32_t set = 0; across_ && set < sets_.size(); ++set) {
    Prefix prefix = prefix_of(set);
    prefix.indexed = 0;
    for_each_posting(set, prefix, fill);
  }
}

}  // namespace sosie
