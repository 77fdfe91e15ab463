#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/identical.h"
#include "corpus/scan.h"
#include "corpus/spill/batches.h"
#include "data/run_summary.h"
#include "join/sets/cascade_join.h"
#include "join/sets/exact_join.h"
#include "join/sets/matcher.h"
#include "join/sets/part_rows.h"
#include "join/sets/row_pair_collector.h"
#include "join/sets/small_side.h"
#include "join/sets/top_rows.h"
#include "store/run/checkpoint.h"

namespace sosie {

// The stages that all verbs on documents share: open, plan, scan, rank, collapse, group. Members
// are filled in this order; each part keeps references to earlier parts.
class SetRun {
 public:
  SetRun(VerbBit verb, const Options& options, const RunHooks& hooks);

  // Reads everything and prepares the candidates. Throws Error{limit_exceeded} if an option needs
  // all rows in memory and they do not fit.
  void prepare();

  // Called in place of prepare(), with sketches: prepares the items and matcher for the rows that
  // share one of these keys. Texts with equal hashes are considered equal. `corpus` then contains
  // no other rows.
  [[nodiscard]] PartRows prepare_part(const MatchPart& part);

  // A progress callback for the later stages; it receives the number of items done.
  [[nodiscard]] std::function<void(std::size_t)> progress(std::string_view stage) const;

  // All pairs of similar rows, as the verb `pairs` lists them: within the run's own rows, or
  // between these and --against.
  [[nodiscard]] std::unique_ptr<RowPairCollector> similar_rows(std::string_view stage);
  // The verified pairs of an item of --against and one of the run's own items.
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> pairs_across(std::string_view stage);
  // The verified pairs of items that can cause a row of the run to be removed, that is, all except
  // pairs within --against.
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> deciding_pairs(std::string_view stage);

  // The part of the summary that all verbs share; dedup and pairs add their own parts.
  [[nodiscard]] RunSummary summarize();
  // Called after an error: saves to disk what the checkpoint keeps and returns its folder; empty if
  // nothing of the run is in a checkpoint. Throws Error{io}.
  [[nodiscard]] std::string keep_progress() const;
  // Fills in the time and peak memory so far.
  void measure(RunSummary& summary) const;

  const Options& options;
  const RunHooks& hooks;
  VerbBit verb;
  Settings settings;
  ThreadPool pool;
  std::unique_ptr<Scratch> scratch;
  std::unique_ptr<Checkpoint> checkpoint;  // null without --checkpoint
  Inputs inputs;
  MethodChoice choice;
  Corpus corpus;
  Items items;
  bool looks_up_ids = false;  // set before prepare(): RowIds will be asked
  bool may_spill = false;     // set before prepare(): rows that outgrow the memory may leave it
  std::unique_ptr<Matcher> matcher;      // none with --reuse: nothing is compared
  std::unique_ptr<ExactJoin> exact;      // in place of the matcher, if that is the method
  std::unique_ptr<CascadeJoin> cascade;  // likewise

  // All pairs that the verb needs: within the run's own rows, or between these and --against.
  [[nodiscard]] PairScope scope() const { return scope_of(inputs.has_against()); }

  // True if the rows are in scratch. Items and matcher then exist only during match() and
  // for_each_batch(), or not at all.
  [[nodiscard]] bool is_spilled() const noexcept { return batches_ || joins_rows(); }
  // True if the rows in scratch are joined as a whole instead of in batches, because the measure is
  // ordered or there is no threshold. The items of pairs are then rows, one for each text.
  [[nodiscard]] bool joins_rows() const noexcept { return row_join_ != nullptr; }
  // The rows in scratch that other rows represent.
  [[nodiscard]] const SpilledCopies& copies() const noexcept {
    return joins_rows() ? *copies_ : batches_->copies();
  }
  // Calls each(rows) for one batch of rows after another (see Batches), with the batch's corpus,
  // items and matcher in place. rows[r] is the run's number of row r of the batch.
  void for_each_batch(const std::function<void(std::span<const RowNumber> rows)>& each);
  // Calls each(batch, rows), with `rows` in input order, for the batches that are too large for
  // for_each_batch().
  using EachLargeBatch = std::function<void(std::uint32_t batch, std::vector<RowNumber> rows)>;
  void for_each_large_batch(const EachLargeBatch& each) const;
  // Calls `each` with the corpus, items and matcher of `rows` in place. The rows are numbered in
  // the order of the list, or by rank. `others`: this many rows at the beginning are a collection
  // with which all later rows are compared.
  enum class Order : std::uint8_t { input, rank };
  void match(const RowsOfBatch& rows, RowId others, Order order, const std::function<void()>& each);
  [[nodiscard]] const Batches& batches() const noexcept { return *batches_; }

