#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/rational.h"
#include "data/overlap.h"

namespace sosie {

// A set of 64-bit element hashes, ascending and without duplicates.
using SetView = std::span<const std::uint64_t>;

// A similarity in the exact form used for decisions: above / below, or above / sqrt(below).
struct ExactSimilarity {
  std::uint64_t above;
  std::uint64_t below;
  bool of_root = false;
};

// Parameters after the name of a measure: 1/2 and 2 in "tversky:0.5,2".
using MeasureParameters = std::span<const Rational>;

// Parameters of a set measure as integers; only the measure knows what they mean.
using MeasureWeights = std::array<std::uint64_t, 3>;

// The functions of a set measure. Bounds are exact integers.
struct MeasureFunctions {
  using Weights = const MeasureWeights&;

  // Returns true if the overlap reaches the threshold; for an ordered measure, in at least one
  // direction.
  bool (*reaches)(const Overlap& overlap, const Rational& threshold, Weights weights) noexcept;
  // Returns true if sets of these sizes can reach the threshold (the length filter).
  bool (*sizes_can_reach)(std::uint64_t left, std::uint64_t right, const Rational& threshold,
                          Weights weights) noexcept;
  // The largest |left xor right| that still reaches the threshold for these sizes.
  std::uint64_t (*largest_difference)(std::uint64_t left, std::uint64_t right,
                                      const Rational& threshold, Weights weights) noexcept;
  // The smallest |left and right| that reaches the threshold for these sizes; never decreases as
  // either size grows.
  std::uint64_t (*least_overlap)(std::uint64_t left, std::uint64_t right, const Rational& threshold,
                                 Weights weights) noexcept;
  // The sizes that partners of a set with `size` elements can have: the smallest, and the largest
  // for which `shared` common elements are enough (with shared = size, the largest of all). The
  // latter is at most 2^32 - 1, and 0 if no size is enough.
  std::uint64_t (*smallest_partner)(std::uint64_t size, const Rational& threshold,
                                    Weights weights) noexcept;
  std::uint64_t (*largest_partner)(std::uint64_t size, std::uint64_t shared,
                                   const Rational& threshold, Weights weights) noexcept;
  double (*similarity)(const Overlap& overlap, Weights weights) noexcept;
  ExactSimilarity (*fraction)(const Overlap& overlap, Weights weights) noexcept;
  // Returns true if `a` is strictly more similar than `b`, exactly.
  bool (*is_above)(const Overlap& a, const Overlap& b, Weights weights) noexcept;
  // For an ordered measure, where (left, right) and (right, left) are different pairs: returns true
  // if this pair reaches the threshold. Null for other measures.
  bool (*left_reaches)(const Overlap& overlap, const Rational& threshold,
                       Weights weights) noexcept = nullptr;
};

// Adapts a function of a measure without parameters to the signatures of MeasureFunctions.
template <auto kFunction>
struct WithoutWeights;
template <typename Result, typename... Arguments, Result (*kFunction)(Arguments...) noexcept>
struct WithoutWeights<kFunction> {
  static Result call(Arguments... arguments, const MeasureWeights& /*weights*/) noexcept {
    return kFunction(arguments...);
  }
};
template <auto kFunction>
inline constexpr auto kWithoutWeights = &WithoutWeights<kFunction>::call;

// A set measure with its parameters; bags are sets of numbered occurrences. Created from a row of
// the table of measures (verify/measures.h).
struct Measure {
  std::string_view name = {};      // without parameters
  std::string_view distance = {};  // name of the distance for hash families; empty: none
  // Computes the overlap of two sets.
  Overlap (*overlap)(SetView left, SetView right) noexcept = nullptr;
  MeasureFunctions functions = {};
  MeasureWeights weights = {};
  bool ordered = false;
  bool has_large_terms = false;  // similarities may have terms of 2^31 or more
  bool shows_distance = false;   // the user requested 1 - similarity (--within)

  // Threshold in the form that the measure uses; nullopt if the text is not a valid threshold.
  [[nodiscard]] std::optional<Rational> threshold(std::string_view text) const noexcept {
    return has_large_terms ? parse_fine_rational(text) : parse_rational(text);
  }
  // The value listed with a pair: the similarity or the distance.
  [[nodiscard]] double shown(const Overlap& common) const noexcept {
    if (!shows_distance) return similarity(common);
    const ExactSimilarity s = fraction(common);
    return s.below == 0 ? 0 : static_cast<double>(s.below - s.above) / static_cast<double>(s.below);
  }
  [[nodiscard]] std::string_view shown_name() const noexcept {
    return shows_distance ? "distance" : "similarity";
  }
  [[nodiscard]] bool is_ordered() const noexcept { return ordered; }
  [[nodiscard]] bool reaches(const Overlap& common, const Rational& threshold) const noexcept {
    return functions.reaches(common, threshold, weights);
  }
  [[nodiscard]] bool left_reaches(const Overlap& common, const Rational& threshold) const noexcept {
    return functions.left_reaches(common, threshold, weights);
  }
  [[nodiscard]] bool sizes_can_reach(std::uint64_t left, std::uint64_t right,
                                     const Rational& threshold) const noexcept {
    return functions.sizes_can_reach(left, right, threshold, weights);
  }
  [[nodiscard]] std::uint64_t largest_difference(std::uint64_t left, std::uint64_t right,
                                                 const Rational& threshold) const noexcept {
    return functions.largest_difference(left, right, threshold, weights);
  }
  [[nodiscard]] std::uint64_t least_overlap(std::uint64_t left, std::uint64_t right,
                                            const Rational& threshold) const noexcept {
    return functions.least_overlap(left, right, threshold, weights);
  }
  [[nodiscard]] std::uint64_t smallest_partner(std::uint64_t size,
                                               const Rational& threshold) const noexcept {
    return functions.smallest_partner(size, threshold, weights);
  }
  [[nodiscard]] std::uint64_t largest_partner(std::uint64_t size, std::uint64_t shared,
                                              const Rational& threshold) const noexcept {
    return functions.largest_partner(size, shared, threshold, weights);
  }
  [[nodiscard]] double similarity(const Overlap& common) const noexcept {
    return functions.similarity(common, weights);
  }
  [[nodiscard]] ExactSimilarity fraction(const Overlap& common) const noexcept {
    return functions.fraction(common, weights);
  }
  [[nodiscard]] bool is_above(const Overlap& a, const Overlap& b) const noexcept {
    return functions.is_above(a, b, weights);
  }
};

}  // namespace sosie
