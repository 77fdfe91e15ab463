// dedup against an index on disk: new rows are kept, and may be added.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "corpus/count_inputs.h"
#include "corpus/rows/rejects.h"
#include "decide/decisions.h"
#include "join/sets/incremental_set_index.h"
#include "join/sets/index_lookup.h"
#include "join/sets/set_run.h"
#include "report/dedup_outputs.h"
#include "report/summary.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/item_index_run.h"
#include "verbs/index/query_index.h"

namespace sosie {
namespace {

// A row that goes, and why.
struct RemovedRow {
  RowId row = 0;
  RowId survivor = kNoRow;  // kNoRow: an item of the index
  RowName name;
  RowName kept;
  std::uint64_t kept_number = 0;  // number of an item
  double similarity = 1;
  bool identical = false;
};

void check_options(const Options& options) {
  for (const auto& [name, only] : {std::pair("keep", "first"), std::pair("clustering", "star")}) {
    const std::string value = given_value(options, name);
    if (value.empty() || value == only) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{name, value},
                fmt::format("cannot go with an index, whose items and earlier rows win: {}", only));
  }
}

// Rows that become items are read with the fields that the index keeps.
Options options_of_dedup(const Options& options, const IndexFolder& folder, bool adds) {
  Options chosen = options_for_index("dedup", options, folder.manifest());
  if (adds) chosen.show = kept_fields(folder.manifest().contents);
  return chosen;
}

// Row by row: what the index or a kept row before it is similar to is removed by the first such
// one. That is star clustering with --keep first, where the items of the index rank before all.
class IndexDedup {
 public:
  IndexDedup(const Options& options, const IndexFolder& folder, IndexWriter* writer,
             const RunHooks& hooks)
      : hooks_(hooks),
        folder_(folder),
        writer_(writer),
        options_(options_of_dedup(options, folder, writer != nullptr)),
        settings_(resolve(options_)),
        facts_(facts_of_sets(options_, false)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes),
        rows_(options_, settings_, scratch_, pool_, hooks),
        finders_(pool_.size()),
        kept_(plan(), *settings_.measure, settings_.threshold) {
    if (!folder_.manifest().keeps_items) {
      files_.emplace(folder_, options_, settings_, scratch_, pool_, hooks);
    }
    lookup_.emplace(folder_, settings_, files_ ? &*files_ : nullptr);
    if (settings_.method == Method::exact)
      kept_exactly_.emplace(*settings_.measure, settings_.threshold);
    if (writer_ == nullptr) return;
    expect_named_alike(rows_.inputs().ids_are_rows, folder_.manifest(), folder_.path());
    maker_ = {folder_.next_number(), 0, !rows_.inputs().ids_are_rows,
              folder_.manifest().keeps_items};
    if (!maker_.keeps_items) {
      maker_.first_file =
          writer_->add_files(contents_of(options_, settings_, rows_.inputs()).files);
    }
  }

  RunReport run() {
    DedupOutputs outputs =
        open_outputs({options_, hooks_, rows_.inputs(), pool_, {}, facts_.value_name()});
    rows_.read(plan(), {[this](std::size_t rows) { begin(rows); },
                        [this](unsigned worker, std::size_t i, const InputRow& row) {
                          look_up(worker, row, news_[i]);
                        },
                        [this] { decide_block(); }});
    if (same_ids_ > 0) refuse_same_ids({same_ids_, first_same_, folder_.path(), kOtherIds});
    const Corpus& corpus = rows_.corpus();
    if (outputs.removed) write_removed(*outputs.removed);
    if (hooks_.decisions != nullptr) tell(*hooks_.decisions);
    if (outputs.rejects) write_rejects(rows_.inputs(), rows_.bad_rows(), *outputs.rejects);
    const KeepRow keep = [&](RowId row) { return decisions_[row].survivor == row; };
    const KeepRow removed = [&](RowId row) { return !keep(row); };
    outputs.write({rows_.inputs(), corpus, pool_, hooks_}, keep, {}, removed);
    require_unchanged(rows_.inputs());
    pool_.check_cancelled();
    outputs.finish();
    const RunSummary summary = summarize();
    if (outputs.stats) outputs.stats->write(summary_json(summary));
    outputs.commit();
    if (writer_ != nullptr) writer_->commit(maker_.first_number + corpus.rows);
    return report_of(summary);
  }

 private:
  // A row of a block, as far as the index knows of it.
  struct NewRow {
    RowId row = 0;
    RowState state = RowState::normal;
    RowName name;
    Hash128 hash;
    std::vector<std::uint64_t> set;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint8_t> filter;
    std::string bytes;            // the item, to be added
    std::optional<IndexHit> hit;  // the first item that it is similar to
    bool has_same_id = false;
  };

  [[nodiscard]] const BandingPlan& plan() const { return folder_.manifest().contents.plan.banding; }

