// Queries and pairs against an index on disk.
#include "verbs/index/query_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "corpus/count_inputs.h"
#include "corpus/rows/rejects.h"
#include "join/pair_selection.h"
#include "join/sets/index_lookup.h"
#include "join/sets/row_scan.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/set_cascade.h"
#include "options/settings.h"
#include "report/pair_writer.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/item_index_run.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 18> kNotForIndexes = {
    "contained", "audit",  "top-pairs", "show",          "checkpoint", "reuse",
    "construct", "family", "filters",   "ignore-common", "group-by",   "squares",
    "probes",    "pairs",  "clusters",  "report",        "annotate",   "save"};

// Options of the rows that are looked up.
Options options_of_rows(std::string_view verb, const Options& options) {
  refuse_told_of_index(verb, options);
  Options rows = verb == "query" ? options_of_other(options) : options;
  if (verb == "query") {
    rows.inputs.erase(rows.inputs.begin());
    if (rows.inputs.empty() && rows.files_from.empty() && !rows.table) rows.inputs = {"-"};
  } else if (options.against.size() > 1) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"against"},
                "takes one index and nothing else",
                "sosie index merge NEW INDEX INDEX... makes one of several");
  }
  rows.against.clear();
  return rows;
}

class IndexQuery {
 public:
  IndexQuery(std::string_view verb, const Options& options, const RunHooks& hooks)
      : verb_(verb),
        hooks_(hooks),
        folder_(index_of(verb, options)),
        options_(options_for_index(verb, options, folder_.manifest())),
        settings_(resolve(options_)),
        facts_(facts_of_sets(options_, false)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes),
        rows_(options_, settings_, scratch_, pool_, hooks),
        finders_(pool_.size()) {
    if (!folder_.manifest().keeps_items) {
      files_.emplace(folder_, options_, settings_, scratch_, pool_, hooks);
    }
    where_ = filter_of(options, folder_.manifest(), folder_.path());
    lookup_.emplace(folder_, settings_, files_ ? &*files_ : nullptr, where_ ? &*where_ : nullptr);
  }

  RunReport run() {
    check_outputs(rows_.inputs(), {options_.output, options_.stats, options_.rejects},
                  result_of(options_, hooks_));
    outputs_.emplace(verb_, options_, settings_, hooks_, facts_);
    rows_.read(plan(), {[this](std::size_t rows) { begin(rows); },
                        [this](unsigned worker, std::size_t i, const InputRow& row) {
                          look_up(worker, i, row);
                        },
                        [this] { write_block(); }});
    if (outputs_->rejects() != nullptr) {
      write_rejects(rows_.inputs(), rows_.bad_rows(), *outputs_->rejects());
    }
    return outputs_->finish([this] { return summarize(); }, pool_,
                            [this] {
                              require_unchanged(rows_.inputs());
                              if (files_) require_unchanged(files_->inputs());
                            });
  }

 private:
  struct Answer {
    RowId row = 0;
    RowName name;
    std::vector<IndexHit> hits;
  };

  [[nodiscard]] const BandingPlan& plan() const { return folder_.manifest().contents.plan.banding; }

  void begin(std::size_t rows) {
    if (answers_.size() < rows) answers_.resize(rows);
    for (Answer& answer : answers_) answer.hits.clear();
  }

  void look_up(unsigned worker, std::size_t i, const InputRow& row) {
    Answer& answer = answers_[i];
    answer.row = row.row;
    answer.name = row.name;
    lookup_->find(row.set, finders_[worker], answer.hits);
    if (options_.exclude_self) {
      std::erase_if(answer.hits, [&](const IndexHit& hit) { return hit.name == row.name.id; });
    }
    choose(answer.hits);
  }

  // Leaves the best ones, in the order of the verb.
  void choose(std::vector<IndexHit>& hits) const {
    if (verb_ == "query" || options_.top > 0) {
      keep_best_hits(*settings_.measure, options_.top, hits);
    }
    if (verb_ == "query") return;
    std::sort(hits.begin(), hits.end(),
              [](const IndexHit& a, const IndexHit& b) { return a.number < b.number; });
  }

