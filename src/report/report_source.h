#pragma once

#include <functional>

#include "corpus/row_names.h"
#include "decide/decisions.h"

namespace sosie {

// What a page of --report is made from, whatever its items are.
struct ReportSource {
  const Inputs& inputs;
  const Corpus& corpus;
  const Decisions& decisions;
  RowNames& names;
  // What the measure says of a removed row and its survivor.
  std::function<double(RowId row, const Decision& decision)> value;
  bool is_similarity = true;

  // Whether the first value says of two rows that they are less alike.
  [[nodiscard]] bool is_weaker(double a, double b) const noexcept {
    return is_similarity ? a < b : a > b;
  }
};

// Calls `visit(row, decision)` for every removed row, in input order.
template <class Visit>
void for_each_removed(const ReportSource& source, const Visit& visit) {
  for (RowId row = source.corpus.first_own_row; row < source.corpus.rows; ++row) {
    const Decision decision = source.decisions.of(row);
    if (decision.survivor != row) visit(row, decision);
  }
}

}  // namespace sosie
