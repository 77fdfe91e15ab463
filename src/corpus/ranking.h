#pragma once

#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// Value of a row for a rule of --keep, in a form that compares.
[[nodiscard]] RankValue rank_value_of(const FieldValue& value);

// All rows that can match (state normal), best rank first: rows of --against in input order, then
// the run's own by the rules of --keep in turn, missing values behind all others, ties in input
// order.
[[nodiscard]] std::vector<RowId> rank_rows(const Corpus& corpus, const Settings& settings);

// True if one of the run's own rows ranks before another by the rules of --keep.
[[nodiscard]] bool ranks_before(const Corpus& corpus, const Settings& settings, RowId left,
                                RowId right);

}  // namespace sosie
