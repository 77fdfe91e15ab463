#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/hash_family.h"
#include "plan/candidate_probability.h"

// Amplification of a locality-sensitive family as an algebra (MMDS 3.6.3): AND- and
// OR-constructions in any order. Does not use libm, see banding_plan.h.
namespace sosie {

// Parses "and:4,or:4", with counts from 1 to 65536 and at most 2^32 functions in all; nullopt for
// any other text.
[[nodiscard]] std::optional<Construction> parse_construction(std::string_view text);
[[nodiscard]] std::string construction_text(const Construction& construction);

// b bands of r rows: AND of r, then OR of b.
[[nodiscard]] Construction banding_construction(int bands, int rows);
// Bands with this number of rows, each an AND of the family's functions, and the cascade built from
// the bands.
struct BandShape {
  int bands = 1;
  int rows = 1;
  Construction over = {};  // cascade of `bands` bands; empty: their OR

  [[nodiscard]] bool is_banding() const noexcept { return over.empty(); }
  friend bool operator==(const BandShape&, const BandShape&) = default;
};
// Converts any construction to bands: "and:2,or:3,and:4" has 12 bands of 2 rows, and its cascade is
// an AND of four ORs of three bands. Consecutive steps of the same kind are merged, and steps with
// a single function are dropped.
[[nodiscard]] BandShape as_bands(const Construction& construction);
// The equivalent banding if the construction has the form and:ROWS,or:BANDS; otherwise nullopt.
[[nodiscard]] std::optional<BandShape> as_banding(const Construction& construction);
// Construction over the bands of a shape.
[[nodiscard]] Construction over_bands(const BandShape& shape);
// Construction over the family's functions.
[[nodiscard]] Construction construction_of(const BandShape& shape);

// Number of bands whose buckets must be searched by a join of this shape: all, except that one
// branch of each AND is enough.
[[nodiscard]] std::uint64_t bucketed_bands(const BandShape& shape) noexcept;

// Number of the family's functions that one function of the construction needs.
[[nodiscard]] std::uint64_t function_count(const Construction& construction) noexcept;

// Probability that the construction puts a pair into the same bucket if a single function does so
// with probability p, and the complement of this probability, which keeps its digits after an OR.
struct Amplified {
  double found;
  double missed;
};
[[nodiscard]] Amplified amplify(const Construction& construction, double p) noexcept;

// The derivative of amplify(p).found with respect to p.
[[nodiscard]] double amplified_slope(const Construction& construction, double p) noexcept;

// The points inside (0, 1) at which amplify(p).found = p, ascending. The construction lowers
// probabilities below such a point and raises those above it, or vice versa. Accurate to about
// 1e-15; points closer than 1/4096 to each other, to 0 or to 1 may be missed. Empty for a
// construction that changes nothing.
[[nodiscard]] std::vector<double> fixed_points(const Construction& construction);

// The p in [0, 1] at which the curve is steepest, accurate to about 1e-7.
[[nodiscard]] Steepest steepest_point(const Construction& construction) noexcept;

// The p at which the probability of being found is 1/2.
[[nodiscard]] double half_point(const Construction& construction) noexcept;

// The OR of functions that minimises the sum of two errors: missing pairs that a function finds
// with probability p1, and finding pairs that it finds with probability p2. Ties: the smallest
// number of functions, from 1 to 65536.
struct BestOr {
  std::uint32_t functions = 1;
  double missed = 1;
  double found = 0;
};
[[nodiscard]] BestOr best_or(double p1, double p2) noexcept;

}  // namespace sosie
