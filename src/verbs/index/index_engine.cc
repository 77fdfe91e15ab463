// Engine for texts, sets and bags looked up in an index on disk.
#include "verbs/index/index_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "corpus/asked_fields.h"
#include "corpus/count_inputs.h"
#include "decide/audit.h"
#include "io/record_file.h"
#include "join/sets/block_candidates.h"
#include "join/sets/index_lookup.h"
#include "join/sets/row_pair_collector.h"
#include "join/sets/row_scan.h"
#include "join/sets/set_run.h"
#include "read/field_paths.h"
#include "report/describe_items.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/items_hit.h"
#include "verbs/index/kept_sets.h"
#include "verbs/index/named_indexes.h"

namespace sosie {
namespace {

// Options for a scan: if rows become items, their fields are read; otherwise, they are not.
Options options_of_scan(const Options& options, const IndexView& index, bool adds) {
  Options scanned = options;
  scanned.show = adds ? kept_fields(index.manifest().contents) : std::string();
  return scanned;
}

class IndexEngine final : public Engine {
 public:
  IndexEngine(VerbBit verb, const Options& options, const IndexView& index, IndexWriter* writer,
              const RunHooks& hooks)
      : verb_(verb),
        options_(options),
        hooks_(hooks),
        index_(index),
        writer_(writer),
        settings_(resolve(options)),
        scan_options_(options_of_scan(options, index, writer != nullptr)),
        scan_settings_(resolve(scan_options_)),
        facts_(facts_of_sets(options, false)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes),
        rows_(scan_options_, scan_settings_, scratch_, pool_, hooks),
        finders_(pool_.size()),
        pairs_(scratch_, sizeof(RowPair), kLargePage),
        candidates_(index, settings_.memory_bytes),
        kept_(plan(), settings_) {
    choice_.banding = plan();
    choice_.exact = settings_.method == Method::exact;
    if (!index.manifest().keeps_items) {
      files_.emplace(index, options_, scan_settings_, scratch_, pool_, hooks);
    }
    where_ = filter_of(options, index.manifest(), index.path());
    const std::vector<std::string> names =
        options.show.empty() ? std::vector<std::string>() : joined_names(options.show);
    lookup_.emplace(
        index, settings_, files_ ? &*files_ : nullptr, where_ ? &*where_ : nullptr,
        ShownOfHits{FieldsOfItems({"show", options.show}, names, index.manifest(), index.path()),
                    !options.report.empty()});
    if (writer != nullptr) prepare_items();
  }

  [[nodiscard]] const Settings& settings() const override { return settings_; }
  [[nodiscard]] const BoundFacts& facts() const override { return facts_; }
  [[nodiscard]] ThreadPool& pool() override { return pool_; }
  [[nodiscard]] Scratch& scratch() override { return scratch_; }
  [[nodiscard]] const Inputs& inputs() const override { return rows_.inputs(); }
  [[nodiscard]] const Corpus& corpus() const override { return rows_.corpus(); }

  void prepare() override {
    Settings asked = settings_;
    asked.show.clear();  // the index stores these fields, or they were rejected
    require_asked_fields(rows_.inputs(), asked, pool_);
    rows_.read(plan(), {.begin = [this](unsigned /*worker*/, std::size_t rows) { begin(rows); },
                        .take = [this](unsigned /*worker*/, std::size_t i,
                                       const InputRow& row) { block_[i] = NewRow(row); },
                        .end = [this](unsigned /*worker*/) { end_block(); },
                        .reads_names = writer_ != nullptr});
    if (same_ids_ > 0) refuse_same_ids({same_ids_, first_same_, index_.path(), kOtherIds});
    pairs_.finish();
    auto items = std::make_shared<ItemsAsFile>(index_.path(),
                                               ItemsAsFile::Whole{index_.items(), index_.bytes()});
    items_hit_.list(*items);
    tell_shared_id(index_, *items, hooks_);
    rows_.add_items(std::move(items));
  }

  [[nodiscard]] Decisions decide() override {
    const RowId first = row_id(corpus().first_own_row);
    std::vector<RowDecision> decisions(corpus().rows);
    for (RowId row = 0; row < first; ++row) decisions[row].survivor = row;
    for (RowId row = first; row < corpus().rows; ++row) {
      RowDecision& decision = decisions[row] = decisions_[row - first];
      decision.survivor = goes_by_item_[row - first] ? items_hit_.row_of(decision.survivor)
                                                     : first + decision.survivor;
    }
    std::vector<RowDecision>().swap(decisions_);
    return {inputs(), corpus(), std::move(decisions)};
  }

