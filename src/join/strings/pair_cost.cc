// Predicts the cost of comparing pairs of strings from their lengths and the allowed edits.
#include "join/strings/pair_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "join/strings/string_levels.h"
#include "verify/distance_by_diagonals.h"
#include "verify/distance_in_band.h"

namespace sosie {
namespace {

// Measured constants (see plan/banding_cost.cc).
constexpr double kRejectedNs = 4;  // a pair that signatures tell apart
constexpr double kEqualSymbolNs = 0.3;
constexpr double kNarrowColumnNs = 2.6;  // a column of a band of one word
constexpr double kWideColumnNs = 4.8;    // and of two, which are tried behind one
constexpr double kWordNs = 1.7;          // a word of a column
constexpr double kStripColumnNs = 11;
constexpr double kCellNs = 2;          // a cell of the table of damerau
constexpr double kShareOfIndel = 0.5;  // part of words and strips that subsequences cost
constexpr double kFoundNs = 130;       // to sort and write a pair
constexpr double kMostSpentNs = 3e7;   // to measure pairs for the sake of the prediction

constexpr double kWordRows = 64;
constexpr double kStripRows = 256;     // verify/edit_pattern.cc
constexpr double kEditsASymbol = 0.8;  // between unrelated texts
constexpr double kReadBehindEdits = 16;

}  // namespace

double measure_ns(EditMeasure measure, std::uint32_t left, std::uint32_t right, std::uint32_t most,
                  bool are_near) noexcept {
  const double rows = std::min(left, right);
  const double columns = std::max(left, right);
  if (measure == EditMeasure::damerau) {
    return kCellNs * columns * std::min(rows, 2.0 * most + 1);
  }
  const bool is_indel = measure == EditMeasure::indel;
  const auto told = [&](double edits) {
    return std::min(columns, edits / kEditsASymbol + kReadBehindEdits);
  };
  const double read = are_near || is_indel ? columns : told(most);
  if (most <= kMostDiagonalEdits) return are_near ? columns * kEqualSymbolNs : 3.0 * most * most;
  const double words = std::ceil(rows / kWordRows);
  constexpr std::uint32_t kNarrow = most_edits_of_band(1);
  if (most <= kMostBandEdits && rows > (most <= kNarrow ? 1 : 2) * kWordRows) {
    if (are_near) return columns * kNarrowColumnNs;
    return told(std::min(most, kNarrow)) * kNarrowColumnNs +
           (most > kNarrow ? told(most) * kWideColumnNs : 0);
  }
  const double share = is_indel ? kShareOfIndel : 1;
  if (rows <= kStripRows) return share * columns * (1 + words) * kWordNs;
  const double strips = std::ceil(std::min(rows, read) / kStripRows);
  return share * strips * std::min(columns, kStripRows + most) * kStripColumnNs;
}

PairCost::PairCost(const OrderedStrings& strings, const EditBound& bound, double pair_ns)
    : strings_(strings),
      bound_(bound),
      pattern_(bound.measure, strings.column.alphabet),
      pair_ns_(pair_ns) {}

void PairCost::add(std::uint32_t item, std::uint32_t other) {
  if (has_enough()) return;
  ++pairs_;
  sum_ns_ += kRejectedNs;
  const std::uint32_t x = strings_.column.length(item);
  const std::uint32_t y = strings_.column.length(other);
  const std::uint32_t most = bound_.most_edits(x, y);
  const std::uint32_t longer_by = std::max(x, y) - std::min(x, y);
  const auto bits = static_cast<std::uint32_t>(
      std::popcount(strings_.signatures[item] ^ strings_.signatures[other]));
  if (longer_by > most || bits > most_bits(bound_.measure, most, longer_by)) return;
  ++compared_;
  const double whole_ns = measure_ns(bound_.measure, x, y, most, /*are_near=*/true);
  bool are_near = false;
  if (spent_ns_ + whole_ns <= kMostSpentNs) {
    spent_ns_ += whole_ns;
    pattern_.set(strings_.column.row(item));
    are_near = pattern_.distance(strings_.column.row(other), most) <= most;
  }
  if (are_near) ++found_;
  sum_ns_ += pair_ns_ + (are_near ? whole_ns + kFoundNs
                                  : measure_ns(bound_.measure, x, y, most, /*are_near=*/false));
}

}  // namespace sosie
