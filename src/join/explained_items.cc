// Differences of two vectors, or of two bit strings, as lines for people.
#include "join/explained_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr std::size_t kComponents = 5;  // that differ most
constexpr std::size_t kPositions = 16;  // positions of differing bits that are shown

double length_of(std::span<const double> vector) {
  double square = 0;
  for (const double x : vector) square += x * x;
  return std::sqrt(square);
}

std::vector<ExplainedLine> differing_components(std::span<const double> left,
                                                std::span<const double> right) {
  std::vector<std::size_t> order(left.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto apart = [&](std::size_t i) { return std::abs(left[i] - right[i]); };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(kComponents, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return apart(a) != apart(b) ? apart(a) > apart(b) : a < b;
  });
  std::vector<ExplainedLine> lines;
  for (auto i = order.begin(); i != end && apart(*i) > 0; ++i) {
    lines.push_back({lines.empty() ? "differ most" : "",
                     fmt::format("component {}: {:.6g} and {:.6g}", *i, left[*i], right[*i])});
  }
  return lines;
}

}  // namespace

std::vector<std::string> explained_components(std::span<const double> vector) {
  std::vector<std::string> parts;
  parts.reserve(vector.size());
  for (const double x : vector) parts.push_back(fmt::format("{}", x));
  return parts;
}

std::vector<std::string> explained_positions(const BitColumn& column, std::size_t row) {
  std::vector<std::string> parts;
  for (std::size_t word = 0; word < column.words; ++word) {
    for (std::uint64_t bits = column.row(row)[word]; bits != 0; bits &= bits - 1) {
      parts.push_back(std::to_string(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
  return parts;
}

std::vector<ExplainedLine> explained_vectors(std::span<const double> left,
                                             std::span<const double> right) {
  const double left_length = length_of(left);
  const double right_length = length_of(right);
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    product += left[i] * right[i];
    square += (left[i] - right[i]) * (left[i] - right[i]);
  }
  std::vector<ExplainedLine> lines;
  if (left_length > 0 && right_length > 0) {
    const double cosine = std::clamp(product / left_length / right_length, -1.0, 1.0);
    lines.push_back({"angle", fmt::format("{:.6f} degrees, cosine {:.6f}",
                                          arc_cosine_degrees(cosine), cosine)});
  }
  lines.push_back({"apart", fmt::format("{:.6g} (euclidean)", std::sqrt(square))});
  lines.push_back({"lengths", fmt::format("{:.6g} and {:.6g}", left_length, right_length)});
  const auto most = differing_components(left, right);
  lines.insert(lines.end(), most.begin(), most.end());
  return lines;
}

std::vector<ExplainedLine> explained_bits(const BitColumn& column, std::size_t left,
                                          std::size_t right) {
  std::size_t different = 0;
  std::size_t both = 0;
  std::vector<std::size_t> positions;
  for (std::size_t word = 0; word < column.words; ++word) {
    const std::uint64_t a = column.row(left)[word];
    const std::uint64_t b = column.row(right)[word];
    both += static_cast<std::size_t>(std::popcount(a & b));
    different += static_cast<std::size_t>(std::popcount(a ^ b));
    for (std::uint64_t bits = a ^ b; bits != 0 && positions.size() < kPositions; bits &= bits - 1) {
      positions.push_back(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
  std::vector<ExplainedLine> lines = {
      {"differ", fmt::format("{} of {} bits; {} are set in both", different, column.bits, both)}};
  if (different > 0) {
    lines.push_back({"at", fmt::format("{}{}", fmt::join(positions, ", "),
                                       different > positions.size() ? ", ..." : "")});
  }
  return lines;
}

}  // namespace sosie