  [[nodiscard]] double value(RowNumber row, const Decision& decision) const override {
    if (decision.is_same(row)) return facts_.is_similarity ? 1 : 0;
    return settings_.measure->shown(decision.score.overlap());
  }
  [[nodiscard]] double page_value(RowNumber row, const Decision& decision) const override {
    return decision.is_same(row) ? 1 : settings_.measure->similarity(decision.score.overlap());
  }
  [[nodiscard]] bool page_is_similarity() const override { return true; }

  void list_pairs(PairOrder order, const EachPairs& each) override {
    PairSelection wanted = pair_selection(options_);
    if (wanted.all()) wanted.limit = 0;  // the limit was checked when pairs were found
    const PairMemory memory{scratch_, MemoryBudget{settings_.memory_bytes}.sorts()};
    choose_row_pairs(
        {wanted, order, *settings_.measure, facts_, memory},
        [this](const TakeRowPairs& take) { read_pairs(take); }, each);
  }

  [[nodiscard]] AuditFacts audit(const Decisions& decisions) override {
    const Items items = items_of_rows();
    return audit_dedup(audited(items), decisions);
  }
  [[nodiscard]] AuditFacts audit_pairs() override {
    const Items items = items_of_rows();
    return sosie::audit_pairs(audited(items),
                              [this](const TakeRowPairs& take) { read_pairs(take); });
  }

  [[nodiscard]] RunSummary summarize() override {
    RunSummary summary = summary_of_asked(verb_, options_, settings_, choice_, pool_.size());
    count_inputs(inputs(), corpus(), summary);
    summary.short_limit = short_text_limit(settings_);
    summary.is_similarity = facts_.is_similarity;
    if (!facts_.is_similarity) summary.within = facts_.bound;
    summary.candidates = kept_.listed();
    summary.verified = kept_.verified();
    for (const IndexLookup::Finder& finder : finders_) {
      summary.candidates += finder.listed;
      summary.verified += finder.verified;
    }
    measure(summary);
    return summary;
  }

  void measure(RunSummary& summary) const override {
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    summary.peak_bytes = peak_memory_bytes();
    summary.scratch_bytes = scratch_.peak_bytes();
  }

  // Empty for an item whose text the index does not store.
  [[nodiscard]] std::string line_of(RowNumber row) override {
    if (!line_) line_ = telling_lines(compared());
    return line_(row);
  }
  [[nodiscard]] bool takes_part(RowNumber row) const override {
    return corpus().state(row) == RowState::normal;
  }
  // explain supports only rows of files.
  void explain(RowNumber /*left*/, RowNumber /*right*/, Explanation& /*e*/) override {}
  [[nodiscard]] ItemInFull in_full(RowNumber /*row*/) override { return {}; }

  void describe(const ReportSource& source, ReportPage& page) override {
    describe_sets(compared(), source, {}, page);
  }

  void require_unchanged() const override {
    sosie::require_unchanged(inputs());
    if (files_) sosie::require_unchanged(files_->inputs());
  }
  [[nodiscard]] std::string keep_progress() override { return {}; }

 private:
  // A row of a block, and what the index found for it.
  struct NewRow {
    NewRow() = default;
    explicit NewRow(const InputRow& row) : input(row) {
      if (!row.set.set.empty()) keys.assign(row.set.keys.begin(), row.set.keys.end());
      input.set.keys = keys;
    }
    [[nodiscard]] bool is_bad() const noexcept {
      return input.state == RowState::skipped || input.state == RowState::unmatched;
    }

    InputRow input;
    std::vector<std::uint64_t> keys;     // keys of a set that is not empty
    std::optional<std::string> same_id;  // the row's id, if an item also has it
    std::string bytes;                   // the item, to be added
    std::vector<IndexHit> hits;
  };

  [[nodiscard]] const BandingPlan& plan() const { return index_.manifest().contents.plan.banding; }
  [[nodiscard]] bool decides() const { return verb_ == kDedup; }
  [[nodiscard]] bool lists() const { return !decides() || !options_.pairs.empty(); }
  [[nodiscard]] ComparedSets compared() const {
    return {verb_, options_, settings_, choice_, inputs(), corpus()};
  }

