// Bounds on edit distances, decided in integers.
#include "verify/edit_bound.h"

#include <algorithm>

namespace sosie {
namespace {

// Denominator of the similarity of strings of these lengths.
std::uint64_t whole_of(EditMeasure measure, std::uint32_t left, std::uint32_t right) noexcept {
  return measure == EditMeasure::indel ? std::uint64_t{left} + right : std::max(left, right);
}

// Largest d with 1 - d / whole >= threshold, in integers.
std::uint32_t edits_of(std::uint64_t whole, const Rational& threshold) noexcept {
  if (threshold.num >= threshold.den) return 0;
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(whole) *
                                    (threshold.den - threshold.num) / threshold.den);
}

}  // namespace

std::uint32_t EditBound::most_edits(std::uint32_t left, std::uint32_t right) const noexcept {
  return by_similarity ? edits_of(whole_of(measure, left, right), threshold) : within;
}

double EditBound::value(std::uint32_t left, std::uint32_t right,
                        std::uint32_t distance) const noexcept {
  if (!by_similarity) return distance;
  const std::uint64_t whole = whole_of(measure, left, right);
  return whole == 0 ? 1 : static_cast<double>(whole - distance) / static_cast<double>(whole);
}

}  // namespace sosie
