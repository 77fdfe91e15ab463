// Star clustering by joins: compares batches of rows with earlier survivors and with each other.
#include "decide/ranked_star.h"

#include <algorithm>
#include <numeric>

#include "cluster/components.h"
#include "core/mix64.h"

namespace sosie {
namespace {

// The first batch is small, so that near copies of an item are removed by its survivor instead of
// being compared with each other.
constexpr Place kFirstBatch = 256;

// Share of the places in which pairs are counted, and the minimum number of such places.
constexpr Place kPlacesOfOneDrawn = 64;
constexpr Place kLeastDrawn = 4096;
// Number of places sampled first; few enough to be compared in any case.
constexpr Place kFirstDrawn = 512;
// Pairs per place that cost less than joining batches.
constexpr double kFewPairs = 2;

class Star {
 public:
  Star(Place places, Place fixed, const RankedStarSteps& steps) : steps_(steps), survivors_(fixed) {
    found_.survivor.resize(places);
    std::iota(found_.survivor.begin(), found_.survivor.end(), Place{0});
    found_.value.resize(places);
    std::iota(survivors_.begin(), survivors_.end(), Place{0});
  }

  // Adds the places of consecutive batches, in rank order.
  void add(Place begin, Place end) {
    std::vector<Place> open(end - begin);
    std::iota(open.begin(), open.end(), begin);
    found_.measured += steps_.between(open, survivors_, [&](std::span<const ScoredPair> pairs) {
      for (const ScoredPair& pair : pairs) settle(survivors_[pair.right], open[pair.left], pair);
    });
    std::erase_if(open, [this](Place place) { return !survives(place); });
    // If a pair's left place is settled, all pairs that could remove it have already been seen.
    found_.measured += steps_.within(open, [&](std::span<const ScoredPair> pairs) {
      for (const ScoredPair& pair : pairs) settle(open[pair.left], open[pair.right], pair);
    });
    std::copy_if(open.begin(), open.end(), std::back_inserter(survivors_),
                 [this](Place place) { return survives(place); });
  }

  [[nodiscard]] RankedClusters take() { return std::move(found_); }

 private:
  [[nodiscard]] bool survives(Place place) const { return found_.survivor[place] == place; }

  void settle(Place better, Place worse, const ScoredPair& pair) {
    if (!survives(better) || !survives(worse)) return;
    found_.survivor[worse] = better;
    found_.value[worse] = pair.value;
  }

  const RankedStarSteps& steps_;
  std::vector<Place> survivors_;  // ascending
  RankedClusters found_;
};

// Places sampled regardless of their order, ascending.
std::vector<Place> drawn_places(Place places, Place wanted) {
  std::vector<Place> drawn;
  for (Place place = 0; place < places; ++place) {
    if (mix64(place) % places < wanted) drawn.push_back(place);
  }
  return drawn;
}

// True if few pairs are expected, judging by a sample. Small collections do not need one.
bool has_few_pairs(Place places, const RankedStarSteps& steps) {
  const Place wanted = std::max(kLeastDrawn, places / kPlacesOfOneDrawn);
  if (places / 4 < wanted) return false;
  const auto pairs_among = [&](const std::vector<Place>& some) {
    double pairs = 0;
    steps.within(some, [&](std::span<const ScoredPair> found) {
      pairs += static_cast<double>(found.size());
    });
    return pairs;
  };
  // If all places are similar, the number of pairs in a large sample would be quadratic.
  if (pairs_among(drawn_places(places, kFirstDrawn)) > kFirstDrawn) return false;
  const std::vector<Place> drawn = drawn_places(places, wanted);
  const double pairs = pairs_among(drawn);
  const double share = static_cast<double>(drawn.size()) / static_cast<double>(places);
  return pairs <= kFewPairs * static_cast<double>(places) * share * share;
}

}  // namespace

RankedClusters ranked_star(Place places, Place fixed, const ThreadPool& pool,
                           const RankedStarSteps& steps) {
  Star star(places, fixed, steps);
  Place batch = kFirstBatch;
  if (fixed == 0 && steps.wholes_cost_less && has_few_pairs(places, steps)) batch = places;
  for (Place begin = fixed; begin < places;
       batch = std::min(batch > kNoPlace / steps.growth ? kNoPlace : steps.growth * batch,
                        steps.most_at_once)) {
    pool.check_cancelled();
    const Place end = begin + std::min(batch, places - begin);
    star.add(begin, end);
    if (steps.progress) steps.progress(end);
    begin = end;
  }
  return star.take();
}

RankedClusters star_of_measured(Place places, const SortedPairs<ScoredPair>& pairs) {
  RankedClusters found;
  found.survivor.resize(places);
  std::iota(found.survivor.begin(), found.survivor.end(), Place{0});
  found.value.resize(places);
  pairs.for_each([&](const ScoredPair& pair) {
    const bool open = found.survivor[pair.right] == pair.right;
    if (!open || found.survivor[pair.left] != pair.left) return true;
    found.survivor[pair.right] = pair.left;
    found.value[pair.right] = pair.value;
    return true;
  });
  return found;
}

RankedClusters ranked_components(
    Place places, Place fixed, const ThreadPool& pool, const RankedStarSteps& steps,
    const std::function<double(Place survivor, Place removed)>& value) {
  std::vector<Place> others(fixed);
  std::iota(others.begin(), others.end(), Place{0});
  std::vector<Place> open(places - fixed);
  std::iota(open.begin(), open.end(), fixed);
  Components components(places);
  RankedClusters found;
  found.measured += steps.between(open, others, [&](std::span<const ScoredPair> pairs) {
    pool.check_cancelled();
    for (const ScoredPair& pair : pairs) components.link(open[pair.left], others[pair.right]);
  });
  found.measured += steps.within(open, [&](std::span<const ScoredPair> pairs) {
    pool.check_cancelled();
    for (const ScoredPair& pair : pairs) components.link(open[pair.left], open[pair.right]);
  });
  found.survivor.resize(places);
  std::iota(found.survivor.begin(), found.survivor.end(), Place{0});
  found.value.resize(places);
  for (const Place place : open) {
    const Place survivor = components.root_of(place);
    if (survivor == place) continue;
    found.survivor[place] = survivor;
    found.value[place] = value(survivor, place);
  }
  if (steps.progress) steps.progress(places);
  return found;
}

}  // namespace sosie