  void begin(std::size_t rows) {
    pool_.check_cancelled();
    news_.assign(rows, NewRow{});
  }

  void look_up(unsigned worker, const InputRow& row, NewRow& out) {
    out.row = row.row;
    out.state = row.state;
    out.name = row.name;
    out.hash = row.hash;
    if (row.state == RowState::skipped || row.state == RowState::unmatched) return;
    IndexLookup::Finder& finder = finders_[worker].finder;
    lookup_->find(row.set, finder, finders_[worker].hits);
    if (!finders_[worker].hits.empty()) {
      out.hit = std::move(finders_[worker].hits.front());
      return;
    }
    out.set.assign(row.set.set.begin(), row.set.set.end());
    out.keys.assign(row.set.keys.begin(), row.set.keys.end());
    out.filter.assign(row.set.filter.begin(), row.set.filter.end());
    if (writer_ == nullptr) return;
    out.bytes = maker_.pack(row);
    out.has_same_id = maker_.is_named && folder_.find_name(row.name.id, finder.buffer).has_value();
  }

  void decide_block() {
    for (NewRow& row : news_) {
      decisions_.push_back({row.row, {}, false});
      if (row.state == RowState::skipped || row.state == RowState::unmatched) continue;
      if (row.hit) {
        remove_by_index(row);
      } else if (!remove_by_row(row)) {
        keep(row);
      }
    }
    const std::uint64_t bytes =
        kept_elements_ * bytes_of_element() + kept_rows_.size() * bytes_of_kept();
    const std::uint64_t left = settings_.memory_bytes - lookup_->bytes();
    if (bytes <= std::min(settings_.memory_bytes / 2, left)) return;
    throw Error(ErrorKind::limit_exceeded,
                "the new rows do not fit into --memory, which holds the kept ones to compare with",
                "a larger --memory, or fewer inputs at a time");
  }

  [[nodiscard]] std::uint64_t bytes_of_element() const {
    return kept_exactly_ ? IncrementalSetIndex::kBytesPerElement : 24;
  }

  [[nodiscard]] std::uint64_t bytes_of_kept() const {
    if (kept_exactly_) return 300;
    return 200 + 32 * static_cast<std::uint64_t>(plan().bands) +
           static_cast<std::uint64_t>(plan().components);
  }

  void remove_by_index(const NewRow& row) {
    const IndexHit& hit = *row.hit;
    const bool identical = hit.hash == row.hash;
    removed_.push_back({row.row,
                        kNoRow,
                        row.name,
                        {hit.name, hit.name_is_integer},
                        hit.number,
                        identical ? same() : settings_.measure->shown(hit.overlap),
                        identical});
    decisions_.back() = {kNoRow, {}, identical};
    ++by_index_;
  }

  // The first kept row that a row is similar to.
  [[nodiscard]] std::optional<SimilarSet> find_kept(const NewRow& row) {
    if (kept_exactly_) return kept_exactly_->first_similar(row.set);
    hits_.clear();
    kept_.find({row.set, row.keys, row.filter}, 0, /*one=*/true, finder_, hits_);
    if (hits_.empty()) return {};
    return hits_.front();
  }

  bool remove_by_row(const NewRow& row) {
    const std::optional<SimilarSet> hit = find_kept(row);
    if (!hit) return false;
    const Kept& kept = kept_rows_[hit->position];
    const bool identical = kept.hash == row.hash;
    removed_.push_back({row.row, kept.row, row.name, kept.name, 0,
                        identical ? same() : settings_.measure->shown(hit->overlap), identical});
    decisions_.back() = {kept.row, {}, identical};
    return true;
  }

  // A row without a set is like nothing, whether it is an item or not.
  void keep(NewRow& row) {
    if (row.set.empty()) return;
    if (kept_exactly_) {
      kept_exactly_->add(row.set);
    } else {
      kept_.add({row.set, row.keys, row.filter});
    }
    kept_elements_ += row.set.size();
    kept_rows_.push_back({row.row, row.name, row.hash});
    if (writer_ == nullptr) return;
    if (row.has_same_id && same_ids_++ == 0) first_same_ = row.name.id;
    writer_->add(std::move(row.bytes), row.keys);
  }

  // Value of two equal items.
  [[nodiscard]] double same() const { return facts_.is_similarity ? 1 : 0; }

  void write_removed(TableWriter& out) const {
    const FileRows file_rows(rows_.corpus());
    const auto place_of = [&](RowId row) {
      const std::uint32_t file = rows_.corpus().locator(row).file;
      return std::pair(std::string_view(rows_.inputs().list[file].name),
                       std::uint64_t{file_rows.number_of(row, file)});
    };
    for (const RemovedRow& row : removed_) {
      const auto [file, number] = place_of(row.row);
      const bool by_index = row.survivor == kNoRow;
      const auto [kept_file, kept_number] =
          by_index ? std::pair(std::string_view(folder_.path()), row.kept_number)
                   : place_of(row.survivor);
      const IdText kept{row.kept.id, row.kept.is_integer};
      out.row({IdText{row.name.id, row.name.is_integer}, kept, facts_.cell(row.similarity),
               row.identical, kept, file, number, kept_file, kept_number});
    }
  }

