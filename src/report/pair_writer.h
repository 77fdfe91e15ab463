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

// left, right, similarity (or what else the value is called), then left_FIELD right_FIELD for each
// shown field; where these show a text, what of it was compared is the last of them.
[[nodiscard]] std::vector<std::string> pair_columns(const std::vector<std::string>& show,
                                                    std::string_view value_name);

// Pairs of a row with itself are not to be written (--exclude-self): the run that finds them is
// told to list one more of each left row, and any number of pairs.
struct OwnPairs {
  PairSelection wanted;  // limits on the other pairs; no top_pairs
  const BoundFacts& facts;
  Scratch& scratch;
};

// Sources of the columns of a table of pairs.
struct PairFields {
  BoundFacts facts;
  std::vector<std::string> show = {};
  // The last shown column, asked by many threads at once; empty: none.
  std::function<std::string(RowNumber row)> compared = {};
  // The row of the corpus that a pair's left or right one is; empty: their numbers are these.
  std::function<RowNumber(RowId row)> row_of = {};
};

// Writes pairs, some at a time, their names looked up together. Does not commit.
class PairWriter {
 public:
  // `out` and `found`, where a caller wants them, may be null. All of them outlive this.
  PairWriter(const Inputs& inputs, const Corpus& corpus, const PairFields& fields, ThreadPool& pool,
             TableWriter* out, RowPairs* found);

  // Leaves out pairs of equal names; called before the first pair. With a limit nothing is written
  // before finish(), which throws Error{limit_exceeded}.
  void leave_out_own(const OwnPairs& own);

  // Pairs of rows; all of a left row come together. Throws Error{cancelled}.
  void add(std::span<const ScoredPair> pairs);
  // Writes the rest; returns what was written.
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
// before pairs are looked for, and appear together.
class PairOutputs {
 public:
  // `verb`: only files of `pairs` say what they were made with. Throws Error{invalid_option} for
  // names that cannot be meant, Error{io} for what cannot be written.
  PairOutputs(std::string_view verb, const Options& options, const Settings& settings,
              const RunHooks& hooks, const BoundFacts& facts);

  // null when the pairs are handed to the caller and no file is named.
  [[nodiscard]] TableWriter* table() noexcept { return table_ ? &*table_ : nullptr; }
  // null unless they are asked for.
  [[nodiscard]] TableWriter* rejects() noexcept { return rejects_ ? &*rejects_ : nullptr; }

  // Completes all; `is_unchanged` throws if inputs have changed. Then gives them their names.
  // `summarize` is asked last, so that its time is that of the whole run.
  RunReport finish(const std::function<RunSummary()>& summarize, ThreadPool& pool,
                   const std::function<void()>& is_unchanged);

 private:
  const RunHooks& hooks_;
  std::optional<TableWriter> table_;
  std::optional<TableWriter> rejects_;
  std::optional<OutputFile> stats_;
};

}  // namespace sosie
