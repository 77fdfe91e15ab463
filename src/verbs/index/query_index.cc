// query, pairs and dedup against an index on disk.
#include "verbs/index/query_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "options/bounds.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/index_engine.h"
#include "verbs/index/item_index_run.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// TABLE: options that mean nothing where rows are looked up in an index, and why.
struct NotForIndexes {
  std::string_view name;
  std::string_view reason;
  std::string_view way;
  bool items = false;  // refused of vectors, bit strings and strings, too
};
constexpr std::string_view kBuildAnother = "build another index with it";
constexpr std::string_view kNameFiles = "name the files that the items came from";
constexpr std::array kNotForIndexes = {
    NotForIndexes{"contained", "whose keys find rows that are similar as a whole, not passages",
                  kNameFiles},
    NotForIndexes{"reuse", "as an earlier run knows the ids of one collection only", "leave it out",
                  true},
    NotForIndexes{"construct", "which is looked up by the bands that it was built with",
                  kBuildAnother, true},
    NotForIndexes{"family", "which is looked up by the functions that it was built with",
                  kBuildAnother},
    NotForIndexes{"filters", "whose look-ups have one filter, which its plan counts on",
                  "leave it out"},
    NotForIndexes{"ignore-common", "whose items were made of all shingles", kNameFiles},
    NotForIndexes{"group-by", "as rows are looked up one by one, as they are read",
                  "put the sets together first: a row each"},
    NotForIndexes{"squares", "whose sets were made when it was built", kBuildAnother},
    NotForIndexes{"checkpoint", "as each row is read once and nothing of it is saved",
                  "a run over fewer rows at a time ends sooner"}};

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

// Survivors and order by which items win over rows, and rows over later ones.
void check_decisions(const Options& options) {
  for (const auto& [name, only] : {std::pair("keep", "first"), std::pair("clustering", "star")}) {
    const std::string value = given_value(options, name);
    if (value.empty() || value == only) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{name, value},
                fmt::format("cannot go with an index, whose items and earlier rows win: {}", only));
  }
}

}  // namespace

void refuse_beside_index(const Options& options, bool of_sets) {
  for (const NotForIndexes& each : kNotForIndexes) {
    if (!is_given(options, each.name) || (!of_sets && !each.items)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(each.name)},
                fmt::format("cannot go with an index, {}", each.reason), std::string(each.way));
  }
}

void refuse_told_of_index(std::string_view verb, const Options& options) {
  if (verb == "query") return;  // they are said of INPUT
  refuse_told_of_other(options, "an index knows what its items are", "leave it out");
}

std::string index_of(std::string_view verb, const Options& options) {
  return verb == "query" ? options.inputs.front() : options.against.front();
}

Options options_for_index(std::string_view verb, const Options& options,
                          const IndexManifest& manifest) {
  refuse_beside_index(options, true);
  const Options rows = options_of_rows(verb, options);
  refuse_sketched_inputs(rows);
  const std::string path = index_of(verb, options);
  Options chosen = with_kind_of_sets(with_index_options(rows, manifest, path), "an index");
  chosen.against = {path};
  chosen.memory_files[path] = std::make_shared<ItemsAsFile>(path, ItemsAsFile::Whole{});
  return chosen;
}

bool asks_index(std::string_view verb, const Options& options) {
  if (verb == "query") {
    return !options.inputs.empty() && !options.against_table && is_index(options.inputs.front());
  }
  return std::any_of(options.against.begin(), options.against.end(),
                     [](const std::string& path) { return is_index(path); });
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

RunReport query_index(std::string_view verb, const Options& options, const RunHooks& hooks) {
  const IndexFolder folder(index_of(verb, options));
  if (!folder.manifest().has_sets()) return query_items_of_index(verb, options, hooks);
  const Options rows = options_for_index(verb, options, folder.manifest());
  const Options found = with_own_rows(rows);
  const auto engine = index_engine(verb, found, folder, nullptr, hooks);
  RunReport report = pairs_with(*engine, verb, rows, hooks);
  give_numbers(*index_items_of(engine->inputs().list.front()), hooks);
  return report;
}

namespace {

RunReport dedup_sets(const Options& options, const IndexFolder& folder, IndexWriter* writer,
                     const RunHooks& hooks) {
  const Options rows = options_for_index("dedup", options, folder.manifest());
  const std::uint64_t next = folder.next_number();
  const auto engine = index_engine("dedup", rows, folder, writer, hooks);
  RunReport report = dedup_with(*engine, rows, hooks);
  give_numbers(*index_items_of(engine->inputs().list.front()), hooks);
  const Corpus& corpus = engine->corpus();
  if (writer != nullptr) writer->commit(next + corpus.rows - corpus.first_own_row);
  return report;
}

}  // namespace

RunReport dedup_index(const Options& options, const RunHooks& hooks) {
  if (options.dry_run && given_value(options, "add") == "true") {
    throw Error(ErrorKind::invalid_option, RefusedOption{"add"},
                "cannot go with --dry-run: it changes the index", "leave one of them out");
  }
  const std::string path = index_of("dedup", options);
  if (!read_manifest(path).has_sets()) return dedup_items_of_index(options, hooks);
  check_decisions(options);
  if (given_value(options, "add") != "true") {
    return dedup_sets(options, IndexFolder(path), nullptr, hooks);
  }
  IndexWriter writer(path, limits_of(options, hooks));
  return dedup_sets(options, writer.folder(), &writer, hooks);
}

}  // namespace sosie
