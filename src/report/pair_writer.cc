// Outputs of `pairs` and `query`: names, values of the measure, and shown fields.
#include "report/pair_writer.h"

#include <algorithm>

#include "corpus/rows/rejects.h"
#include "decide/pair_note.h"
#include "options/formats.h"
#include "options/output_names.h"
#include "read/field_paths.h"
#include "report/summary.h"

namespace sosie {
namespace {

constexpr std::size_t kBatch = 16384;

}  // namespace

std::vector<std::string> pair_columns(const std::vector<std::string>& show,
                                      std::string_view value_name) {
  std::vector<std::string> columns = {"left", "right", std::string(value_name)};
  for (const std::string& field : show) {
    columns.push_back("left_" + unescaped_name(field));
    columns.push_back("right_" + unescaped_name(field));
  }
  return columns;
}

PairWriter::PairWriter(const Inputs& inputs, const Corpus& corpus, const PairFields& fields,
                       ThreadPool& pool, TableWriter* out, RowPairs* found)
    : corpus_(corpus),
      fields_(fields),
      names_(inputs, corpus, fields.show, pool),
      pool_(pool),
      out_(out),
      found_(found) {}

void PairWriter::leave_out_own(const OwnPairs& own) {
  own_.emplace(own);
  if (own.wanted.limit > 0) held_.emplace(own.scratch, sizeof(ScoredPair), kLargePage);
}

void PairWriter::add(std::span<const ScoredPair> pairs) {
  for (const ScoredPair& pair : pairs) {
    batch_.push_back(pair);
    if (batch_.size() == kBatch) flush();
  }
}

PairCounts PairWriter::finish() {
  flush();
  if (held_) write_held();
  return written_;
}

void PairWriter::flush() {
  pool_.check_cancelled();
  if (own_) erase_own();
  if (held_) {
    held_->append(batch_.data(), batch_.size());
    check_pair_limit(own_->wanted, own_->facts, held_->size());
  } else {
    write(batch_);
  }
  batch_.clear();
}

// If the left row has other pairs, removes those beyond --top, which come last.
void PairWriter::erase_own() {
  std::vector<RowNumber> lefts;
  std::vector<RowNumber> rights;
  for (const ScoredPair& pair : batch_) {
    lefts.push_back(row_of(pair.left));
    rights.push_back(row_of(pair.right));
  }
  const auto left = names_.look_up(lefts);
  const auto right = names_.look_up(rights);
  std::size_t i = 0;
  std::erase_if(batch_, [&](const ScoredPair& pair) {
    const bool is_own = left[i].id == right[i].id;
    ++i;
    if (pair.left != last_own_left_) of_left_ = 0;
    last_own_left_ = pair.left;
    return is_own || (++of_left_ > own_->wanted.top && own_->wanted.top > 0);
  });
}

void PairWriter::write_held() {
  held_->finish();
  std::vector<ScoredPair> some;
  for (std::uint64_t first = 0; first < held_->size(); first += some.size()) {
    some.resize(std::min<std::uint64_t>(kBatch, held_->size() - first));
    held_->read(first, some.size(), some.data());
    write(some);
  }
}

void PairWriter::write(std::span<const ScoredPair> pairs) {
  written_.pairs += pairs.size();
  std::vector<RowNumber> lefts;
  std::vector<RowNumber> rights;
  for (const ScoredPair& pair : pairs) {
    if (pair.left != last_left_) ++written_.lefts;
    last_left_ = pair.left;
    lefts.push_back(row_of(pair.left));
    rights.push_back(row_of(pair.right));
    if (found_ == nullptr) continue;
    found_->left.push_back(corpus_.number_of(lefts.back()));
    found_->right.push_back(corpus_.number_of(rights.back()));
    found_->similarity.push_back(pair.value);
  }
  if (out_ == nullptr) return;
  const auto left = names_.look_up(lefts);
  const auto right = names_.look_up(rights);
  out_->rows(pairs.size(), pool_, [&](std::size_t i, const TableWriter::PutRow& put) {
    std::vector<Cell> cells = {IdText{left[i].id, left[i].id_is_integer},
                               IdText{right[i].id, right[i].id_is_integer},
                               fields_.facts.cell(pairs[i].value)};
    for (std::size_t field = 0; field < left[i].shown.size(); ++field) {
      cells.emplace_back(left[i].shown[field]);
      cells.emplace_back(right[i].shown[field]);
    }
    std::string compared[2];
    if (fields_.compared) {
      compared[0] = fields_.compared(lefts[i]);
      compared[1] = fields_.compared(rights[i]);
      cells.insert(cells.end(), {compared[0], compared[1]});
    }
    put(cells);
  });
}

PairOutputs::PairOutputs(VerbBit verb, const Options& options, const Settings& settings,
                         const RunHooks& hooks, const BoundFacts& facts)
    : hooks_(hooks) {
  std::vector<std::string> shown = settings.show;
  if (shows_compared(options)) shown.emplace_back("compared");
  const auto columns = pair_columns(shown, facts.value_name());
  if (!options.output.empty()) {
    const std::string note = verb == kPairs ? pair_note(options, facts) : std::string();
    table_.emplace(options.output, table_format_of(options.output), columns, hooks.cancel,
                   hooks.table_files, note);
  } else if (hooks.pairs == nullptr) {
    table_.emplace(hooks.result_descriptor, columns, hooks.cancel);
  }
  check_json_name("--stats", options.stats, "the summary");
  if (!options.stats.empty()) stats_.emplace(options.stats, hooks.cancel);
  if (!options.rejects.empty()) {
    rejects_.emplace(options.rejects, table_format_of(options.rejects), reject_columns(),
                     hooks.cancel, hooks.table_files);
  }
  if (table_ && (stats_ || rejects_)) table_->outlive_reader();
}

RunReport PairOutputs::finish(const std::function<RunSummary()>& summarize, ThreadPool& pool,
                              const std::function<void()>& is_unchanged) {
  if (rejects_) rejects_->finish();
  is_unchanged();
  pool.check_cancelled();
  if (hooks_.on_progress) hooks_.on_progress({"finishing", 0, 0});
  if (table_) table_->finish();
  RunReport report = report_of(summarize());
  if (stats_) {
    stats_->write(report.stats);
    stats_->finish();
  }
  if (rejects_) rejects_->commit();
  if (stats_) stats_->commit();
  if (table_) table_->commit();
  return report;
}

}  // namespace sosie
