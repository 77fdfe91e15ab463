#pragma once

#include <functional>

#include "corpus/rows/row_names.h"
#include "decide/decisions.h"

namespace sosie {

// The source of a --report page, for items of any kind.
struct ReportSource {
  const Inputs& inputs;
  const Corpus& corpus;
  const Decisions& decisions;
  RowNames& names;
  // The measure's value for a removed row and its survivor.
  std::function<double(RowNumber row, const Decision& decision)> value;
  bool is_similarity = true;

  // True if value `a` means less similar rows than value `b`.
  [[nodiscard]] bool is_weaker(double a, double b) const noexcept {
    return is_similarity ? a < b : a > b;
  }
};

// Calls `visit(row, decision)`, in input order, for every row that was removed because of another
// row. Skips rows without a survivor, which a person has removed through --reuse.
template <class Visit>
void for_each_removed(const ReportSource& source, const Visit& visit) {
  for (RowNumber row = source.corpus.first_own_row; row < source.corpus.rows; ++row) {
    const Decision decision = source.decisions.of(row);
    if (decision.survivor != row && decision.survivor != kNoRowNumber) visit(row, decision);
  }
}

}  // namespace sosie
