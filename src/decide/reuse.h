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

// The run, of any kind, to which a reused file refers. `items` and `corpus` are filled in when the
// file is read, but may still be empty when it is opened.
struct ReuseSource {
  const Options& options;
  const Settings& settings;
  const RunHooks& hooks;
  Scratch& scratch;
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
};

// The file of --reuse: results of an earlier run, so that nothing has to be compared again. A pairs
// file (left, right, similarity or distance) replaces the verified pairs of this run. A clusters
// file (id, cluster_id, kept), possibly edited by a person, replaces its decisions; so do groups
// made by link.
class ReusedFile {
 public:
  // Opens the file and checks its columns. Throws as TableFile does; also throws
  // Error{malformed_input} if it is neither kind of file, and Error{invalid_option} if it was made
  // with other options.
  explicit ReusedFile(const ReuseSource& run);

  // Throws as File::require_unchanged() does.
  void require_unchanged() const { file_.require_unchanged(); }

  [[nodiscard]] bool holds_pairs() const noexcept { return holds_pairs_; }

  // Calls each(left item, right item, file), in the order of the file, for every pair of items
  // within `bound`, left < right. Throws Error{malformed_input}, with file and line, if the file
  // names a row that does not exist.
  using EachListed = std::function<void(Place left, Place right, const PairFile& file)>;
  void for_each_pair(const std::optional<PairBound>& bound, const EachListed& each);
  // Informs the user of pairs that the file is known to lack, and of facts missing from its note.
  void tell_of_note() const;

  // A removed row and its survivor, and the function that computes the scores of such pairs.
  struct Removal {
    RowId row;
    RowId survivor;
  };
  using ScoreRemovals = std::function<std::vector<Score>(std::span<const Removal> removals)>;

  // The file's decisions on the rows that it lists; all other rows are kept. The survivor of a
  // removed row is the kept row in its cluster that cluster_id names, otherwise the best-ranked
  // kept row; there may be none. Throws as for_each_pair() does, and for a row that is listed
  // twice.
  [[nodiscard]] std::vector<RowDecision> decisions(const ScoreRemovals& score);

 private:
  // Informs the user of the number of clusters in the file that keep no row. `survivors`: by
  // cluster.
  void tell_of_unkept(std::span<const RowId> survivors) const;

  ReuseSource run_;
  TableFile file_;
  TableReader& table_;
  bool holds_pairs_ = false;
};

// Opens the file that options.reuse names; null if there is none. Throws as ReusedFile does, and
// throws Error{invalid_option} for options that need information missing from a reused file.
[[nodiscard]] std::unique_ptr<ReusedFile> open_reused(const ReuseSource& run);

// The pairs of sets whose similarity reaches the threshold, sorted by left, then right item. Throws
// Error{malformed_input} if a pair has two similarities.
[[nodiscard]] std::unique_ptr<SortedRecords<VerifiedPair>> reused_pairs_of_sets(
    const ReuseSource& run, ReusedFile& file);

// Groups items in memory as --clustering specifies, using the pairs in a file. `measure` gives the
// value of a pair that reaches the bound, `value` that of any pair. Throws Error{malformed_input}
// for a pair whose value is not in the file.
struct ReusedMeasures {
  std::function<double(Place left, Place right)> value;
  std::function<std::optional<double>(Place left, Place right)> measure;
};
[[nodiscard]] RankedClusters reused_clusters_of_items(const ReuseSource& run, ReusedFile& file,
                                                      const ReusedMeasures& measures,
                                                      const ThreadPool& pool);

}  // namespace sosie
