#pragma once

#include <vector>

#include "data/clusters.h"
#include "data/run_summary.h"
#include "pipeline/identical.h"

namespace sosie {

// What became of one row.
struct Decision {
  RowId survivor = kNoRow;  // the row itself when it is kept
  Overlap overlap{1, 1};    // with the survivor
  bool identical = false;   // removed as the same normalised text as the survivor
};

// Clusters of items, said of rows.
class Decisions {
 public:
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items, Clusters clusters);

  [[nodiscard]] Decision of(RowId row) const;
  // Whether the row is written; rows that were bad and left out are not.
  [[nodiscard]] bool is_kept(RowId row) const;
  // Rows of the group that this row survives for, itself included; 0 for removed rows.
  [[nodiscard]] std::uint64_t group_rows(RowId survivor) const { return group_rows_[survivor]; }

  // Fills in what was kept and removed, per input and in all, and how many groups there are.
  void count(RunSummary& summary) const;

  // The survivor of the largest group of two rows or more; kNoRow when there is none.
  [[nodiscard]] RowId largest_group() const;

 private:
  const Inputs& inputs_;
  const Corpus& corpus_;
  const Items& items_;
  Clusters clusters_;
  std::vector<std::uint32_t> group_rows_;
};

}  // namespace sosie
