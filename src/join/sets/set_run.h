#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candidates/partner_elements.h"
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
#include "join/sets/top_rows.h"
#include "store/run/checkpoint.h"

namespace sosie {

// The stages every verb on documents shares: open, plan, scan, rank, collapse, group. Members are
// filled in this order; each part keeps references to those before it.
class SetRun {
 public:
  SetRun(std::string_view verb, const Options& options, const RunHooks& hooks);

  // Reads everything and prepares the candidates. Throws Error{limit_exceeded} when an option needs
  // all rows in memory and they are not.
  void prepare();

  // In place of prepare(), with sketches: items and matcher of the rows that share one of these
  // keys. Texts with equal hashes count as equal. `corpus` keeps nothing of other rows.
  [[nodiscard]] PartRows prepare_part(const MatchPart& part);

  // A progress callback for the stages behind: items done of the items there are.
  [[nodiscard]] std::function<void(std::size_t)> progress(std::string_view stage) const;

  // All similar rows, as `pairs` lists them: within the run's rows, or between them and --against.
  [[nodiscard]] std::unique_ptr<RowPairCollector> similar_rows(std::string_view stage);
  // The verified pairs of an item of --against and one of the run's own.
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> pairs_across(std::string_view stage);
  // The verified pairs of items that can remove a row of the run: not those within --against.
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> deciding_pairs(std::string_view stage);

  // Part of the summary that all verbs share; dedup and pairs add theirs.
  [[nodiscard]] RunSummary summarize();
  // Behind an error: puts on disk what the checkpoint keeps. Its folder; empty where nothing of the
  // run is in one. Throws Error{io}.
  [[nodiscard]] std::string keep_progress() const;
  // Fills in time and peak memory up to now.
  void measure(RunSummary& summary) const;

  const Options& options;
  const RunHooks& hooks;
  std::string verb;
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

  // All pairs that the verb asks for: within the run's rows, or between them and --against.
  [[nodiscard]] PairScope scope() const { return scope_of(inputs.has_against()); }

  // True if the rows are in scratch. Then items and matcher exist only within match() and
  // for_each_batch(), or not at all.
  [[nodiscard]] bool is_spilled() const noexcept { return batches_ || joins_rows(); }
  // True if the rows in scratch are not cut into batches: they are joined by a measure that holds
  // one way, or without a threshold. The items of pairs are then rows, one of each text.
  [[nodiscard]] bool joins_rows() const noexcept { return row_join_ != nullptr; }
  // Rows in scratch that others stand for.
  [[nodiscard]] const SpilledCopies& copies() const noexcept {
    return joins_rows() ? *copies_ : batches_->copies();
  }
  // Calls each(rows) for one batch of rows after another (see Batches), with the batch's corpus,
  // items and matcher; rows[r] is the run's number of the batch's row r.
  void for_each_batch(const std::function<void(std::span<const RowNumber> rows)>& each);
  // Calls each(rows) for the batches that are too large for that; `rows` in input order.
  void for_each_large_batch(const std::function<void(std::vector<RowNumber> rows)>& each) const;
  // Calls `each` with corpus, items and matcher of `rows`, numbered in the order of the list, or
  // ranked in one order. `others`: the first of them are a collection that all behind are compared
  // with.
  enum class Order : std::uint8_t { input, rank };
  void match(std::span<const RowNumber> rows, RowId others, Order order,
             const std::function<void()>& each);
  [[nodiscard]] const Batches& batches() const noexcept { return *batches_; }

  // Pairs name rows by RowIds, also where a run has more rows than these tell apart: then by their
  // positions among those that can be in pairs. Behind similar_rows(): the row that is meant.
  [[nodiscard]] RowNumber row_of_pair(RowId row) const noexcept {
    return pair_rows_ ? pair_rows_->select(row) : row;
  }
  [[nodiscard]] RowId name_in_pairs(RowNumber row) const noexcept {
    return row_id(pair_rows_ ? pair_rows_->rank(row) : row);
  }

