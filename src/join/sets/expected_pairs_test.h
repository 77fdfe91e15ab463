#pragma once

#include <tuple>
#include <vector>

#include "join/sets/set_run_test.h"

// The similar rows of runs on texts for tests, computed from the definition.
namespace sosie {

// Rows of the corpus: OTHER's, then the run's.
struct Rows {
  explicit Rows(const TestTexts& texts)
      : others(static_cast<RowId>(texts.against.size())), of_row(texts.against) {
    of_row.insert(of_row.end(), texts.own.begin(), texts.own.end());
  }
  RowId others;
  std::vector<std::string> of_row;
};

using Listed = std::vector<std::tuple<RowId, RowId, std::uint32_t, std::uint32_t>>;

// Equal sets count as 1 of 1, as in the pairs that runs report for equal texts.
inline void add_pair(RowId left, RowId right, const Overlap& overlap, Listed& pairs) {
  const bool equal = overlap.shared == overlap.united;
  pairs.emplace_back(left, right, equal ? 1 : overlap.shared, equal ? 1 : overlap.united);
}

inline Listed listed(const RowPairCollector& rows) {
  Listed pairs;
  rows.for_each([&](std::span<const RowPair> some) {
    for (const RowPair& pair : some) {
      add_pair(pair.left, pair.right, pair.overlap, pairs);
    }
    return true;
  });
  return pairs;
}

// Pairs of rows, computed from the definition and sorted by (left, right). With OTHER, the left
// rows are the run's own.
inline Listed expected_pairs(const TestTexts& texts, const Measure& measure,
                             const Rational& threshold) {
  const Rows rows(texts);
  const auto all = static_cast<RowId>(rows.of_row.size());
  Listed pairs;
  for (RowId left = rows.others; left < all; ++left) {
    const bool ordered = measure.is_ordered();
    const RowId begin = rows.others > 0 || ordered ? 0 : left + 1;
    for (RowId right = begin; right < (rows.others > 0 ? rows.others : all); ++right) {
      const std::string& a = rows.of_row[left];
      const std::string& b = rows.of_row[right];
      if (left == right || a.empty() || b.empty()) continue;
      const Overlap overlap = overlap_of(a, b);
      const bool reaches =
          ordered ? measure.left_reaches(overlap, threshold) : measure.reaches(overlap, threshold);
      if (reaches) add_pair(left, right, overlap, pairs);
    }
  }
  return pairs;
}

}  // namespace sosie
