#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cluster/components.h"
#include "cluster/star.h"
#include "io/output_file.h"
#include "pipeline/kept_rows.h"
#include "pipeline/pair_table.h"
#include "pipeline/row_names.h"
#include "pipeline/run.h"
#include "pipeline/summary.h"
#include "read/formats.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {
namespace {

const std::vector<std::string> kRemovedColumns = {
    "id", "kept_id", "similarity", "exact", "cluster_id", "file", "row", "kept_file", "kept_row"};
const std::vector<std::string> kClusterColumns = {"id", "cluster_id", "kept", "size"};

// What became of one row.
struct Decision {
  RowId survivor = kNoRow;  // the row itself when it is kept
  Overlap overlap{1, 1};    // with the survivor
  bool identical = false;   // the same normalised text as the survivor
};

// The outputs a dedup run has been asked for; all appear together, at the end.
struct Outputs {
  std::unique_ptr<OutputFile> kept;
  std::unique_ptr<TableWriter> removed;
  std::unique_ptr<TableWriter> clusters;
  std::unique_ptr<TableWriter> pairs;
  std::unique_ptr<OutputFile> stats;
};

// The one format of all inputs. Throws when kept rows of different formats would be mixed, or
// written under the name of another format.
void check_output_format(const Run& run) {
  const Format* format = nullptr;
  for (const InputFile& input : run.inputs.list) {
    if (format != nullptr && input.format != format) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("cannot write {} and {} rows into one output", format->name,
                              input.format->name),
                  "run them apart, or use --dry-run with --removed");
    }
    format = input.format;
  }
  const Format* named = format_by_extension(run.options.output);
  if (format != nullptr && named != nullptr && named != format) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: kept rows are written as they came, and the input is {}",
                            run.options.output, format->name));
  }
}

Outputs open_outputs(const Run& run) {
  const Options& o = run.options;
  check_outputs(run.inputs, {o.output, o.removed, o.clusters, o.pairs, o.stats});
  Outputs out;
  if (!o.dry_run) {
    check_output_format(run);
    out.kept = o.output.empty()
                   ? std::make_unique<OutputFile>(run.hooks.result_descriptor, "<stdout>")
                   : std::make_unique<OutputFile>(o.output);
  }
  if (!o.removed.empty()) out.removed = std::make_unique<TableWriter>(o.removed, kRemovedColumns);
  if (!o.clusters.empty()) {
    out.clusters = std::make_unique<TableWriter>(o.clusters, kClusterColumns);
  }
  if (!o.pairs.empty()) {
    out.pairs = std::make_unique<TableWriter>(o.pairs, pair_columns({}));
  }
  if (!o.stats.empty()) out.stats = std::make_unique<OutputFile>(o.stats);
  return out;
}

class Dedup {
 public:
  Dedup(const Options& options, const RunHooks& hooks)
      : run_("dedup", options, hooks), outputs_(open_outputs(run_)) {}

  RunReport execute() {
    run_.prepare();
    unverified_ = removed_by_components();
    cluster();
    RunSummary summary = count();
    RowNames names(run_.inputs, run_.corpus, {}, run_.pool);
    name_largest(names, summary);
    write_tables(names);
    if (outputs_.pairs) summary.pairs = write_pairs();
    if (outputs_.kept) {
      write_kept_rows(
          run_.inputs, run_.corpus, [&](RowId row) { return is_kept(row); }, run_.pool, run_.hooks,
          *outputs_.kept);
    }
    return finish(std::move(summary));
  }

 private:
  void cluster() {
    Matcher& matcher = *run_.matcher;
    StarSteps steps;
    steps.prune = [&](unsigned worker, Place item, std::vector<Place>& candidates) {
      matcher.prune(worker, item, candidates);
    };
    steps.first_match = [&](unsigned worker, Place item, std::span<const Place> candidates) {
      return matcher.first_match(worker, item, candidates);
    };
    steps.progress = run_.progress("comparing");
    clusters_ = star_clusters(matcher.buckets(), matcher.buckets_of(), run_.pool, steps);
  }

  // How many rows connected components of all buckets would leave out, nothing verified.
  [[nodiscard]] std::uint64_t removed_by_components() const {
    if (run_.choice.brute) return 0;
    return run_.items.size() - count_components(run_.matcher->buckets(), run_.items.size()) +
           run_.items.copies.size();
  }

  [[nodiscard]] Decision decide(RowId row) const {
    const Place place = run_.items.place_of[row];
    if (place == kNoPlace) return {row, {1, 1}, false};
    const Place survivor = clusters_.survivor[place];
    const RowId kept = run_.items.rows[survivor];
    if (survivor == place) return {kept, {1, 1}, kept != row};
    return {kept, clusters_.overlap[place], false};
  }

  [[nodiscard]] bool is_kept(RowId row) const {
    return decide(row).survivor == row && run_.corpus.state(row) != RowState::skipped;
  }

