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
  squares       // squares of a grid, all of which a set must contain
};

// A row of the table of locality-sensitive families (sketch/hash_families.cc; MMDS 3.6 and 3.7).
struct HashFamily {
  std::string_view name;
  FunctionForm form;
  std::string_view distance;  // distance measure to which it is sensitive
  std::string_view unit;      // unit of distances, as printed after a number
  double largest_distance;    // infinity if there is no maximum
  std::string_view source;
  // Probability that a function of the family puts two items at this distance into the same bucket;
  // never increases with the distance. Checked by the statistical tests in src/sketch.
  double (*collision_probability)(double distance) noexcept;
  // For the form hyperplanes: normals of `count` functions, starting with function number `first`.
  VectorColumn (*normals)(std::size_t count, std::size_t dimension, std::uint64_t seed,
                          std::size_t first) = nullptr;
  // For the form segments: component i of the lines.
  double (*component)(std::uint64_t seed, std::uint64_t i) noexcept = nullptr;
  // An equivalent family that is faster in many dimensions; empty if there is none.
  std::string_view wide = {};
};

// A single construction step, which combines `count` functions of the preceding step into one (MMDS
// 3.6.3).
struct ConstructionStep {
  enum class Kind : std::uint8_t { all_agree, any_agrees } kind = Kind::all_agree;  // AND, OR
  std::uint32_t count = 1;
  friend bool operator==(const ConstructionStep&, const ConstructionStep&) = default;
};

// Applied from left to right; an empty list leaves the family unchanged.
using Construction = std::vector<ConstructionStep>;

}  // namespace sosie
