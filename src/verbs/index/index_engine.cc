// The engine of texts, sets and bags that are looked up in an index on disk.
#include "verbs/index/index_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "corpus/asked_fields.h"
#include "corpus/count_inputs.h"
#include "decide/audit.h"
#include "io/record_file.h"
#include "join/sets/incremental_set_index.h"
#include "join/sets/index_lookup.h"
#include "join/sets/row_pair_collector.h"
#include "join/sets/row_scan.h"
#include "join/sets/set_run.h"
#include "read/field_paths.h"
#include "report/describe_items.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "verbs/index/add_rows.h"

namespace sosie {
namespace {

// Items that look-ups have found, each once.
class ItemsHit {
 public:
  // Place of an item in the order in which they are found.
  Place add(const IndexHit& hit) {
    const auto [at, added] = places_.try_emplace(hit.number, static_cast<Place>(items_.size()));
    if (!added) return at->second;
    items_.push_back(hit);
    constexpr std::uint64_t kItemBytes = 256;  // with what stands of it in tables and in the corpus
    bytes_ += kItemBytes + hit.name.size() + 2 * hit.text.size();
    for (const auto& [name, value] : hit.fields) bytes_ += 2 * (name.size() + value.size());
    return at->second;
  }

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  // Appends the items by their numbers, and gives each place the number of its row.
  void list(ItemsAsFile& rows) {
    std::vector<Place> sorted(items_.size());
    for (Place place = 0; place < sorted.size(); ++place) sorted[place] = place;
    std::sort(sorted.begin(), sorted.end(),
              [&](Place a, Place b) { return items_[a].number < items_[b].number; });
    rows_.resize(sorted.size());
    for (const Place place : sorted) {
      const IndexHit& item = items_[place];
      rows_[place] = static_cast<RowId>(rows.numbers().size());
      rows.add(item.number, item.name, item.name_is_integer, item.text, item.fields);
    }
    std::vector<IndexHit>().swap(items_);
    std::unordered_map<std::uint64_t, Place>().swap(places_);
  }
  [[nodiscard]] RowId row_of(Place place) const { return rows_[place]; }

 private:
  std::unordered_map<std::uint64_t, Place> places_;  // by number
  std::vector<IndexHit> items_;
  std::vector<RowId> rows_;  // by place
  std::uint64_t bytes_ = 0;
};

// Sets of the kept rows, in which later rows are looked up: by the bands of the index, or exactly.
class KeptSets {
 public:
  KeptSets(const BandingPlan& plan, const Settings& settings)
      : plan_(plan), by_bands_(plan, *settings.measure, settings.threshold) {
    if (settings.method == Method::exact) exactly_.emplace(*settings.measure, settings.threshold);
  }

  void add(const SketchedSet& set) {
    elements_ += set.set.size();
    ++sets_;
    if (exactly_) {
      exactly_->add(set.set);
    } else {
      by_bands_.add(set);
    }
  }

  // The first one that is similar.
  [[nodiscard]] std::optional<SimilarSet> find(const SketchedSet& set) {
    if (exactly_) return exactly_->first_similar(set.set);
    hits_.clear();
    by_bands_.find(set, 0, /*one=*/true, finder_, hits_);
    if (hits_.empty()) return {};
    return hits_.front();
  }

  [[nodiscard]] std::uint64_t bytes() const {
    if (exactly_) return elements_ * IncrementalSetIndex::kBytesPerElement + sets_ * 300;
    return elements_ * 24 + sets_ * (200 + 32 * static_cast<std::uint64_t>(plan_.bands) +
                                     static_cast<std::uint64_t>(plan_.components));
  }
  [[nodiscard]] std::uint64_t listed() const {
    return exactly_ ? exactly_->listed() : finder_.listed;
  }
  [[nodiscard]] std::uint64_t verified() const {
    return exactly_ ? exactly_->verified() : finder_.verified;
  }

