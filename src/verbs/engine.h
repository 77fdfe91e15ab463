#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "corpus/corpus.h"
#include "data/run_summary.h"
#include "decide/decisions.h"
#include "join/scored_pairs.h"
#include "options/bounds.h"
#include "options/settings.h"
#include "report/explanation.h"
#include "report/report_page.h"
#include "report/report_source.h"
#include "sosie/join.h"
#include "store/part_verdicts.h"

namespace sosie {

// The items of a run, with everything that finds and groups similar items. Verbs are written once,
// for all kinds of items, against this interface. One implementation is for items that are compared
// as sets (set_engine.cc), which it rereads for verification; the other is for items in memory
// (in_memory_engine.cc).
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual const Settings& settings() const = 0;
  [[nodiscard]] virtual const BoundFacts& facts() const = 0;
  [[nodiscard]] virtual ThreadPool& pool() = 0;
  [[nodiscard]] virtual Scratch& scratch() = 0;
  [[nodiscard]] virtual const Inputs& inputs() const = 0;
  // Available after prepare().
  [[nodiscard]] virtual const Corpus& corpus() const = 0;

  // Reads what has not been read yet and chooses the method. Throws Error{malformed_input} for
  // unreadable rows, and Error{limit_exceeded} for data that do not fit in memory.
  virtual void prepare() = 0;

  // Groups the rows as --clustering or --reuse specifies, and decides which row in each group is
  // kept.
  [[nodiscard]] virtual Decisions decide() = 0;
  // Called instead of prepare() and decide() if rows were sketched: compares the rows that share a
  // key in this part.
  [[nodiscard]] virtual PartVerdicts match_part(const MatchPart& /*part*/) { return {}; }
  // The measure's value for a row and its survivor.
  [[nodiscard]] virtual double value(RowNumber row, const Decision& decision) const = 0;

  // The value shown on the page of --report; for sets, always the similarity.
  [[nodiscard]] virtual double page_value(RowNumber row, const Decision& decision) const {
    return value(row, decision);
  }
  [[nodiscard]] virtual bool page_is_similarity() const { return facts().is_similarity; }

  // Passes on the pairs that --top, --top-pairs and --limit select, as rows of the corpus: left
  // rows in input order, and the pairs of each row in the requested order. Throws
  // Error{limit_exceeded}.
  virtual void list_pairs(PairOrder order, const EachPairs& each) = 0;

  // The run's row for a row in these pairs; only valid while pairs are being passed on.
  [[nodiscard]] virtual RowNumber row_of_pair(RowId row) const { return row; }

  // --audit: measures, on a sample, the recall of the pairs found by decide() or list_pairs().
  [[nodiscard]] virtual AuditFacts audit(const Decisions& decisions) = 0;
  [[nodiscard]] virtual AuditFacts audit_pairs() = 0;

  // Summary after the join; the verb adds its own counts.
  [[nodiscard]] virtual RunSummary summarize() = 0;
  // Called after the join: frees the memory that comparing items needed. The few items that a
  // report shows are reread.
  virtual void forget_items() {}
  // Fills in the time and peak memory so far.
  virtual void measure(RunSummary& summary) const = 0;
  // A line that represents a row of the largest group; empty if items have no lines.
  [[nodiscard]] virtual std::string line_of(RowNumber row) = 0;
  // True if a row has an item that is compared with others; available after decide().
  [[nodiscard]] virtual bool takes_part(RowNumber row) const = 0;
  // The longest passage of a row that also occurs in another row; empty if items have no text.
  [[nodiscard]] virtual std::string passage_of(RowNumber /*row*/, RowNumber /*other*/) {
    return {};
  }
  // The text of a row as it was compared; empty if --show does not need it.
  using TextOfRow = std::function<std::string(RowNumber row)>;
  [[nodiscard]] virtual TextOfRow compared_text() const { return {}; }
  // Fills in all facts that depend only on the items of the two rows.
  virtual void explain(RowNumber left, RowNumber right, Explanation& e) = 0;
  // A complete item, with its hashes.
  [[nodiscard]] virtual ItemInFull in_full(RowNumber row) = 0;
  // Fills in what the --report page shows about such items.
  virtual void describe(const ReportSource& source, ReportPage& page) = 0;

  // Throws Error{io} if an input has been modified since it was opened.
  virtual void require_unchanged() const = 0;
  // Called after an error: saves the progress that --checkpoint keeps and returns its folder; empty
  // if no part of the run is in a checkpoint. Throws Error{io}.
  [[nodiscard]] virtual std::string keep_progress() = 0;
};

// Calls `run` and returns its report. If the run is cancelled, saves the progress to the
// checkpoint; the error then says that the same command resumes the run.
[[nodiscard]] RunReport resumable(Engine& engine, const std::function<RunReport()>& run);

// Opens the inputs of a run and reads items that are kept in memory. `options` (from with_kind()
// and, for a query, as_join()) and `hooks` must outlive the engine. Throws Error{invalid_option}
// for options that exclude each other, and throws as open_inputs() does.
using MakeEngine = std::unique_ptr<Engine> (*)(VerbBit verb, const Options& options,
                                               const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> set_engine(VerbBit verb, const Options& options,
                                                 const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> vector_engine(VerbBit verb, const Options& options,
                                                    const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> bit_engine(VerbBit verb, const Options& options,
                                                 const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> string_engine(VerbBit verb, const Options& options,
                                                    const RunHooks& hooks);

}  // namespace sosie
