#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "corpus/identical.h"
#include "data/clusters.h"
#include "data/run_summary.h"
#include "data/score.h"

namespace sosie {

// Decision about one row.
struct Decision {
  RowId survivor = kNoRow;  // the row itself when it is kept; kNoRow: removed by a person's word
  Score score = {};  // score of this row (left) and its survivor, if that is another row and not
                     // identical
  bool identical = false;  // removed as the same item (of texts: normalised) as the survivor

  // True if the two are the same item.
  [[nodiscard]] bool is_same(RowId row) const noexcept { return identical || survivor == row; }
};

class SpilledDecisions;

// Decisions about every row. Rows of --against are neither kept nor removed. Not thread-safe.
class Decisions {
 public:
  // Says of rows what is known of items: the survivor of each place, and what the two have in
  // common.
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
            const Clusters& clusters);
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
            std::span<const Place> survivors, const std::function<Score(Place)>& score_of);
  // `of_row`: one decision per row.
  Decisions(const Inputs& inputs, const Corpus& corpus, std::vector<Decision> of_row);

  // `spilled`: of rows in scratch.
  Decisions(const Inputs& inputs, const Corpus& corpus, std::unique_ptr<SpilledDecisions> spilled);
  ~Decisions();
  Decisions(Decisions&&) noexcept;
  Decisions& operator=(Decisions&&) = delete;

  [[nodiscard]] Decision of(RowId row) const;
  // True if the row is left out as a duplicate.
  [[nodiscard]] bool is_removed(RowId row) const;
  // Rows of the group that this row survives for, itself included; 0 for removed rows.
  [[nodiscard]] std::uint64_t group_rows(RowId survivor) const;

  // Fills in what was kept and removed, per input and in all, and how many groups there are.
  void count(RunSummary& summary) const;

  // The survivor of the largest group of two rows or more; kNoRow when there is none.
  [[nodiscard]] RowId largest_group() const;

 private:
  const Inputs& inputs_;
  const Corpus& corpus_;
  std::vector<Decision> of_row_;
  std::vector<std::uint32_t> group_rows_;
  std::unique_ptr<SpilledDecisions> spilled_;  // in place of both, of rows in scratch
};

}  // namespace sosie
