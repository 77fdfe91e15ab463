// Probabilities of the pairs in a component of records, and the weakest pair of a group.
#include "cluster/weakest_pair.h"

#include <algorithm>
#include <tuple>

#include "core/mix64.h"

namespace sosie {
namespace {

struct Weakest {
  RecordPair pair;
  double probability = 2;  // above any

  void see(std::uint32_t x, std::uint32_t y, PairProbabilities& known) {
    const RecordPair seen{std::min(x, y), std::max(x, y)};
    const double value = known.probability(x, y);
    if (std::tie(value, seen) < std::tie(probability, pair)) {
      probability = value;
      pair = seen;
    }
  }
};

}  // namespace

double as_probability(double value) noexcept { return value > 0 ? std::min(value, 1.0) : 0; }

std::uint64_t units_of(double probability) noexcept {
  return static_cast<std::uint64_t>(as_probability(probability) * kProbabilityUnits);
}

double PairProbabilities::probability(std::uint32_t x, std::uint32_t y) {
  const RecordPair pair{std::min(x, y), std::max(x, y)};
  const auto found =
      std::partition_point(component_.links.begin(), component_.links.end(),
                           [&](std::uint64_t index) { return task_.links[index].pair() < pair; });
  if (found != component_.links.end()) {
    const ScoredLink& link = task_.links[*found];
    if (link.pair() == pair) return as_probability(link.probability);
  }
  worker_.pool.check_cancelled();
  ++scored_;
  return as_probability(task_.probability(worker_.number, pair.left, pair.right));
}

std::uint32_t drawn_partner(std::span<const std::uint32_t> records, std::size_t place,
                            std::uint64_t draw) noexcept {
  // A step of 1 to size - 1 places around the group.
  const std::uint64_t random = random64(records[place], draw);
  const std::size_t step = 1 + multiply128(random, records.size() - 1).high;
  return records[(place + step) % records.size()];
}

RecordGroup weakest_pair(std::span<const std::uint32_t> records, PairProbabilities& known) {
  Weakest weakest;
  RecordGroup group;
  group.first = records.front();
  group.size = static_cast<std::uint32_t>(records.size());
  group.all_compared = records.size() <= kComparedGroup;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (group.all_compared) {
      for (std::size_t j = i + 1; j < records.size(); ++j) {
        weakest.see(records[i], records[j], known);
      }
      continue;
    }
    for (std::uint64_t draw = 0; draw < kDrawnPartners; ++draw) {
      weakest.see(records[i], drawn_partner(records, i, draw), known);
    }
  }
  group.weakest = weakest.pair;
  group.probability = weakest.probability;
  return group;
}

}  // namespace sosie