  // Each row with a set becomes an item of its own, numbered after the indexed items that were hit.
  [[nodiscard]] Items items_of_rows() const {
    Items items;
    items.fixed = row_id(corpus().first_own_row);
    items.place_of.assign(corpus().rows, kNoPlace);
    for (RowId row = 0; row < corpus().rows; ++row) {
      if (!takes_part(row)) continue;
      items.place_of[row] = items.size();
      items.rows.push_back(row);
    }
    items.copy_starts.assign(items.rows.size() + 1, 0);
    return items;
  }

  [[nodiscard]] AuditedSets audited(const Items& items) {
    return {inputs(),       corpus(),
            items,          settings_,
            choice_,        pool_,
            scratch_,       hooks_,
            options_.audit, [this](const TakeOtherSet& take) { read_items(take); }};
  }

  // All items in the index, as it was before rows were added.
  void read_items(const TakeOtherSet& take) {
    const std::vector<std::uint64_t>& hit = index_items_of(inputs().list.front())->numbers();
    auto next = hit.begin();
    index_.for_each([&](const IndexItem& item) {
      const bool is_new = writer_ != nullptr && item.number >= maker_.first_number;
      if (item.size == 0 || is_new || (where_ && !where_->accepts(item))) return;
      while (next != hit.end() && *next < item.number) ++next;
      const bool is_hit = next != hit.end() && *next == item.number;
      take(lookup_->elements_of(item, finders_.front()),
           is_hit ? static_cast<RowId>(next - hit.begin()) : kNoRow);
    });
  }

  void prepare_items() {
    expect_named_alike(inputs().ids_are_rows, index_.manifest(), index_.path());
    maker_ = {index_.next_number(), 0, !inputs().ids_are_rows, index_.manifest().keeps_items,
              index_.path()};
    if (maker_.keeps_items) return;
    std::vector<SketchedFile> files = contents_of(options_, settings_, inputs()).files;
    files.erase(files.begin());  // the index itself
    maker_.first_file = writer_->add_files(files) - 1;
  }

  void begin(std::size_t rows) {
    pool_.check_cancelled();
    block_.clear();
    block_.resize(rows);
  }

  void look_up_block() {
    std::vector<std::span<const std::uint64_t>> keys(block_.size());
    for (std::size_t i = 0; i < block_.size(); ++i) {
      if (!block_[i].is_bad()) keys[i] = block_[i].keys;
    }
    const bool together = !choice_.exact && candidates_.list(keys, pool_, finders_);
    constexpr std::size_t kRowsATask = 64;
    pool_.for_each((block_.size() + kRowsATask - 1) / kRowsATask,
                   [&](unsigned worker, std::size_t task) {
                     const std::size_t end = std::min(block_.size(), (task + 1) * kRowsATask);
                     for (std::size_t i = task * kRowsATask; i < end; ++i) {
                       if (!block_[i].is_bad()) look_up(finders_[worker], i, together);
                     }
                   });
  }

  // `together`: the row's candidates have already been listed.
  void look_up(IndexLookup::Finder& finder, std::size_t i, bool together) {
    NewRow& row = block_[i];
    const InputRow& input = row.input;
    if (together) {
      candidates_.copy(i, finder.candidates);
      lookup_->verify(input.set, finder, row.hits);
    } else {
      lookup_->find(input.set, finder, row.hits);
    }
    if (!decides()) {
      choose(row.hits);
      return;
    }
    if (!lists() && row.hits.size() > 1) row.hits.erase(row.hits.begin() + 1, row.hits.end());
    if (!row.hits.empty() || writer_ == nullptr) return;
    row.bytes = maker_.pack(input);
    const std::string& id = input.name.id;
    if (maker_.is_named && index_.find_name(id, finder.buffer)) row.same_id = id;
  }

  // Keeps only the hits that --top can list.
  void choose(std::vector<IndexHit>& hits) const {
    if (options_.top == 0 || hits.size() <= options_.top) return;
    keep_best_hits(*settings_.measure, options_.top, hits);
    std::sort(hits.begin(), hits.end(),
              [](const IndexHit& a, const IndexHit& b) { return a.number < b.number; });
  }

  void end_block() {
    look_up_block();
    for (NewRow& row : block_) {
      if (lists()) keep_pairs(row);
      if (decides()) decide(row);
    }
    expect_fit();
  }

