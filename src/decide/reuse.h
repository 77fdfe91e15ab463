#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/table_file.h"
#include "decide/decisions.h"
#include "decide/pair_file.h"
#include "decide/ranked_star.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"

namespace sosie {

// Run that a reused file is about, of any kind. `items` and `corpus` are filled in when the file is
// read, not yet when it is opened.
struct ReuseSource {
  const Options& options;
  const Settings& settings;
  const RunHooks& hooks;
  Scratch& scratch;
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
};

// The file of --reuse: what an earlier run found, so that nothing is compared again. A pairs file
// (left, right, similarity or distance) stands for the verified pairs of this run; a clusters file
// (id, cluster_id, kept), perhaps edited by a person, for its decisions, and so do groups of link.
class ReusedFile {
 public:
  // Opens the file and looks at its columns. Throws as TableFile does; Error{malformed_input} when
  // it is neither; Error{invalid_option} when it was made with other options.
  explicit ReusedFile(const ReuseSource& run);

  // Throws like File::require_unchanged().
  void require_unchanged() const { file_.require_unchanged(); }

  [[nodiscard]] bool holds_pairs() const noexcept { return holds_pairs_; }

  // Calls each(left item, right item, what the file tells) for the pairs of two items within
  // `bound`, left < right, in the file's order. Throws Error{malformed_input} naming file and line
  // for a row there is not.
  using EachListed = std::function<void(Place left, Place right, const PairFile& file)>;
  void for_each_pair(const std::optional<PairBound>& bound, const EachListed& each);
  // Tells people what a file of pairs lacks, or does not say.
  void tell_of_note() const;

  // A removed row and its survivor, and what the measure says of each of some.
  struct Removal {
    RowId row;
    RowId survivor;
  };
  using ScoreRemovals = std::function<std::vector<Score>(std::span<const Removal> removals)>;

  // Decisions of the file about the rows it lists; all others are kept. A removed row's survivor is
  // the kept row of its cluster that cluster_id names, else the best-ranked one; there may be none.
  // Throws as for_each_pair() does, and for a row listed twice.
  [[nodiscard]] std::vector<RowDecision> decisions(const ScoreRemovals& score);

 private:
  // Tells people how many clusters of the file keep no row. `survivors`: by cluster.
  void tell_of_unkept(std::span<const RowId> survivors) const;

  ReuseSource run_;
  TableFile file_;
  TableReader& table_;
  bool holds_pairs_ = false;
};

// The file that options.reuse names; null when it names none. Throws as ReusedFile does, and
// Error{invalid_option} for options that need what a reused file cannot tell.
[[nodiscard]] std::unique_ptr<ReusedFile> open_reused(const ReuseSource& run);

// The pairs of sets whose similarity reaches the threshold, by left, then right item. Throws
// Error{malformed_input} for two similarities of one pair.
[[nodiscard]] std::unique_ptr<SortedRecords<VerifiedPair>> reused_pairs_of_sets(
    const ReuseSource& run, ReusedFile& file);

// Groups of items that lie in memory, as --clustering says, by the pairs of a file: `measure` gives
// the value of those that reach the bound, `value` of any. Throws Error{malformed_input} for a pair
// whose value the file does not tell.
struct ReusedMeasures {
  std::function<double(Place left, Place right)> value;
  std::function<std::optional<double>(Place left, Place right)> measure;
};
[[nodiscard]] RankedClusters reused_clusters_of_items(const ReuseSource& run, ReusedFile& file,
                                                      const ReusedMeasures& measures,
                                                      const ThreadPool& pool);

}  // namespace sosie
