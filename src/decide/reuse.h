#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/table_file.h"
#include "decide/decisions.h"
#include "join/run.h"

namespace sosie {

// The file of --reuse: what an earlier run found, so that nothing is compared again. A pairs file
// (left, right, similarity) stands for the verified pairs of this run; a clusters file (id,
// cluster_id, kept), perhaps edited by a person, for its decisions.
class ReusedFile {
 public:
  // Opens the file and looks at its columns. Throws as TableFile does; Error{malformed_input} when
  // it is neither.
  explicit ReusedFile(const Run& run);

  // Throws like File::require_unchanged().
  void require_unchanged() const { file_.require_unchanged(); }

  [[nodiscard]] bool holds_pairs() const noexcept { return holds_pairs_; }

  // The pairs of items whose similarity reaches the threshold, by left, then right item; of
  // repeated ones the file's order is kept. Throws Error{malformed_input} naming file and line for
  // a row there is not, and for two similarities of one pair.
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> pairs(const Run& run);

  // Decisions of the file about the rows it lists; all others are kept. A removed row's survivor is
  // the kept row of its cluster that cluster_id names, else the best-ranked one; there may be none.
  // Similarities are counted from the texts. Throws as pairs() does, and for a row listed twice.
  [[nodiscard]] std::vector<Decision> decisions(Run& run);

 private:
  TableFile file_;
  TableReader& table_;
  bool holds_pairs_ = false;
};

// The file that options.reuse names; null when it names none. Throws as ReusedFile does, and
// Error{invalid_option} for options that need what a reused file cannot tell.
[[nodiscard]] std::unique_ptr<ReusedFile> open_reused(const Run& run);

}  // namespace sosie
