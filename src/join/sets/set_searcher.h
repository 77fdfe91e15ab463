#pragma once

#include <optional>
#include <vector>

#include "candidates/set_lookup.h"
#include "corpus/corpus.h"
#include "data/run_summary.h"
#include "join/sets/indexed_sets.h"
#include "join/sets/method_choice.h"
#include "sosie/join.h"

namespace sosie {

// Rows that are read and indexed once, in memory, so that other rows can be looked up as they
// arrive. The method depends on these rows alone: either prefixes, which find every similar row, or
// banding.
class SetSearcher {
 public:
  struct Finder {
    SetLookup::Finder by_prefixes;
    IndexedSets::Finder by_bands;
  };

  // `options`: the rows are their inputs. Throws Error{limit_exceeded} if the rows do not fit in
  // the memory, and as open_inputs(), scan() and check_unique_ids() do.
  SetSearcher(const Options& options, const Settings& settings, Scratch& scratch, ThreadPool& pool,
              const RunHooks& hooks);

  // Finds the `most` rows (0: all) most similar to a set, as their numbers, best first (ties: in
  // input order). The set needs keys and a filter if choice() is a banding. Thread-safe.
  void find(const SketchedSet& set, std::uint64_t most, Finder& finder,
            std::vector<SimilarSet>& out) const;

  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Corpus& corpus() const noexcept { return corpus_; }
  [[nodiscard]] const MethodChoice& choice() const noexcept { return choice_; }

 private:
  void scan_rows(std::uint64_t most_elements, Scratch& scratch, ThreadPool& pool,
                 const RunHooks& hooks);
  void read(const Options& options, Scratch& scratch, ThreadPool& pool, const RunHooks& hooks);
  void check_memory() const;
  void index_bands();
  void index_prefixes();

  const Settings& settings_;
  Inputs inputs_;
  MethodChoice choice_;
  Corpus corpus_;
  std::optional<SetLookup> by_prefixes_;
  std::optional<IndexedSets> by_bands_;
};

}  // namespace sosie