 private:
  const BandingPlan& plan_;
  IndexedSets by_bands_;
  std::optional<IncrementalSetIndex> exactly_;
  IndexedSets::Finder finder_;
  std::vector<IndexedSets::Hit> hits_;
  std::uint64_t elements_ = 0;
  std::uint64_t sets_ = 0;
};

// Options as a scan reads them: with the fields of rows that become items, and no others.
Options options_of_scan(const Options& options, const IndexFolder& folder, bool adds) {
  Options scanned = options;
  scanned.show = adds ? kept_fields(folder.manifest().contents) : std::string();
  return scanned;
}

class IndexEngine final : public Engine {
 public:
  IndexEngine(std::string_view verb, const Options& options, const IndexFolder& folder,
              IndexWriter* writer, const RunHooks& hooks)
      : verb_(verb),
        options_(options),
        hooks_(hooks),
        folder_(folder),
        writer_(writer),
        settings_(resolve(options)),
        scan_options_(options_of_scan(options, folder, writer != nullptr)),
        scan_settings_(resolve(scan_options_)),
        facts_(facts_of_sets(options, false)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes),
        rows_(scan_options_, scan_settings_, scratch_, pool_, hooks),
        finders_(pool_.size()),
        pairs_(scratch_, sizeof(RowPair), kLargePage),
        kept_(plan(), settings_) {
    choice_.banding = plan();
    choice_.exact = settings_.method == Method::exact;
    if (!folder.manifest().keeps_items) {
      files_.emplace(folder, options_, scan_settings_, scratch_, pool_, hooks);
    }
    where_ = filter_of(options, folder.manifest(), folder.path());
    const std::vector<std::string> names =
        options.show.empty() ? std::vector<std::string>() : joined_names(options.show);
    lookup_.emplace(
        folder, settings_, files_ ? &*files_ : nullptr, where_ ? &*where_ : nullptr,
        ShownOfHits{FieldsOfItems({"show", options.show}, names, folder.manifest(), folder.path()),
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
    asked.show.clear();  // the index keeps these fields, or they have been refused
    require_asked_fields(rows_.inputs(), asked, pool_);
    rows_.read(plan(), {.begin = [this](std::size_t rows) { begin(rows); },
                        .take = [this](unsigned worker, std::size_t i,
                                       const InputRow& row) { look_up(worker, row, block_[i]); },
                        .end = [this] { end_block(); },
                        .reads_names = writer_ != nullptr});
    if (same_ids_ > 0) refuse_same_ids({same_ids_, first_same_, folder_.path(), kOtherIds});
    pairs_.finish();
    auto items = std::make_shared<ItemsAsFile>(
        folder_.path(), ItemsAsFile::Whole{folder_.items(), folder_.bytes()});
    items_hit_.list(*items);
    rows_.add_items(std::move(items));
  }

  [[nodiscard]] Decisions decide() override {
    const RowId first = corpus().first_own_row;
    std::vector<Decision> decisions(corpus().rows);
    for (RowId row = 0; row < first; ++row) decisions[row].survivor = row;
    for (RowId row = first; row < corpus().rows; ++row) {
      Decision& decision = decisions[row] = decisions_[row - first];
      decision.survivor = goes_by_item_[row - first] ? items_hit_.row_of(decision.survivor)
                                                     : first + decision.survivor;
    }
    std::vector<Decision>().swap(decisions_);
    return {inputs(), corpus(), std::move(decisions)};
  }

  [[nodiscard]] double value(RowId row, const Decision& decision) const override {
    if (decision.is_same(row)) return facts_.is_similarity ? 1 : 0;
    return settings_.measure->shown(decision.score.overlap());
  }
  [[nodiscard]] double page_value(RowId row, const Decision& decision) const override {
    return decision.is_same(row) ? 1 : settings_.measure->similarity(decision.score.overlap());
  }
  [[nodiscard]] bool page_is_similarity() const override { return true; }

  void list_pairs(PairOrder order, const EachPairs& each) override {
    PairSelection wanted = pair_selection(options_);
    if (wanted.all()) wanted.limit = 0;  // it was checked when they were found
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

  // Empty for an item whose text the index does not keep.
  [[nodiscard]] std::string line_of(RowId row) override {
    if (!line_) line_ = telling_lines(compared());
    return line_(row);
  }
  [[nodiscard]] bool takes_part(RowId row) const override {
    return corpus().state(row) == RowState::normal;
  }
  // explain is for rows of files alone.
  void explain(RowId /*left*/, RowId /*right*/, Explanation& /*e*/) override {}
  [[nodiscard]] ItemInFull in_full(RowId /*row*/) override { return {}; }

  void describe(const ReportSource& source, ReportPage& page) override {
    describe_sets(compared(), source, {}, page);
  }

  void require_unchanged() const override {
    sosie::require_unchanged(inputs());
    if (files_) sosie::require_unchanged(files_->inputs());
  }
  [[nodiscard]] std::string keep_progress() override { return {}; }

 private:
  // A row of a block, as far as the index knows of it.
  struct NewRow {
    RowId row = 0;
    RowState state = RowState::normal;
    std::optional<std::string> same_id;  // the row's id, if an item has it, too
    Hash128 hash;
    std::vector<std::uint64_t> set;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint8_t> filter;
    std::string bytes;  // the item, to be added
    std::vector<IndexHit> hits;
  };

  [[nodiscard]] const BandingPlan& plan() const { return folder_.manifest().contents.plan.banding; }
  [[nodiscard]] bool decides() const { return verb_ == "dedup"; }
  [[nodiscard]] bool lists() const { return !decides() || !options_.pairs.empty(); }
  [[nodiscard]] ComparedSets compared() const {
    return {verb_, options_, settings_, choice_, inputs(), corpus()};
  }

  // Each row with a set is an item of its own, behind the items of the index that were hit.
  [[nodiscard]] Items items_of_rows() const {
    Items items;
    items.fixed = corpus().first_own_row;
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

  // All items of the index, as it was before rows were added.
  void read_items(const TakeOtherSet& take) {
    const std::vector<std::uint64_t>& hit = index_items_of(inputs().list.front())->numbers();
    auto next = hit.begin();
    folder_.for_each([&](const IndexItem& item) {
      const bool is_new = writer_ != nullptr && item.number >= maker_.first_number;
      if (item.size == 0 || is_new || (where_ && !where_->accepts(item))) return;
      while (next != hit.end() && *next < item.number) ++next;
      const bool is_hit = next != hit.end() && *next == item.number;
      take(lookup_->elements_of(item, finders_.front()),
           is_hit ? static_cast<RowId>(next - hit.begin()) : kNoRow);
    });
  }

  void prepare_items() {
    expect_named_alike(inputs().ids_are_rows, folder_.manifest(), folder_.path());
    maker_ = {folder_.next_number(), 0, !inputs().ids_are_rows, folder_.manifest().keeps_items};
    if (maker_.keeps_items) return;
    std::vector<SketchedFile> files = contents_of(options_, settings_, inputs()).files;
    files.erase(files.begin());  // the index itself
    maker_.first_file = writer_->add_files(files) - 1;
  }

  void begin(std::size_t rows) {
    pool_.check_cancelled();
    block_.assign(rows, NewRow{});
  }

  void look_up(unsigned worker, const InputRow& row, NewRow& out) {
    out.row = row.row;
    out.state = row.state;
    if (row.state == RowState::skipped || row.state == RowState::unmatched) return;
    IndexLookup::Finder& finder = finders_[worker];
    lookup_->find(row.set, finder, out.hits);
    if (!decides()) {
      choose(out.hits);
      return;
    }
    out.hash = row.hash;
    if (!lists() && out.hits.size() > 1) out.hits.erase(out.hits.begin() + 1, out.hits.end());
    if (!out.hits.empty()) return;
    out.set.assign(row.set.set.begin(), row.set.set.end());
    out.keys.assign(row.set.keys.begin(), row.set.keys.end());
    out.filter.assign(row.set.filter.begin(), row.set.filter.end());
    if (writer_ == nullptr) return;
    out.bytes = maker_.pack(row);
    if (maker_.is_named && folder_.find_name(row.name.id, finder.buffer)) out.same_id = row.name.id;
  }

  // Leaves the ones that --top can list.
  void choose(std::vector<IndexHit>& hits) const {
    if (options_.top == 0 || hits.size() <= options_.top) return;
    keep_best_hits(*settings_.measure, options_.top, hits);
    std::sort(hits.begin(), hits.end(),
              [](const IndexHit& a, const IndexHit& b) { return a.number < b.number; });
  }

  void end_block() {
    for (NewRow& row : block_) {
      if (lists()) keep_pairs(row);
      if (decides()) decide(row);
    }
    expect_fit();
  }

  void keep_pairs(const NewRow& row) {
    some_pairs_.clear();
    for (const IndexHit& hit : row.hits) {
      some_pairs_.push_back({row.row, items_hit_.add(hit), hit.overlap});
    }
    pairs_.append(some_pairs_.data(), some_pairs_.size());
    const PairSelection wanted = pair_selection(options_);
    if (wanted.all()) check_pair_limit(wanted, facts_, pairs_.size());
  }

  // A row goes by the first item or, if there is none, the first kept row that it is similar to.
  void decide(NewRow& row) {
    decisions_.push_back({row.row, {}, false});
    goes_by_item_.push_back(!row.hits.empty());
    if (row.state == RowState::skipped || row.state == RowState::unmatched) return;
    Decision& decision = decisions_.back();
    if (!row.hits.empty()) {
      const IndexHit& hit = row.hits.front();
      decision = {items_hit_.add(hit), Score(hit.overlap), hit.hash == row.hash};
      return;
    }
    const SketchedSet set{row.set, row.keys, row.filter};
    if (const std::optional<SimilarSet> hit = kept_.find(set)) {
      const Kept& kept = kept_rows_[hit->position];
      decision = {kept.row, Score(hit->overlap), kept.hash == row.hash};
    } else if (!row.set.empty()) {  // one without a set is like nothing, whether it is kept or not
      keep(row, set);
    }
  }

  void keep(NewRow& row, const SketchedSet& set) {
    kept_.add(set);
    kept_rows_.push_back({row.row, row.hash});
    if (writer_ == nullptr) return;
    if (row.same_id && same_ids_++ == 0) first_same_ = *row.same_id;
    writer_->add(std::move(row.bytes), row.keys);
  }

  void expect_fit() const {
    const std::uint64_t left = settings_.memory_bytes - lookup_->bytes();
    const std::uint64_t most = std::min(settings_.memory_bytes / 2, left);
    if (kept_.bytes() + items_hit_.bytes() <= most) return;
    throw Error(ErrorKind::limit_exceeded,
                decides() ? "the new rows do not fit into --memory, which holds the kept ones to "
                            "compare with"
                          : "the items that were found do not fit into --memory",
                "raise --memory, or take fewer inputs at a time");
  }

  // Pairs as they were found, which is their order: rows as they came, items by their numbers.
  void read_pairs(const TakeRowPairs& take) {
    const RowId first = corpus().first_own_row;
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
  std::string_view verb_;
  const Options& options_;
  const RunHooks& hooks_;
  const IndexFolder& folder_;
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
  KeptSets kept_;
  std::vector<Kept> kept_rows_;      // by position in kept_
  std::vector<Decision> decisions_;  // by row; the survivor is a row, or the place of an item
  std::vector<bool> goes_by_item_;
  std::function<std::string(RowId row)> line_;
  std::uint64_t same_ids_ = 0;  // kept rows with ids that are there
  std::string first_same_;
};

}  // namespace

std::unique_ptr<Engine> index_engine(std::string_view verb, const Options& options,
                                     const IndexFolder& folder, IndexWriter* writer,
                                     const RunHooks& hooks) {
  return std::make_unique<IndexEngine>(verb, options, folder, writer, hooks);
}

}  // namespace sosie