  // Fills in what was kept and removed, per input and in all.
  RunSummary count() {
    RunSummary summary = run_.summarize();
    group_rows_.assign(run_.corpus.rows, 0);
    std::vector<InputCounts*> of_file;
    for (const InputFile& input : run_.inputs.list) {
      for (InputCounts& counts : summary.inputs) {
        if (counts.name == input.group) of_file.push_back(&counts);
      }
    }
    for (const ScannedBlock& block : run_.corpus.blocks) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const RowId row = block.first_row + static_cast<RowId>(i);
        if (block.states[i] == RowState::skipped) continue;
        const Decision decision = decide(row);
        ++group_rows_[decision.survivor];
        for (InputCounts* counts : {&summary.total, of_file[block.locators[i].file]}) {
          if (decision.survivor == row) {
            ++counts->kept;
          } else {
            ++(decision.identical ? counts->identical : counts->near);
          }
        }
      }
    }
    const std::uint64_t removed = summary.total.identical + summary.total.near;
    if (!run_.choice.brute) summary.unverified_extra = unverified_ - std::min(unverified_, removed);
    summary.dry_run = run_.options.dry_run;
    summary.output = run_.options.output;
    return summary;
  }

  void name_largest(RowNames& names, RunSummary& summary) {
    RowId largest = kNoRow;
    for (RowId row = 0; row < run_.corpus.rows; ++row) {
      if (group_rows_[row] < 2) continue;
      ++summary.groups;
      if (largest == kNoRow || group_rows_[row] > group_rows_[largest]) largest = row;
    }
    if (largest == kNoRow) return;
    summary.largest.rows = group_rows_[largest];
    summary.largest.id = names.look_up({&largest, 1}).front().id;
    RowReader reader(run_.inputs, run_.corpus, run_.inputs.fields);
    const std::string_view text = reader.read(largest).text;
    const auto start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    summary.largest.line = text.substr(start, text.find('\n', start) - start);
  }

  void write_tables(RowNames& names) {
    if (outputs_.removed) write_removed(names);
    if (outputs_.clusters) write_clusters(names);
  }

  void write_removed(RowNames& names) {
    constexpr std::size_t kBatch = 16384;
    std::vector<RowId> rows;
    const auto flush = [&] {
      std::vector<RowId> kept;
      for (const RowId row : rows) kept.push_back(decide(row).survivor);
      const auto ids = names.look_up(rows);
      const auto kept_ids = names.look_up(kept);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Decision decision = decide(rows[i]);
        outputs_.removed->row({ids[i].id, kept_ids[i].id,
                               Decimal{run_.settings.measure->similarity(decision.overlap)},
                               decision.identical, kept_ids[i].id, file_of(rows[i]),
                               std::uint64_t{rows[i]}, file_of(kept[i]), std::uint64_t{kept[i]}});
      }
      rows.clear();
    };
    for (RowId row = 0; row < run_.corpus.rows; ++row) {
      if (decide(row).survivor == row) continue;
      rows.push_back(row);
      if (rows.size() == kBatch) flush();
    }
    flush();
  }

  // Groups in the order of their survivors, members in input order.
  void write_clusters(RowNames& names) {
    std::vector<std::pair<RowId, RowId>> members;  // survivor, row
    for (RowId row = 0; row < run_.corpus.rows; ++row) {
      const RowId survivor = decide(row).survivor;
      if (group_rows_[survivor] >= 2) members.emplace_back(survivor, row);
    }
    std::sort(members.begin(), members.end());
    constexpr std::size_t kBatch = 16384;
    for (std::size_t begin = 0; begin < members.size(); begin += kBatch) {
      const std::size_t end = std::min(members.size(), begin + kBatch);
      std::vector<RowId> rows;
      std::vector<RowId> survivors;
      for (std::size_t i = begin; i < end; ++i) {
        survivors.push_back(members[i].first);
        rows.push_back(members[i].second);
      }
      const auto ids = names.look_up(rows);
      const auto survivor_ids = names.look_up(survivors);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        outputs_.clusters->row({ids[i].id, survivor_ids[i].id, rows[i] == survivors[i],
                                std::uint64_t{group_rows_[survivors[i]]}});
      }
    }
  }

  std::uint64_t write_pairs() {
    PairRows rows(
        run_.corpus, run_.items,
        verified_pairs(*run_.matcher, run_.items.size(), run_.pool, run_.progress("pairing")));
    return write_pair_table(run_, rows, *outputs_.pairs);
  }

  RunReport finish(RunSummary summary) {
    const RunSummary now = run_.summarize();  // time and memory, writing included
    summary.seconds = now.seconds;
    summary.peak_bytes = now.peak_bytes;
    if (outputs_.stats) outputs_.stats->write(summary_json(summary));
    if (outputs_.removed) outputs_.removed->commit();
    if (outputs_.clusters) outputs_.clusters->commit();
    if (outputs_.pairs) outputs_.pairs->commit();
    if (outputs_.stats) outputs_.stats->commit();
    if (outputs_.kept) outputs_.kept->commit();
    RunReport report;
    report.rows = summary.total.rows;
    report.kept = summary.total.kept;
    report.removed = summary.total.identical + summary.total.near;
    report.pairs = summary.pairs;
    report.summary = summary_text(summary);
    return report;
  }

  [[nodiscard]] std::string_view file_of(RowId row) const {
    return run_.inputs.list[run_.corpus.locator(row).file].name;
  }

  Run run_;
  Outputs outputs_;
  Clusters clusters_;
  std::uint64_t unverified_ = 0;
  std::vector<std::uint32_t> group_rows_;  // by surviving row
};

}  // namespace

RunReport dedup(const Options& options, const RunHooks& hooks) {
  return Dedup(options, hooks).execute();
}

}  // namespace sosie