  // Pairs identify rows by RowIds. If a run has more rows than RowIds can distinguish, these are
  // the rows' positions among the rows that can be in pairs. Called after similar_rows(): returns
  // the row that a pair refers to.
  [[nodiscard]] RowNumber row_of_pair(RowId row) const noexcept {
    return pair_rows_ ? pair_rows_->select(row) : row;
  }
  [[nodiscard]] RowId name_in_pairs(RowNumber row) const noexcept {
    return row_id(pair_rows_ ? pair_rows_->rank(row) : row);
  }

 private:
  void leave_common_out();
  void choose_method();
  // `small_side`: used by an exact join.
  [[nodiscard]] Corpus read_rows(const SmallSide* small_side);
  void begin_checkpoint();
  // True if there is a checkpoint and it is of use; methods that find every pair start over.
  [[nodiscard]] bool has_checkpoint() const noexcept {
    return checkpoint && checkpoint->has_begun();
  }
  void collapse();
  // `rows`: the run's numbers of the rows in a batch; empty if all rows are in memory.
  void make_matcher(std::vector<RowNumber> rows);
  // True if the rows of an exact join can be matched in batches once they are in scratch.
  [[nodiscard]] bool has_batches() const noexcept;
  // The exact join of the rows in scratch without their copies. Takes over the sets.
  [[nodiscard]] std::unique_ptr<PartitionedJoin> join_of_rows(const SpilledCopies& copies);
  // If there are many ranges, informs the user that the time grows with the square of their number.
  void tell_of_ranges(std::size_t ranges) const;
  // Passes the pairs of this join to `add`.
  void join_rows(const SpilledCopies& copies, const AddRowPair& add);
  // With --parts: reads the parts, which make it unnecessary to read and group the keys.
  void read_parts();
  void take_parts();
  void tell_of_memory(std::string_view what) const;
  [[nodiscard]] std::vector<SavedOverlap> overlaps_of_items(
      std::vector<SavedOverlap> of_rows) const;
  void foretell_cascade() const;
  void look_for_templates();
  // `across`: only pairs of --against and the run's own rows.
  [[nodiscard]] PairScope scope_of(bool across) const;
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> sorted_pairs(std::string_view stage,
                                                                        PairScope scope);
  // Passes every verified pair of items in scope to `take`. `keeps_all`: all pairs will need
  // memory.
  void find_pairs(std::string_view stage, PairScope scope, bool keeps_all, const TakePairs& take);
  void find_top(std::string_view stage, const TakePairs& take);
  void foretell_pairs(std::uint64_t pairs) const;
  void collect_pairs_of_rows(std::string_view stage, bool across, RowPairCollector& found);
  void collect_pairs(std::string_view stage, std::span<const RowNumber> rows, bool across,
                     RowPairCollector& found);
  void collect_pairs_of_large(std::string_view stage, const RowsOfBatch& large,
                              RowPairCollector& found);

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t short_limit_ = 0;
  std::unique_ptr<Batches> batches_;
  std::optional<RowBits> pair_rows_;           // none: their own numbers name them
  std::unique_ptr<SpilledCopies> copies_;      // with row_join_
  std::unique_ptr<PartitionedJoin> row_join_;  // in place of batches_
  std::unique_ptr<OverlapCache> known_;        // overlaps known to the matcher
  std::optional<PartVerdicts> parts_;          // until take_parts()
  std::vector<ColumnsOfBlock> column_hashes_;  // with parts_
  std::vector<SavedOverlap> of_parts_;         // overlaps that --parts provides
  TopRowCounts top_counts_;                    // pairs that find_top() looked at
  std::optional<JoinCounts> row_counts_;       // counts of joins of rows
  std::uint64_t batch_candidates_ = 0;         // candidates of the batches so far
  std::uint64_t batch_verified_ = 0;
  std::vector<TemplateFacts> templates_;  // templates of the batches so far
};

// The part of a run's summary that is known before the run: the request and the method.
[[nodiscard]] RunSummary summary_of_asked(VerbBit verb, const Options& options,
                                          const Settings& settings, const MethodChoice& choice,
                                          unsigned threads);

// The largest amount of memory that this process has used at any time.
[[nodiscard]] std::uint64_t peak_memory_bytes();

// Throws an error if an output is also an input, or if two outputs are the same file.
void check_outputs(const Inputs& inputs, const Options& request,
                   std::optional<int> result_descriptor = std::nullopt);

// The descriptor to which a verb writes its result; empty if --output names a file or the caller
// receives the result.
[[nodiscard]] std::optional<int> result_of(const Options& options, const RunHooks& hooks);

// If a text has fewer tokens than this, replacing one word takes it below the threshold.
[[nodiscard]] std::uint64_t short_text_limit(const ShingleRecipe& recipe,
                                             const Rational& threshold);
// 0 for runs with other measures, and for runs that look for the nearest rows whatever the
// threshold.
[[nodiscard]] std::uint64_t short_text_limit(const Settings& settings);

}  // namespace sosie