  void keep_pairs(const NewRow& row) {
    some_pairs_.clear();
    for (const IndexHit& hit : row.hits) {
      some_pairs_.push_back({row.input.row, items_hit_.add(hit), hit.overlap});
    }
    pairs_.append(some_pairs_.data(), some_pairs_.size());
    const PairSelection wanted = pair_selection(options_);
    if (wanted.all()) check_pair_limit(wanted, facts_, pairs_.size());
  }

  // The first similar item decides about a row or, if there is none, the first similar kept row.
  void decide(NewRow& row) {
    decisions_.push_back({row.input.row, {}, false});
    goes_by_item_.push_back(!row.hits.empty());
    if (row.is_bad()) return;
    RowDecision& decision = decisions_.back();
    if (!row.hits.empty()) {
      const IndexHit& hit = row.hits.front();
      decision = {items_hit_.add(hit), Score(hit.overlap), hit.hash == row.input.hash};
      return;
    }
    if (const std::optional<SimilarSet> hit = kept_.find(row.input.set)) {
      const Kept& kept = kept_rows_[hit->position];
      decision = {kept.row, Score(hit->overlap), kept.hash == row.input.hash};
    } else if (!row.input.set.set.empty()) {  // a row without a set is similar to none
      keep(row);
    }
  }

  void keep(NewRow& row) {
    kept_.add(row.input.set);
    kept_rows_.push_back({row.input.row, row.input.hash});
    if (writer_ == nullptr) return;
    if (row.same_id && same_ids_++ == 0) first_same_ = *row.same_id;
    writer_->add(std::move(row.bytes), row.keys);
  }

  void expect_fit() const {
    const std::uint64_t left = settings_.memory_bytes - lookup_->bytes();
    const std::uint64_t most = std::min(settings_.memory_bytes / 2, left);
    if (kept_.bytes() + items_hit_.bytes() <= most) return;
    throw Error(ErrorKind::limit_exceeded,
                decides() ? "the new rows do not fit in --memory, which holds the kept ones to "
                            "compare with"
                          : "the items that were found do not fit in --memory",
                "raise --memory, or take fewer inputs at a time");
  }

  // The pairs in the order in which they were found: rows in input order, items by number.
  void read_pairs(const TakeRowPairs& take) {
    const RowId first = row_id(corpus().first_own_row);
    std::vector<RowPair> page(pairs_.records_of_page());
    for (std::uint64_t at = 0, number = 0; at < pairs_.size(); ++number) {
      const std::size_t count = pairs_.read_page(number, page.data());
      at += count;
      for (std::size_t i = 0; i < count; ++i) {
        page[i].left += first;
        page[i].right = items_hit_.row_of(page[i].right);
      }
      take(std::span(page).first(count));
    }
  }

  struct Kept {
    RowId row;
    Hash128 hash;
  };

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  VerbBit verb_;
  const Options& options_;
  const RunHooks& hooks_;
  const IndexView& index_;
  IndexWriter* writer_;  // null: nothing is added
  ItemMaker maker_;
  Settings settings_;
  Options scan_options_;
  Settings scan_settings_;
  BoundFacts facts_;
  MethodChoice choice_;
  ThreadPool pool_;
  Scratch scratch_;
  RowScan rows_;
  std::vector<IndexLookup::Finder> finders_;  // by worker
  std::optional<ExternalItems> files_;
  std::optional<FieldFilter> where_;
  std::optional<IndexLookup> lookup_;
  std::vector<NewRow> block_;
  ItemsHit items_hit_;
  std::vector<RowPair> some_pairs_;
  RecordFile pairs_;  // row, place of the item
  BlockCandidates candidates_;
  KeptSets kept_;
  std::vector<Kept> kept_rows_;         // by position in kept_
  std::vector<RowDecision> decisions_;  // by row; the survivor is a row or the place of an item
  std::vector<bool> goes_by_item_;
  std::function<std::string(RowNumber row)> line_;
  std::uint64_t same_ids_ = 0;  // kept rows whose ids already exist
  std::string first_same_;
};

}  // namespace

std::unique_ptr<Engine> index_engine(VerbBit verb, const Options& options, const IndexView& index,
                                     IndexWriter* writer, const RunHooks& hooks) {
  return std::make_unique<IndexEngine>(verb, options, index, writer, hooks);
}

}  // namespace sosie
