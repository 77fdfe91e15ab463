// query, pairs and dedup against an index on disk.
#include "verbs/index/query_index.h"

#include <fmt/format.h>

#include <array>

#include "options/bounds.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/index_engine.h"
#include "verbs/index/item_index_run.h"
#include "verbs/index/named_indexes.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// TABLE: options that have no meaning when rows are looked up in an index, with the reason.
struct NotForIndexes {
  std::string_view name;
  std::string_view reason;
  std::string_view way;
  bool items = false;  // refused of vectors, bit strings and strings, too
};
constexpr std::string_view kBuildAnother = "build another index with it";
constexpr std::string_view kNameFiles = "name the files that the items came from";
constexpr std::array kNotForIndexes = {
    NotForIndexes{"contained", "whose keys find rows similar as a whole, not passages", kNameFiles},
    NotForIndexes{"reuse", "because an earlier run knows the ids of only one collection",
                  "leave it out", true},
    NotForIndexes{"construct", "which is searched with the bands it was built with", kBuildAnother,
                  true},
    NotForIndexes{"family", "which is searched with the functions it was built with",
                  kBuildAnother},
    NotForIndexes{"filters", "whose plan fixes the filter", "leave it out"},
    NotForIndexes{"ignore-common", "whose items were made from all shingles", kNameFiles},
    NotForIndexes{"group-by", "where rows are looked up one by one as they are read",
                  "build the sets first, one per row"},
    NotForIndexes{"squares", "whose sets were made when it was built", kBuildAnother},
    NotForIndexes{"checkpoint", "where each row is read once and not saved",
                  "split the rows over several shorter runs"}};

// Options of the rows to look up.
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

// Checks the rules that items win over rows, and earlier rows over later ones.
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

void refuse_beside_index(const Options& options, bool of_sets) {
  for (const NotForIndexes& each : kNotForIndexes) {
    if (!is_given(options, each.name) || (!of_sets && !each.items)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(each.name)},
                fmt::format("cannot be combined with an index, {}", each.reason),
                std::string(each.way));
  }
}

void refuse_told_of_index(VerbBit verb, const Options& options) {
  if (verb == kQuery) return;  // they are said of INPUT
  refuse_told_of_other(options, "an index already knows the kind of its items", "leave it out");
}

Options options_for_index(VerbBit verb, const Options& options, const IndexView& index) {
  refuse_beside_index(options, true);
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
