// query, pairs and dedup over an index of vectors, bit strings or strings.
#include <algorithm>

#include "data/kinds.h"
#include "options/bounds.h"
#include "options/output_options.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/item_index_run.h"
#include "verbs/index/named_indexes.h"
#include "verbs/index/query_index.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

void check_item_options(VerbBit verb, const Options& options) {
  refuse_beside_index(options, kInMemory);
  refuse_told_of_index(verb, options);
  const std::string_view names_items = verb == kQuery ? "ids" : "other-ids";
  if (is_given(options, names_items)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(names_items)},
                "the items of an index already have ids");
  }
}

// Options for a run that makes decisions but writes nothing.
Options without_outputs(Options options) {
  options.dry_run = true;
  options.annotate.clear();
  forget_outputs(options);
  return options;
}

bool is_kept(const RowDecisions& decisions, RowId row) { return decisions.survivor[row] == row; }

// Throws Error{malformed_input} if rows to be kept have ids that already exist.
void expect_new_ids(ItemIndexRun run, ReadItems& rows, const IndexView& index,
                    const RunHooks& hooks) {
  if (!rows.is_named() || index.items() == 0) return;
  IndexBuffer buffer;
  std::vector<std::pair<RowId, std::string>> same;
  rows.for_each(index.manifest(), [&](ReadItems::Item& item) {
    if (index.find_name(item.name.id, buffer)) same.emplace_back(item.row, item.name.id);
  });
  if (same.empty()) return;
  RowDecisions decisions;
  RunHooks quiet = hooks;
  quiet.decisions = &decisions;
  quiet.on_message = nullptr;
  run.write_nothing();
  (void)run.run(quiet);
  std::erase_if(same, [&](const auto& row) { return !is_kept(decisions, row.first); });
  if (!same.empty()) refuse_same_ids({same.size(), same.front().second, index.path(), kOtherIds});
}

}  // namespace

bool is_item(std::uint64_t survivor) noexcept {
  return survivor < RowDecisions::kLeftOut && (survivor & RowDecisions::kAgainst) != 0;
}

ItemIndexRun::ItemIndexRun(VerbBit verb, const Options& options, const IndexView& index)
    : verb_(verb), index_(index), run_(options) {
  check_item_options(verb, options);
  if (verb == kQuery) {
    run_.inputs.front() = index.path();
  } else {
    run_.against = {index.path()};
  }
  refuse_sketched_inputs(asked());
  run_ = with_item_index(run_, index.manifest(), index.path());
}

Options ItemIndexRun::asked() const {
  Options rows = verb_ == kQuery ? as_join(run_) : run_;
  rows.against.clear();
  return rows;
}

RunReport ItemIndexRun::run_over(const std::shared_ptr<const ItemsAsFile>& rows,
                                 const RunHooks& hooks) {
  run_.memory_files[index_.path()] = rows;
  if (verb_ == kQuery) return query_rows(run_, hooks);
  return verb_ == kPairs ? pair_rows(run_, hooks) : dedup_rows(run_, hooks);
}

RunReport ItemIndexRun::run(const RunHooks& hooks) {
  const auto rows = items_near(index_, asked(), hooks);
  tell_shared_id(index_, *rows, hooks);
  RunReport report = run_over(rows, hooks);
  give_numbers(*rows, hooks);
  return report;
}

void ItemIndexRun::write_nothing() { run_ = without_outputs(std::move(run_)); }

RunReport dedup_and_add_items(const Options& options, IndexWriter& writer, const IndexView& index,
                              const RunHooks& hooks) {
  ItemIndexRun run(kDedup, options, index);
  if (std::find(options.inputs.begin(), options.inputs.end(), "-") != options.inputs.end()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"add"},
                "reads its rows twice, and standard input can be read only once",
                "write the rows to a file first");
  }
  ReadItems rows(run.asked(), hooks, kept_fields(index.manifest().contents));
  rows.require_fitting(index.manifest(), index.path());
  expect_new_ids(run, rows, index, hooks);
  RowDecisions decisions;
  RunHooks told = hooks;
  if (told.decisions == nullptr) told.decisions = &decisions;
  RunReport report = run.run(told);
  const std::uint64_t next = index.next_number() + rows.rows();
  const auto keeps = [&](RowId row) { return is_kept(*told.decisions, row); };
  (void)add_items({rows, SameIds::refuse, keeps}, writer);
  writer.commit(next);
  return report;
}

}  // namespace sosie
