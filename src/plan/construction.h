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

// "and:4,or:4": counts from 1 to 65536, at most 2^32 functions in all; nothing for any other text.
[[nodiscard]] std::optional<Construction> parse_construction(std::string_view text);
[[nodiscard]] std::string construction_text(const Construction& construction);

// b bands of r rows: AND of r, then OR of b.
[[nodiscard]] Construction banding_construction(int bands, int rows);
// Bands of so many rows, each an AND of the family's functions, and what is made of them.
struct BandShape {
  int bands = 1;
  int rows = 1;
  Construction over = {};  // cascade of `bands` bands; none: their OR

  [[nodiscard]] bool is_banding() const noexcept { return over.empty(); }
  friend bool operator==(const BandShape&, const BandShape&) = default;
};
// Any construction as bands: "and:2,or:3,and:4" has 12 bands of 2 rows, of which the OR of three
// and the AND of four such are made. Steps of one kind that follow each other become one, steps of
// one function go.
[[nodiscard]] BandShape as_bands(const Construction& construction);
// Banding that a construction of the form and:ROWS,or:BANDS is; nothing if it is no such.
[[nodiscard]] std::optional<BandShape> as_banding(const Construction& construction);
// Construction that is made of the bands of a shape.
[[nodiscard]] Construction over_bands(const BandShape& shape);
// Construction that is made of the family's functions.
[[nodiscard]] Construction construction_of(const BandShape& shape);

// Bands in whose buckets a join of the shape has to look: all, but of each AND one branch.
[[nodiscard]] std::uint64_t bucketed_bands(const BandShape& shape) noexcept;

// Functions of the family that one function of the construction needs.
[[nodiscard]] std::uint64_t function_count(const Construction& construction) noexcept;

// Probability that the construction puts a pair into one bucket that one function puts into one
// with probability p, and the rest to 1 (which keeps its digits behind an OR).
struct Amplified {
  double found;
  double missed;
};
[[nodiscard]] Amplified amplify(const Construction& construction, double p) noexcept;

// d amplify(p).found / dp.
[[nodiscard]] double amplified_slope(const Construction& construction, double p) noexcept;

// Where amplify(p).found = p inside (0, 1), ascending: the construction lowers probabilities below
// such a point and raises those above, or the other way round. To about 1e-15; points nearer to
// each other, or to 0 and 1, than 1/4096 may be missed. Empty for a construction that changes
// nothing.
[[nodiscard]] std::vector<double> fixed_points(const Construction& construction);

// The p in [0, 1] where the curve is steepest, to about 1e-7.
[[nodiscard]] Steepest steepest_point(const Construction& construction) noexcept;

// The p that is found with probability 1/2.
[[nodiscard]] double half_point(const Construction& construction) noexcept;

// The OR of functions whose errors are least in sum: pairs that one function finds with probability
// p1, missed, and pairs that it finds with p2, found. Of 1 to 65536 functions the fewest.
struct BestOr {
  std::uint32_t functions = 1;
  double missed = 1;
  double found = 0;
};
[[nodiscard]] BestOr best_or(double p1, double p2) noexcept;

}  // namespace sosie
