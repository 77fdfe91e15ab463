#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// A pair that a person may be asked about.
struct AskablePair {
  double probability = 0;    // that it matches
  std::size_t stratum = 0;   // pairs of one stratum are taken for alike
  std::uint64_t kind = 0;    // a hash of the levels in which its fields agree
  std::uint64_t number = 0;  // hash of the pair
  double weight = 1;         // pairs that it stands for
  double doubt = 0;          // part of the way to a half by which the model may be wrong
};

// The `most` pairs whose labels would tell most, by their positions: each stratum gets a part by
// its size and by how doubtful its pairs are (Neyman 1934: size · √(p (1 − p)), p drawn towards a
// half by the doubt), and of a stratum every so many-th pair is chosen by probability and kind, so
// that labels stand for the others. The order is a hash's: the first ones are as good a sample.
// Deterministic in seed. O(pairs log pairs).
[[nodiscard]] std::vector<std::size_t> suggest_pairs(std::span<const AskablePair> pairs,
                                                     std::size_t strata, std::uint64_t most,
                                                     std::uint64_t seed);

}  // namespace sosie
