#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/rows/row_names.h"
#include "data/run_summary.h"
#include "io/output_file.h"
#include "io/record_file.h"
#include "join/pair_selection.h"
#include "join/scored_pairs.h"
#include "options/bounds.h"
#include "options/settings.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// The columns left, right, similarity (or the value's other name), then left_FIELD and right_FIELD
// for each field to show. If the fields include a text, the last column of each side is the text as
// it was compared.
[[nodiscard]] std::vector<std::string> pair_columns(const std::vector<std::string>& show,
                                                    std::string_view value_name);

// With --exclude-self, pairs of a row with itself are not written. The search for pairs must
// therefore list one more pair for each left row, and must not limit the total.
struct OwnPairs {
  PairSelection wanted;  // limits on the other pairs; no top_pairs
  const BoundFacts& facts;
  Scratch& scratch;
};

// The sources of the columns in a table of pairs.
struct PairFields {
  BoundFacts facts;
  std::vector<std::string> show = {};
  // The last column to show; called concurrently by many threads. Empty: no such column.
  std::function<std::string(RowNumber row)> compared = {};
  // The row of the corpus to which a row number in a pair refers; if empty, the two are the same.
  std::function<RowNumber(RowId row)> row_of = {};
};

// Writes pairs in blocks, for which it looks up the names together. Does not commit.
class PairWriter {
 public:
  // `out` and `found` (pairs for the caller) may be null. All arguments must outlive this object.
  PairWriter(const Inputs& inputs, const Corpus& corpus, const PairFields& fields, ThreadPool& pool,
             TableWriter* out, RowPairs* found);

  // Leaves out pairs of equal names; must be called before the first pair is added. If there is a
  // limit, no pair is written until finish(), and add() or finish() throws Error{limit_exceeded}
  // once there are too many pairs.
  void leave_out_own(const OwnPairs& own);

  // Adds pairs of rows; all pairs of a left row must be added consecutively. Throws
  // Error{cancelled}.
  void add(std::span<const ScoredPair> pairs);
  // Writes the remaining pairs and returns the counts of all pairs written.
  PairCounts finish();

 private:
  [[nodiscard]] RowNumber row_of(RowId row) const {
    return fields_.row_of ? fields_.row_of(row) : row;
  }
  void flush();
  void write(std::span<const ScoredPair> pairs);
  void erase_own();
  void write_held();

  const Corpus& corpus_;
  PairFields fields_;
  RowNames names_;
  ThreadPool& pool_;
  TableWriter* out_;
  RowPairs* found_;
  std::vector<ScoredPair> batch_;
  std::optional<OwnPairs> own_;
  std::optional<RecordFile> held_;  // pairs that wait until their number is known
  RowId last_own_left_ = kNoRow;
  std::uint64_t of_left_ = 0;  // pairs of that row so far
  RowId last_left_ = kNoRow;
  PairCounts written_;
};

// The outputs of verbs that list pairs: the table of pairs, --rejects and --stats. They are opened
// before the search begins, and appear together.
class PairOutputs {
 public:
  // `verb`: only `pairs` writes a note into its file on how it was made. Throws
  // Error{invalid_option} for names that must be mistakes, and Error{io} for files that cannot be
  // written.
  PairOutputs(VerbBit verb, const Options& options, const Settings& settings, const RunHooks& hooks,
              const BoundFacts& facts);

  // Null if the caller receives the pairs and no file is named.
  [[nodiscard]] TableWriter* table() noexcept { return table_ ? &*table_ : nullptr; }
  // Null unless requested.
  [[nodiscard]] TableWriter* rejects() noexcept { return rejects_ ? &*rejects_ : nullptr; }

  // Completes all outputs and gives them their final names; before that, `is_unchanged` throws if
  // inputs have changed. `summarize` is called last, so that its time covers the whole run.
  RunReport finish(const std::function<RunSummary()>& summarize, ThreadPool& pool,
                   const std::function<void()>& is_unchanged);

 private:
  const RunHooks& hooks_;
  std::optional<TableWriter> table_;
  std::optional<TableWriter> rejects_;
  std::optional<OutputFile> stats_;
};

}  // namespace sosie
