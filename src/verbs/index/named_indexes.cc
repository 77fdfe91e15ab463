// Finds and opens the indexes that a run names.
#include "verbs/index/named_indexes.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/count_text.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "verbs/index/item_index_run.h"

namespace sosie {
namespace {

// The arguments that may name indexes.
std::vector<std::string> arguments_of(VerbBit verb, const Options& options) {
  if (verb != kQuery) return options.against;
  if (options.inputs.empty() || options.against_table) return {};
  return {options.inputs.front()};
}

void refuse_twice(const std::vector<std::string>& paths, const std::string& path) {
  for (const std::string& other : paths) {
    std::error_code error;
    if (&other == &path || !std::filesystem::equivalent(other, path, error)) continue;
    throw Error(ErrorKind::invalid_option,
                other == path ? path + ": this index is given twice"
                              : fmt::format("{} and {} are the same index", other, path),
                "name each index once");
  }
}

void expect_alike(const IndexFolder& first, const IndexFolder& other) {
  const bool has_sets = first.manifest().has_sets();
  if (other.manifest().has_sets() != has_sets) {
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("{}: holds {}, {} holds {}", other.path(), has_sets ? "other items" : "sets",
                    first.path(), has_sets ? "sets" : "other items"));
  }
  const auto expect_equal = has_sets ? expect_equal_building : expect_equal_items;
  expect_equal(other.manifest(), other.path(), first.manifest(), first.path());
}

}  // namespace

bool asks_index(VerbBit verb, const Options& options) {
  const std::vector<std::string> arguments = arguments_of(verb, options);
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& argument) { return !indexes_in(argument).empty(); });
}

std::vector<std::string> named_indexes(VerbBit verb, const Options& options) {
  std::vector<std::string> all;
  for (const std::string& argument : arguments_of(verb, options)) {
    const std::vector<std::string> some = indexes_in(argument);
    if (some.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"against", argument},
                  "is not an index, but is given together with one",
                  "run once for the files, once for indexes");
    }
    if (std::find(some.begin(), some.end(), "") != some.end()) {
      throw Error(ErrorKind::invalid_option, fmt::format("{}: an index has no name", argument),
                  "commas separate the names of indexes: A,B");
    }
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<std::unique_ptr<IndexFolder>> open_alike(const std::vector<std::string>& paths) {
  std::vector<std::unique_ptr<IndexFolder>> folders;
  for (const std::string& path : paths) {
    folders.push_back(std::make_unique<IndexFolder>(path));
    if (folders.size() > 1) expect_alike(*folders.front(), *folders.back());
  }
  return folders;
}

std::vector<std::unique_ptr<IndexFolder>> open_together(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) refuse_twice(paths, path);
  return open_alike(paths);
}

void tell_shared_id(const IndexView& index, const ItemsAsFile& items, const RunHooks& hooks) {
  const bool are_named = !index.manifest().contents.id_field.empty();
  if (!index.is_several() || !are_named || !hooks.on_message) return;
  std::vector<std::pair<std::uint64_t, std::size_t>> rows;  // by the hash of the id
  for (std::size_t row = 0; row < items.numbers().size(); ++row) {
    const std::string id = items.id(row).first;
    rows.emplace_back(XXH3_64bits(id.data(), id.size()), row);
  }
  std::sort(rows.begin(), rows.end());
  std::optional<std::pair<std::size_t, std::size_t>> first;
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto [one, other] = std::pair(rows[i - 1].second, rows[i].second);
    if (rows[i - 1].first != rows[i].first || items.id(one).first != items.id(other).first)
      continue;
    ++count;
    if (!first || one < first->first) first.emplace(one, other);
  }
  if (!first) return;
  const auto path_of = [&](std::size_t row) { return index.path_of(items.numbers()[row]); };
  const std::string more =
      count > 1 ? fmt::format(" ({} likewise)", plural_text(count - 1, "more id", "more ids")) : "";
  hooks.on_message(fmt::format("id '{}' is in {} and in {}{}: look-ups find both items",
                               items.id(first->first).first, path_of(first->first),
                               path_of(first->second), more));
}

}  // namespace sosie
