#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/s_curve.h"

// Amplification of a locality-sensitive family as an algebra (MMDS 3.6.3): AND- and
// OR-constructions in any order. No libm, see banding_plan.h.
namespace sosie {

// One construction: `count` functions of what stands before it become one.
struct ConstructionStep {
  enum class Kind : std::uint8_t { all_agree, any_agrees } kind = Kind::all_agree;  // AND, OR
  std::uint32_t count = 1;
  friend bool operator==(const ConstructionStep&, const ConstructionStep&) = default;
};

// Applied from left to right; none leaves the family as it is.
using Construction = std::vector<ConstructionStep>;

// "and:4,or:4": counts from 1 to 65536, at most 2^32 functions in all; nothing for any other text.
[[nodiscard]] std::optional<Construction> parse_construction(std::string_view text);
[[nodiscard]] std::string construction_text(const Construction& construction);

// b bands of r rows: AND of r, then OR of b.
[[nodiscard]] Construction banding_construction(int bands, int rows);
// Banding that a construction amounts to; nothing if it is no banding.
struct BandShape {
  int bands;
  int rows;
};
[[nodiscard]] std::optional<BandShape> as_banding(const Construction& construction);

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

}  // namespace sosie
