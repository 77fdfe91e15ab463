#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// A pair that a person may be asked to label.
struct AskablePair {
  double probability = 0;    // probability that it matches
  std::size_t stratum = 0;   // pairs in the same stratum count as similar
  std::uint64_t kind = 0;    // a hash of the agreement levels of its fields
  std::uint64_t number = 0;  // hash of the pair
  double weight = 1;         // number of pairs that it represents
  double doubt = 0;          // share of the distance to 0.5 by which the model may be wrong
};

// Positions of the `most` pairs whose labels are most informative. Each stratum gets a share
// according to its size and to the doubt about its pairs (Neyman 1934: size · √(p (1 − p)), with p
// moved towards 0.5 by the doubt). Within a stratum, pairs are chosen at regular intervals by
// probability and kind, so that the labelled pairs represent the others. A hash determines the
// order, so any number of pairs from the beginning is an equally good sample. Depends only on the
// pairs and the seed. O(pairs log pairs).
[[nodiscard]] std::vector<std::size_t> suggest_pairs(std::span<const AskablePair> pairs,
                                                     std::size_t strata, std::uint64_t most,
                                                     std::uint64_t seed);

}  // namespace sosie
