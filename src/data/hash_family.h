#pragma once

#include <string_view>

namespace sosie {

// A row of the table of locality-sensitive families (sketch/hash_families.cc; MMDS 3.6 and 3.7).
struct HashFamily {
  std::string_view name;
  std::string_view distance;  // the distance it is sensitive to
  std::string_view unit;      // what a distance is given in, as it stands behind a number
  double largest_distance;    // infinity when there is none
  std::string_view source;
  // Probability that one function of the family puts two items of this distance into one bucket;
  // never increasing. Proven by the statistical tests beside the sketch.
  double (*collision_probability)(double distance) noexcept;
};

}  // namespace sosie
