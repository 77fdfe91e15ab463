#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "data/columns.h"

namespace sosie {

// Form of a family's functions.
enum class FunctionForm : std::uint8_t {
  minhash,
  bit_samples,
  hyperplanes,  // sides of hyperplanes with HashFamily::normals
  rotations,    // hyperplanes, many at once
  polytopes,    // nearest vertices of a cross-polytope, which can be probed
  segments,     // cells on lines with HashFamily::component
  squares       // squares of a grid that a set must have, all of them
};

// A row of the table of locality-sensitive families (sketch/hash_families.cc; MMDS 3.6 and 3.7).
struct HashFamily {
  std::string_view name;
  FunctionForm form;
  std::string_view distance;  // the distance it is sensitive to
  std::string_view unit;      // unit of distances, as printed behind a number
  double largest_distance;    // infinity when there is none
  std::string_view source;
  // Probability that one function of the family puts two items of this distance into one bucket;
  // never increasing. Proven by the statistical tests beside the sketch.
  double (*collision_probability)(double distance) noexcept;
  // Form hyperplanes: normals of functions `first` and the next.
  VectorColumn (*normals)(std::size_t count, std::size_t dimension, std::uint64_t seed,
                          std::size_t first) = nullptr;
  // Form segments: a component of the lines, by number.
  double (*component)(std::uint64_t seed, std::uint64_t i) noexcept = nullptr;
  // The family with equal collisions that is quicker in many dimensions; empty: none.
  std::string_view wide = {};
};

// One construction: `count` functions of what stands before it become one (MMDS 3.6.3).
struct ConstructionStep {
  enum class Kind : std::uint8_t { all_agree, any_agrees } kind = Kind::all_agree;  // AND, OR
  std::uint32_t count = 1;
  friend bool operator==(const ConstructionStep&, const ConstructionStep&) = default;
};

// Applied from left to right; none leaves the family as it is.
using Construction = std::vector<ConstructionStep>;

}  // namespace sosie