 private:
  void leave_common_out();
  void choose_method();
  [[nodiscard]] Corpus read_rows();
  // The smaller of two collections, where only pairs across are asked for and the larger one is so
  // much larger that its rows without a partner are worth telling; null elsewhere. Sets the rows
  // that are to be told.
  [[nodiscard]] std::unique_ptr<PartnerElements> elements_of_smaller(ScannedRows& larger);
  void begin_checkpoint();
  // True if there is a checkpoint and it is of use: methods that find every pair begin again.
  [[nodiscard]] bool has_checkpoint() const noexcept {
    return checkpoint && checkpoint->has_begun();
  }
  void collapse();
  // `rows`: what the rows of a batch are called in the run; empty: all are in memory.
  void make_matcher(std::vector<RowNumber> rows);
  // True if rows of an exact join can be matched batch by batch, once they are in scratch.
  [[nodiscard]] bool has_batches() const noexcept;
  // The exact join of rows in scratch, without their copies. Takes the sets.
  [[nodiscard]] std::unique_ptr<PartitionedJoin> join_of_rows(const SpilledCopies& copies);
  // Says that time grows with the square of the ranges, where they are many.
  void tell_of_ranges(std::size_t ranges) const;
  // Its pairs.
  void join_rows(const SpilledCopies& copies, const AddRowPair& add);
  // With --parts: they take the place of grouping the keys, which then are not read.
  void read_parts();
  void take_parts();
  void tell_of_memory(std::string_view what) const;
  [[nodiscard]] std::vector<SavedOverlap> overlaps_of_items(
      std::vector<SavedOverlap> of_rows) const;
  void foretell_cascade() const;
  void look_for_templates();
  // `across`: pairs of --against and the run's own.
  [[nodiscard]] PairScope scope_of(bool across) const;
  [[nodiscard]] std::unique_ptr<SortedPairs<VerifiedPair>> sorted_pairs(std::string_view stage,
                                                                        PairScope scope);
  // Hands every verified pair of items in scope to `take`. `keeps_all`: they will need room.
  void find_pairs(std::string_view stage, PairScope scope, bool keeps_all, const TakePairs& take);
  void find_top(std::string_view stage, const TakePairs& take);
  void foretell_pairs(std::uint64_t pairs) const;
  void collect_pairs_of_rows(std::string_view stage, bool across, RowPairCollector& found);
  void collect_pairs(std::string_view stage, std::span<const RowNumber> rows, bool across,
                     RowPairCollector& found);
  void collect_pairs_of_large(std::string_view stage, std::span<const RowNumber> rows,
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
  std::vector<SavedOverlap> of_parts_;         // overlaps that --parts tells
  TopRowCounts top_counts_;                    // pairs that find_top() looked at
  std::optional<JoinCounts> row_counts_;       // counts of joins of rows
  std::uint64_t batch_candidates_ = 0;         // candidates of the batches so far
  std::uint64_t batch_verified_ = 0;
  std::vector<TemplateFacts> templates_;  // templates of the batches so far
};

// Part of a run's summary that is known before the run: the request and the method.
[[nodiscard]] RunSummary summary_of_asked(std::string_view verb, const Options& options,
                                          const Settings& settings, const MethodChoice& choice,
                                          unsigned threads);

// The most memory that this process has held.
[[nodiscard]] std::uint64_t peak_memory_bytes();

// Refuses outputs that are inputs, and two outputs that are one file.
void check_outputs(const Inputs& inputs, const Options& request,
                   std::optional<int> result_descriptor = std::nullopt);

// That descriptor of a verb that writes its result there unless --output names a file, or the
// caller takes it.
[[nodiscard]] std::optional<int> result_of(const Options& options, const RunHooks& hooks);

// Texts of fewer tokens than this fall below the threshold when one word is replaced.
[[nodiscard]] std::uint64_t short_text_limit(const ShingleRecipe& recipe,
                                             const Rational& threshold);
// 0 for runs of other measures, and for those that ask for the nearest whatever the threshold.
[[nodiscard]] std::uint64_t short_text_limit(const Settings& settings);

}  // namespace sosie
