// query, pairs and dedup against an index on disk.
#include "verbs/index/query_index.h"

#include <fmt/format.h>

#include "data/kinds.h"
#include "options/bounds.h"
#include "sosie/error.h"
#include "sosie/help.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/index_engine.h"
#include "verbs/index/item_index_run.h"
#include "verbs/index/named_indexes.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// Options for the rows to look up.
Options options_of_rows(VerbBit verb, const Options& options) {
  refuse_told_of_index(verb, options);
  Options rows = verb == kQuery ? options_of_other(options) : options;
  if (verb == kQuery) {
    rows.inputs.erase(rows.inputs.begin());
    if (rows.inputs.empty() && rows.files_from.empty() && !rows.table) rows.inputs = {"-"};
  }
  rows.against.clear();
  return rows;
}

// Checks that items win over rows, and earlier rows over later ones.
void check_decisions(const Options& options) {
  for (const auto& [name, only] : {std::pair("keep", "first"), std::pair("clustering", "star")}) {
    const std::string value = given_value(options, name);
    if (value.empty() || value == only) continue;
    throw Error(
        ErrorKind::invalid_option, RefusedOption{name, value},
        fmt::format(
            "cannot be combined with an index, whose items and earlier rows always win ({})",
            only));
  }
}

}  // namespace

void refuse_beside_index(const Options& options, KindBit kinds) {
  for (const auto& [name, value] : options.given) {
    const OptionRow& row = *find_option(name);
    const std::string refusal = index_refusal_of(row, kinds);
    if (refusal.empty()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)}, refusal,
                std::string(row.indexed.way));
  }
}

void refuse_told_of_index(VerbBit verb, const Options& options) {
  if (verb == kQuery) return;  // the options apply to INPUT
  refuse_told_of_other(options, "an index already knows the kind of its items", "leave it out");
}

Options options_for_index(VerbBit verb, const Options& options, const IndexView& index) {
  refuse_beside_index(options, kAsSets);
  const Options rows = options_of_rows(verb, options);
  refuse_sketched_inputs(rows);
  const std::string& path = index.path();
  Options chosen = with_kind_of_sets(with_index_options(rows, index.manifest(), path), "an index");
  chosen.against = {path};
  chosen.memory_files[path] = std::make_shared<ItemsAsFile>(path, ItemsAsFile::Whole{});
  return chosen;
}

void give_numbers(const ItemsAsFile& items, const RunHooks& hooks) {
  const std::vector<std::uint64_t>& numbers = items.numbers();
  if (hooks.pairs != nullptr) {
    for (std::uint64_t& right : hooks.pairs->right) right = numbers[right];
  }
  if (hooks.decisions == nullptr) return;
  for (std::uint64_t& survivor : hooks.decisions->survivor) {
    if (!is_item(survivor)) continue;
    survivor = RowDecisions::kAgainst | numbers[survivor & ~RowDecisions::kAgainst];
  }
}

RunReport query_index(VerbBit verb, const Options& options, const RunHooks& hooks) {
  const IndexView index(open_together(named_indexes(verb, options)));
  if (!index.manifest().has_sets()) return ItemIndexRun(verb, options, index).run(hooks);
  const Options rows = options_for_index(verb, options, index);
  const Options found = with_own_rows(rows);
  const auto engine = index_engine(verb, found, index, nullptr, hooks);
  RunReport report = pairs_with(*engine, verb, rows, hooks);
  give_numbers(*index_items_of(engine->inputs().list.front()), hooks);
  return report;
}

namespace {

RunReport dedup_sets(const Options& options, const IndexView& index, IndexWriter* writer,
                     const RunHooks& hooks) {
  check_decisions(options);
  const Options rows = options_for_index(kDedup, options, index);
  const std::uint64_t next = index.next_number();
  const auto engine = index_engine(kDedup, rows, index, writer, hooks);
  RunReport report = dedup_with(*engine, rows, hooks);
  give_numbers(*index_items_of(engine->inputs().list.front()), hooks);
  const Corpus& corpus = engine->corpus();
  if (writer != nullptr) writer->commit(next + corpus.rows - corpus.first_own_row);
  return report;
}

// The single index to which rows are added.
std::string index_to_grow(const Options& options) {
  if (options.dry_run) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"add"},
                "cannot be combined with --dry-run: it changes the index", "leave one of them out");
  }
  const std::vector<std::string> paths = named_indexes(kDedup, options);
  if (paths.size() == 1) return paths.front();
  throw Error(ErrorKind::invalid_option, RefusedOption{"add"},
              fmt::format("adds rows to a single index, but {} are given", paths.size()),
              "write the kept rows with -o NEW, then: sosie index add " + paths.back() + " NEW");
}

}  // namespace

RunReport dedup_index(const Options& options, const RunHooks& hooks) {
  if (given_value(options, "add") != "true") {
    const IndexView index(open_together(named_indexes(kDedup, options)));
    if (index.manifest().has_sets()) return dedup_sets(options, index, nullptr, hooks);
    return ItemIndexRun(kDedup, options, index).run(hooks);
  }
  const std::string path = index_to_grow(options);
  IndexWriter writer(path, limits_of(options, hooks));
  const IndexView index(writer.folder());
  if (index.manifest().has_sets()) return dedup_sets(options, index, &writer, hooks);
  return dedup_and_add_items(options, writer, index, hooks);
}

}  // namespace sosie
