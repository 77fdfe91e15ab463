// The most similar sets of each, without a threshold: counts along lists of tokens, with a bound on
// what has not been met.
#include "candidates/top_sets.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sosie {
namespace {

constexpr std::uint32_t kNoPartner = ~std::uint32_t{0};  // in place of a count
constexpr std::uint32_t kNoSet = ~std::uint32_t{0};

}  // namespace

TopSets::TopSets(const TokenSets& sets, const Measure& measure, std::span<const Place> partners)
    : sets_(sets), measure_(measure) {
  const auto places = sets.places.begin() == sets.places.end()
                          ? Place{0}
                          : *std::max_element(sets.places.begin(), sets.places.end()) + 1;
  set_at_.assign(places, kNoSet);
  for (std::uint32_t set = 0; set < sets.size(); ++set) set_at_[sets.places[set]] = set;
  starts_.assign(std::size_t{sets.universe} + 1, 0);
  const auto for_each_token = [&](const auto& each) {
    for (const Place place : partners) {
      const std::uint32_t set = set_at_[place];
      for (const std::uint32_t token : sets[set]) each(set, token);
    }
  };
  for_each_token([&](std::uint32_t /*set*/, std::uint32_t token) { ++starts_[token + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  lists_.resize(starts_.back());
  std::vector<std::uint64_t> ends(starts_.begin(), starts_.end() - 1);
  for_each_token([&](std::uint32_t set, std::uint32_t token) { lists_[ends[token]++] = set; });
}

void TopSets::find(Place place, std::uint64_t most, const RankOf& rank, Finder& finder,
                   const std::function<void(const VerifiedPair&)>& take) const {
  const std::uint32_t set = set_at_[place];
  finder.shared.resize(sets_.size());
  const std::size_t rest = count_along(set, most, rank, finder);
  verify(set, rest, most, finder);
  // Until here the left place is the rank of the right one.
  const auto is_better = [this](const VerifiedPair& a, const VerifiedPair& b) {
    if (measure_.is_above(a.overlap, b.overlap)) return true;
    if (measure_.is_above(b.overlap, a.overlap)) return false;
    return a.left < b.left;
  };
  for (VerifiedPair& pair : finder.best) pair.left = rank(sets_.places[pair.right]);
  const auto end = finder.best.begin() +
                   static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, finder.best.size()));
  if (end != finder.best.end()) {
    std::nth_element(finder.best.begin(), end, finder.best.end(), is_better);
  }
  for (auto pair = finder.best.begin(); pair != end; ++pair) {
    take({place, sets_.places[pair->right], pair->overlap});
  }
  for (const std::uint32_t other : finder.touched) finder.shared[other] = 0;
  finder.touched.clear();
}

// Returns how many of the set's tokens were not looked at.
std::size_t TopSets::count_along(std::uint32_t set, std::uint64_t most, const RankOf& rank,
                                 Finder& finder) const {
  const TokenView tokens = sets_[set];
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto list = list_of(tokens[i]);
    // To look costs about as much as to count along a list of so many sets.
    const bool may_be_worth_it = 4 * list.size() >= finder.touched.size();
    if (may_be_worth_it && is_complete(set, tokens.size() - i, most, finder)) {
      return tokens.size() - i;
    }
    for (const std::uint32_t other : list) {
      std::uint32_t& shared = finder.shared[other];
      if (shared == kNoPartner) continue;
      if (shared++ > 0) continue;
      finder.touched.push_back(other);
      if (other == set || rank(sets_.places[other]) == kNoRow) shared = kNoPartner;
    }
  }
  return 0;
}

// True if sets that were not met, which share the last `rest` tokens at most, are less similar than
// `most` sets that were met. Leaves the latter by their known overlap, best first.
bool TopSets::is_complete(std::uint32_t set, std::size_t rest, std::uint64_t most,
                          Finder& finder) const {
  if (finder.touched.size() < most) return false;
  const auto size = static_cast<std::uint32_t>(sets_[set].size());
  finder.best.clear();
  for (const std::uint32_t other : finder.touched) {
    const std::uint32_t shared = finder.shared[other];
    if (shared == kNoPartner) continue;
    const auto united = size + static_cast<std::uint32_t>(sets_[other].size()) - shared;
    finder.best.push_back({0, other, {shared, united, size}});
  }
  if (finder.best.size() < most) return false;
  const auto last = finder.best.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(finder.best.begin(), last, finder.best.end(),
                   [this](const VerifiedPair& a, const VerifiedPair& b) {
                     return measure_.is_above(a.overlap, b.overlap);
                   });
  const Overlap greatest{static_cast<std::uint32_t>(rest), size, size};
  return measure_.is_above(last->overlap, greatest);
}

// Leaves all that may be among the best, by what they share.
void TopSets::verify(std::uint32_t set, std::size_t rest, std::uint64_t most,
                     Finder& finder) const {
  const auto size = static_cast<std::uint32_t>(sets_[set].size());
  std::optional<Overlap> least;  // overlap of the least similar one
  if (rest > 0) least = finder.best[most - 1].overlap;
  finder.best.clear();
  for (const std::uint32_t other : finder.touched) {
    const std::uint32_t shared = finder.shared[other];
    if (shared == kNoPartner) continue;
    ++finder.met;
    const auto other_size = static_cast<std::uint32_t>(sets_[other].size());
    if (!least) {
      ++finder.verified;
      finder.best.push_back({0, other, {shared, size + other_size - shared, size}});
      continue;
    }
    const std::uint32_t most_shared =
        std::min({shared + static_cast<std::uint32_t>(rest), size, other_size});
    const Overlap greatest{most_shared, size + other_size - most_shared, size};
    if (measure_.is_above(*least, greatest)) continue;
    ++finder.verified;
    finder.best.push_back({0, other, overlap_of(set, other)});
  }
}

Overlap TopSets::overlap_of(std::uint32_t left, std::uint32_t right) const {
  const TokenView a = sets_[left];
  const TokenView b = sets_[right];
  std::uint32_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    shared += a[i] == b[j] ? 1U : 0U;
    const bool moves_left = a[i] <= b[j];
    j += b[j] <= a[i] ? 1U : 0U;
    i += moves_left ? 1U : 0U;
  }
  const auto size = static_cast<std::uint32_t>(a.size());
  return {shared, size + static_cast<std::uint32_t>(b.size()) - shared, size};
}

}  // namespace sosie