  void write_block() {
    pool_.check_cancelled();
    for (const Answer& answer : answers_) {
      if (answer.hits.empty()) continue;
      ++rows_with_pairs_;
      pairs_ += answer.hits.size();
      check_pair_limit(pair_selection(options_), facts_, pairs_);
      for (const IndexHit& hit : answer.hits) write(answer, hit);
    }
    if (TableWriter* table = outputs_->table(); table != nullptr) table->flush();
  }

  void write(const Answer& answer, const IndexHit& hit) {
    if (hooks_.pairs != nullptr) {
      hooks_.pairs->left.push_back(answer.row);
      hooks_.pairs->right.push_back(hit.number);
      hooks_.pairs->similarity.push_back(settings_.measure->shown(hit.overlap));
    }
    if (outputs_->table() == nullptr) return;
    outputs_->table()->row({IdText{answer.name.id, answer.name.is_integer},
                            IdText{hit.name, hit.name_is_integer},
                            Decimal{settings_.measure->shown(hit.overlap)}});
  }

  [[nodiscard]] RunSummary summarize() const {
    MethodChoice choice;
    choice.banding = plan();
    choice.exact = settings_.method == Method::exact;
    RunSummary summary = summary_of_asked(verb_, options_, settings_, choice, pool_.size());
    count_inputs(rows_.inputs(), rows_.corpus(), summary);
    summary.against.given = true;
    summary.against.rows = folder_.items();
    summary.against.bytes = folder_.bytes();
    for (const IndexLookup::Finder& finder : finders_) {
      summary.candidates += finder.listed;
      summary.verified += finder.verified;
    }
    summary.is_similarity = facts_.is_similarity;
    if (!facts_.is_similarity) summary.within = facts_.bound;
    summary.pairs = pairs_;
    summary.rows_with_pairs = rows_with_pairs_;
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    summary.peak_bytes = peak_memory_bytes();
    summary.scratch_bytes = scratch_.peak_bytes();
    return summary;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string_view verb_;
  const RunHooks& hooks_;
  IndexFolder folder_;
  Options options_;
  Settings settings_;
  BoundFacts facts_;
  ThreadPool pool_;
  Scratch scratch_;
  RowScan rows_;
  std::vector<IndexLookup::Finder> finders_;  // by worker
  std::optional<ExternalItems> files_;
  std::optional<FieldFilter> where_;
  std::optional<IndexLookup> lookup_;
  std::optional<PairOutputs> outputs_;
  std::vector<Answer> answers_;  // by row of the block
  std::uint64_t pairs_ = 0;
  std::uint64_t rows_with_pairs_ = 0;
};

}  // namespace

void refuse_told_of_index(std::string_view verb, const Options& options) {
  if (verb == "query") return;  // they are said of INPUT
  refuse_told_of_other(options, "an index knows what its items are", "leave it out");
}

std::string index_of(std::string_view verb, const Options& options) {
  return verb == "query" ? options.inputs.front() : options.against.front();
}

Options options_for_index(std::string_view verb, const Options& options,
                          const IndexManifest& manifest) {
  for (const std::string_view name : kNotForIndexes) {
    if (is_given(options, name)) {
      throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)},
                  "cannot go with an index");
    }
  }
  const Options rows = options_of_rows(verb, options);
  refuse_sketched_inputs(rows);
  return with_kind_of_sets(with_index_options(rows, manifest, index_of(verb, options)), "an index");
}

bool asks_index(std::string_view verb, const Options& options) {
  if (verb == "query") {
    return !options.inputs.empty() && !options.against_table && is_index(options.inputs.front());
  }
  return std::any_of(options.against.begin(), options.against.end(),
                     [](const std::string& path) { return is_index(path); });
}

RunReport query_index(std::string_view verb, const Options& options, const RunHooks& hooks) {
  if (!read_manifest(index_of(verb, options)).has_sets()) {
    return query_items_of_index(verb, options, hooks);
  }
  return IndexQuery(verb, options, hooks).run();
}

}  // namespace sosie