  void tell(RowDecisions& out) const {
    const Corpus& corpus = rows_.corpus();
    for (RowId row = 0; row < corpus.rows; ++row) {
      const bool left_out = corpus.state(row) == RowState::skipped;
      out.survivor.push_back(left_out ? RowDecisions::kLeftOut : decisions_[row].survivor);
      out.similarity.push_back(same());
      out.identical.push_back(decisions_[row].identical);
    }
    for (const RemovedRow& row : removed_) {
      if (row.survivor == kNoRow) out.survivor[row.row] = RowDecisions::kAgainst | row.kept_number;
      out.similarity[row.row] = row.similarity;
    }
  }

  [[nodiscard]] RunSummary summarize() const {
    MethodChoice choice;
    choice.banding = plan();
    choice.exact = settings_.method == Method::exact;
    RunSummary summary = summary_of_asked("dedup", options_, settings_, choice, pool_.size());
    count_inputs(rows_.inputs(), rows_.corpus(), summary);
    summary.against.given = true;
    summary.against.rows = folder_.items();
    summary.against.bytes = folder_.bytes();
    summary.dry_run = options_.dry_run;
    summary.output = options_.output;
    summary.is_similarity = facts_.is_similarity;
    if (!facts_.is_similarity) summary.within = facts_.bound;
    Decisions(rows_.inputs(), rows_.corpus(), decisions_).count(summary);
    summary.against.removed = by_index_;
    count_groups(summary);
    summary.candidates = kept_exactly_ ? kept_exactly_->listed() : finder_.listed;
    summary.verified = kept_exactly_ ? kept_exactly_->verified() : finder_.verified;
    for (const Worker& worker : finders_) {
      summary.candidates += worker.finder.listed;
      summary.verified += worker.finder.verified;
    }
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    summary.peak_bytes = peak_memory_bytes();
    summary.scratch_bytes = scratch_.peak_bytes();
    return summary;
  }

  // Groups with the items of the index that lead some, and the first of the largest ones.
  void count_groups(RunSummary& summary) const {
    std::map<std::pair<bool, std::uint64_t>, LargestGroup> groups;
    for (const RemovedRow& row : removed_) {
      const bool is_own = row.survivor != kNoRow;
      LargestGroup& group = groups[{is_own, is_own ? row.survivor : row.kept_number}];
      group.rows += group.rows == 0 ? 2 : 1;  // with the one that is kept
      group.id = row.kept.id;
      if (group.line.empty()) group.line = "with " + row.name.id;
    }
    summary.groups = groups.size();
    for (const auto& [key, group] : groups) {
      if (group.rows > summary.largest.rows) summary.largest = group;
    }
  }

  struct Worker {
    IndexLookup::Finder finder;
    std::vector<IndexHit> hits;
  };
  struct Kept {
    RowId row;
    RowName name;
    Hash128 hash;
  };

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const RunHooks& hooks_;
  const IndexFolder& folder_;
  IndexWriter* writer_;  // null: nothing is added
  ItemMaker maker_;
  Options options_;
  Settings settings_;
  BoundFacts facts_;
  ThreadPool pool_;
  Scratch scratch_;
  RowScan rows_;
  std::vector<Worker> finders_;
  std::optional<ExternalItems> files_;
  std::optional<IndexLookup> lookup_;
  std::vector<NewRow> news_;                         // rows of the block
  IndexedSets kept_;                                 // sets of the kept rows that have one
  std::optional<IncrementalSetIndex> kept_exactly_;  // these, with method exact
  std::vector<Kept> kept_rows_;                      // these rows, by position
  std::uint64_t kept_elements_ = 0;
  IndexedSets::Finder finder_;
  std::vector<IndexedSets::Hit> hits_;
  std::vector<Decision> decisions_;  // by row
  std::vector<RemovedRow> removed_;
  std::uint64_t by_index_ = 0;
  std::uint64_t same_ids_ = 0;  // kept rows with ids that are there
  std::string first_same_;
};

}  // namespace

RunReport dedup_index(const Options& options, const RunHooks& hooks) {
  const std::string path = index_of("dedup", options);
  if (!read_manifest(path).has_sets()) return dedup_items_of_index(options, hooks);
  check_options(options);
  if (given_value(options, "add") != "true") {
    const IndexFolder folder(path);
    return IndexDedup(options, folder, nullptr, hooks).run();
  }
  IndexWriter writer(path, limits_of(options, hooks));
  return IndexDedup(options, writer.folder(), &writer, hooks).run();
}

}  // namespace sosie
