#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/hash_family.h"
#include "plan/candidate_probability.h"

// Amplification of a locality-sensitive family as an algebra (MMDS 3.6.3): AND- and
// OR-constructions in any order. No libm, see banding_plan.h.
namespace sosie {

// Reads "and:4,or:4": counts from 1 to 65536, at most 2^32 functions in all; nullopt for any other
// text.
[[nodiscard]] std::optional<Construction> parse_construction(std::string_view text);
[[nodiscard]] std::string construction_text(const Construction& construction);

// b bands of r rows: AND of r, then OR of b.
[[nodiscard]] Construction banding_construction(int bands, int rows);
// Bands of the given number of rows, each an AND of the family's functions, and the cascade built
// from them.
struct BandShape {
  int bands = 1;
  int rows = 1;
  Construction over = {};  // cascade of `bands` bands; empty: their OR

  [[nodiscard]] bool is_banding() const noexcept { return over.empty(); }
  friend bool operator==(const BandShape&, const BandShape&) = default;
};
// Any construction as bands: "and:2,or:3,and:4" has 12 bands of 2 rows; the cascade is an AND of
// four ORs of three bands. Consecutive steps of the same kind are merged; steps with a single
// function are dropped.
[[nodiscard]] BandShape as_bands(const Construction& construction);
// The banding equal to a construction of the form and:ROWS,or:BANDS; nullopt for other forms.
[[nodiscard]] std::optional<BandShape> as_banding(const Construction& construction);
// Construction over the bands of a shape.
[[nodiscard]] Construction over_bands(const BandShape& shape);
// Construction over the family's functions.
[[nodiscard]] Construction construction_of(const BandShape& shape);

// Number of bands whose buckets a join of the shape must search: all, but only one branch of each
// AND.
[[nodiscard]] std::uint64_t bucketed_bands(const BandShape& shape) noexcept;

// Number of the family's functions for one function of the construction.
[[nodiscard]] std::uint64_t function_count(const Construction& construction) noexcept;

// Probability that the construction puts a pair into the same bucket if a single function does so
// with probability p, and 1 minus it (which keeps its digits after an OR).
struct Amplified {
  double found;
  double missed;
};
[[nodiscard]] Amplified amplify(const Construction& construction, double p) noexcept;

// d amplify(p).found / dp.
[[nodiscard]] double amplified_slope(const Construction& construction, double p) noexcept;

// Points where amplify(p).found = p inside (0, 1), ascending: the construction lowers probabilities
// below such a point and raises those above, or vice versa. Accurate to about 1e-15; points that
// are closer than 1/4096 to each other, to 0 or to 1 may be missed. Empty for a construction that
// changes nothing.
[[nodiscard]] std::vector<double> fixed_points(const Construction& construction);

// The p in [0, 1] where the curve is steepest, to about 1e-7.
[[nodiscard]] Steepest steepest_point(const Construction& construction) noexcept;

// The p that is found with probability 1/2.
[[nodiscard]] double half_point(const Construction& construction) noexcept;

// The OR of functions with the smallest sum of errors: missing pairs that a function finds with
// probability p1, and finding pairs that it finds with probability p2. The smallest number of
// functions, from 1 to 65536, if there are ties.
struct BestOr {
  std::uint32_t functions = 1;
  double missed = 1;
  double found = 0;
};
[[nodiscard]] BestOr best_or(double p1, double p2) noexcept;

}  // namespace sosie
