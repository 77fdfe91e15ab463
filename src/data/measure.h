#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/rational.h"
#include "data/overlap.h"

namespace sosie {

// A set without repetitions: ascending 64-bit element hashes.
using SetView = std::span<const std::uint64_t>;

// A similarity as it is decided: above / below, or above / sqrt(below).
struct ExactSimilarity {
  std::uint64_t above;
  std::uint64_t below;
  bool of_root = false;
};

// A row of the table of measures (verify/measures.cc). Bounds are exact integers.
struct Measure {
  std::string_view name;
  std::string_view distance;  // what hash families call it: bags are sets of occurrences
  std::string_view source;
  // The overlap of two sets, computed from the sets.
  Overlap (*overlap)(SetView left, SetView right) noexcept;
  // Whether the overlap reaches the threshold; for an ordered measure: one way round or the other.
  bool (*reaches)(const Overlap& overlap, const Rational& threshold) noexcept;
  // Whether sets of these sizes can reach the threshold at all (the length filter).
  bool (*sizes_can_reach)(std::uint64_t left, std::uint64_t right,
                          const Rational& threshold) noexcept;
  // The greatest |left xor right| that still reaches the threshold for these sizes.
  std::uint64_t (*largest_difference)(std::uint64_t left, std::uint64_t right,
                                      const Rational& threshold) noexcept;
  // The least |left and right| that reaches the threshold for these sizes; not falling in either.
  std::uint64_t (*least_overlap)(std::uint64_t left, std::uint64_t right,
                                 const Rational& threshold) noexcept;
  // The sizes that partners of a set of `size` elements can have: the least, and the greatest for
  // which `shared` common elements are enough (of all sizes: with shared = size). The latter is at
  // most 2^32 - 1 and 0 when no size will do.
  std::uint64_t (*smallest_partner)(std::uint64_t size, const Rational& threshold) noexcept;
  std::uint64_t (*largest_partner)(std::uint64_t size, std::uint64_t shared,
                                   const Rational& threshold) noexcept;
  double (*similarity)(const Overlap& overlap) noexcept;
  ExactSimilarity (*fraction)(const Overlap& overlap) noexcept;
  // Whether `a` is strictly more similar than `b`, exactly.
  bool (*is_above)(const Overlap& a, const Overlap& b) noexcept;
  // Of an ordered measure, where (left, right) and (right, left) are two pairs: whether this one
  // reaches the threshold. Null for all others.
  bool (*left_reaches)(const Overlap& overlap, const Rational& threshold) noexcept = nullptr;

  [[nodiscard]] bool is_ordered() const noexcept { return left_reaches != nullptr; }
};

}  // namespace sosie
