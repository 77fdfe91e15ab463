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

// The items of one run, and what finds and groups the similar ones: what verbs are written against,
// once for every kind. One class for what is compared as sets (set_engine.cc), which reads items
// again when it verifies them, and one for what lies in memory (in_memory_engine.cc).
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
  // Behind prepare().
  [[nodiscard]] virtual const Corpus& corpus() const = 0;

  // Reads what is not read yet, and chooses the method. Throws Error{malformed_input} for rows that
  // cannot be read, Error{limit_exceeded} for what the memory does not hold.
  virtual void prepare() = 0;

  // Groups the rows as --clustering says, or --reuse, and decides which of each group is kept.
  [[nodiscard]] virtual Decisions decide() = 0;
  // In place of prepare() and decide(), where rows were sketched: compares the rows that share a
  // key of this part.
  [[nodiscard]] virtual PartVerdicts match_part(const MatchPart& /*part*/) { return {}; }
  // Value of the measure for a row and its survivor.
  [[nodiscard]] virtual double value(RowNumber row, const Decision& decision) const = 0;

  // Value as a page of --report shows it: for sets always the similarity.
  [[nodiscard]] virtual double page_value(RowNumber row, const Decision& decision) const {
    return value(row, decision);
  }
  [[nodiscard]] virtual bool page_is_similarity() const { return facts().is_similarity; }

  // Hands over the pairs that --top, --top-pairs and --limit leave: rows of the corpus, left ones
  // in input order, the pairs of each in the order asked for. Throws Error{limit_exceeded}.
  virtual void list_pairs(PairOrder order, const EachPairs& each) = 0;

  // The row of the run that a row of these pairs is; while they are handed over.
  [[nodiscard]] virtual RowNumber row_of_pair(RowId row) const { return row; }

  // --audit: recall of what decide() or list_pairs() have found, measured on a sample.
  [[nodiscard]] virtual AuditFacts audit(const Decisions& decisions) = 0;
  [[nodiscard]] virtual AuditFacts audit_pairs() = 0;

  // Summary after the join; the verb adds its own counts.
  [[nodiscard]] virtual RunSummary summarize() = 0;
  // Behind the join: gives back what memory comparing items took. The few that a report shows are
  // read again.
  virtual void forget_items() {}
  // Time and peak memory up to now.
  virtual void measure(RunSummary& summary) const = 0;
  // A line that shows a row of the largest group; empty where items have none.
  [[nodiscard]] virtual std::string line_of(RowNumber row) = 0;
  // Behind decide(). Whether a row is an item that is compared with others.
  [[nodiscard]] virtual bool takes_part(RowNumber row) const = 0;
  // Longest passage of a row that stands in another one; empty where items have no text.
  [[nodiscard]] virtual std::string passage_of(RowNumber /*row*/, RowNumber /*other*/) {
    return {};
  }
  // Compared text of a row that takes part; empty where --show need not tell.
  using TextOfRow = std::function<std::string(RowNumber row)>;
  [[nodiscard]] virtual TextOfRow compared_text() const { return {}; }
  // Fills in what the items of two rows alone say of them.
  virtual void explain(RowNumber left, RowNumber right, Explanation& e) = 0;
  // All of an item, and what hashing makes of it.
  [[nodiscard]] virtual ItemInFull in_full(RowNumber row) = 0;
  // Fills in what a page of --report shows of such items.
  virtual void describe(const ReportSource& source, ReportPage& page) = 0;

  // Throws Error{io} when an input has been written to since it was opened.
  virtual void require_unchanged() const = 0;
  // Behind an error: puts on disk what --checkpoint keeps. Its folder; empty where nothing of the
  // run is in one. Throws Error{io}.
  [[nodiscard]] virtual std::string keep_progress() = 0;
};

// Calls `run` and returns its report. When it is cancelled, what is done is put into the
// checkpoint, and the error says that the same command goes on.
[[nodiscard]] RunReport resumable(Engine& engine, const std::function<RunReport()>& run);

// Opens the inputs of a run; items that lie in memory are read. `options`, as with_kind() and, for
// a query, as_join(), and `hooks` outlive it. Throws Error{invalid_option} for options that cannot
// be meant together, and as open_inputs() does.
using MakeEngine = std::unique_ptr<Engine> (*)(std::string_view verb, const Options& options,
                                               const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> set_engine(std::string_view verb, const Options& options,
                                                 const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> vector_engine(std::string_view verb, const Options& options,
                                                    const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> bit_engine(std::string_view verb, const Options& options,
                                                 const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<Engine> string_engine(std::string_view verb, const Options& options,
                                                    const RunHooks& hooks);

}  // namespace sosie
