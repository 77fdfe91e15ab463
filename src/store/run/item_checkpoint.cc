// Folder of --checkpoint for items in memory: checks that it belongs to the run.
#include "store/run/item_checkpoint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "data/kinds.h"
#include "options/bounds.h"
#include "options/equal_values.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "store/packed_writer.h"
#include "store/sketch_contents.h"

namespace sosie {
namespace {

constexpr std::string_view kItemMark = "sosie checkpoint i1\n";  // kind of folder and version
constexpr std::string_view kMarkOfSets = "sosie checkpoint 1\n";

// TABLE: options that determine what a run compares, with their values as given.
constexpr std::array<std::string_view, 28> kGiven = {"threshold",
                                                     "within",
                                                     "recall",
                                                     "method",
                                                     "family",
                                                     "bands",
                                                     "probes",
                                                     "construct",
                                                     "plan",
                                                     "column",
                                                     "id",
                                                     "ids",
                                                     "other-ids",
                                                     "format",
                                                     "delimiter",
                                                     "quote",
                                                     "escape",
                                                     "skip-lines",
                                                     "clean",
                                                     "no-header",
                                                     "encoding",
                                                     "kind",
                                                     "other-format",
                                                     "other-column",
                                                     "other-id",
                                                     "other-delimiter",
                                                     "other-encoding",
                                                     "other-skip-lines"};

// TABLE: options that name rows; their names are not saved.
constexpr std::array<std::string_view, 4> kNames = {"id", "ids", "other-ids", "other-id"};

struct RunFile {
  std::string name;
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t fingerprint = 0;
};

// Identity of a run.
struct ItemContents {
  std::vector<std::pair<std::string, std::string>> options;
  std::uint64_t others = 0;  // number of the files that are --against
  std::vector<RunFile> files;
  std::string bad_rows;
  std::uint64_t items = 0;
};

// True for options such as --other-column that only repeat for OTHER what applies to the run's own
// rows.
bool is_said_of_own(const Options& options, std::string_view name) {
  constexpr std::string_view kOther = "other-";
  if (!name.starts_with(kOther)) return false;
  const std::string_view own = name.substr(kOther.size());
  return equal_values_of(own, given_value(options, name), given_value(options, own));
}

ItemContents contents_of(const Options& options, const Inputs& inputs, std::uint64_t items) {
  ItemContents contents;
  contents.options = {{"measure", options.measure}, {"seed", std::to_string(options.seed)}};
  for (const std::string_view name : kGiven) {
    const std::string value =
        name == "kind" ? std::string(kind_name(options.kind)) : given_value(options, name);
    contents.options.emplace_back(name, is_said_of_own(options, name) ? std::string() : value);
  }
  contents.others = inputs.first_own_file;
  for (const InputFile& input : inputs.list) {
    if (!input.told.column.empty()) {
      contents.options.emplace_back("column of " + input.name, input.told.column);
    }
  }
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    contents.files.push_back({inputs.list[i].name, inputs.list[i].path, inputs.files[i].size(),
                              fingerprint_of(inputs.files[i])});
  }
  contents.bad_rows = options.on_bad_row;
  contents.items = items;
  return contents;
}

std::string packed(const ItemContents& contents) {
  PackedWriter out;
  out.column(std::span(kItemMark.data(), kItemMark.size()));
  out.value(std::uint64_t{contents.options.size()});
  for (const auto& [name, value] : contents.options) {
    out.text(name);
    out.text(value);
  }
  out.value(contents.others);
  out.value(std::uint64_t{contents.files.size()});
  for (const RunFile& file : contents.files) {
    out.text(file.name);
    out.text(file.path);
    out.value(file.bytes);
    out.value(file.fingerprint);
  }
  out.text(contents.bad_rows);
  out.value(contents.items);
  return out.bytes();
}

ItemContents unpacked(std::string_view bytes, const std::string& folder) {
  constexpr std::size_t kLeastOption = 2 * sizeof(std::uint64_t);
  constexpr std::size_t kLeastFile = 4 * sizeof(std::uint64_t);
  PackedReader in(bytes.substr(kItemMark.size()), folder, CheckpointFolder::kHint);
  ItemContents contents;
  contents.options.resize(in.count(kLeastOption));
  for (auto& [name, value] : contents.options) {
    name = in.text();
    value = in.text();
  }
  contents.others = in.value<std::uint64_t>();
  contents.files.resize(in.count(kLeastFile));
  for (RunFile& file : contents.files) {
    file.name = in.text();
    file.path = in.text();
    file.bytes = in.value<std::uint64_t>();
    file.fingerprint = in.value<std::uint64_t>();
  }
  contents.bad_rows = in.text();
  contents.items = in.value<std::uint64_t>();
  in.expect_end();
  return contents;
}

void check_options(const ItemContents& saved, const ItemContents& run, const std::string& folder) {
  for (const auto& of_run : run.options) {
    const auto found =
        std::find_if(saved.options.begin(), saved.options.end(),
                     [&](const auto& option) { return option.first == of_run.first; });
    expect_equal_option(of_run.first, found == saved.options.end() ? "" : found->second, folder,
                        of_run.second, "this run", CheckpointFolder::kHint);
  }
  expect_equal_option("against", fmt::format("{} files", saved.others), folder,
                      fmt::format("{} files", run.others), "this run", CheckpointFolder::kHint);
}

void check_files(const ItemContents& saved, const ItemContents& run, const std::string& folder) {
  const std::string hint(CheckpointFolder::kHint);
  const auto path = [](const std::vector<RunFile>& files, std::size_t i) {
    return i < files.size() ? files[i].path : "none";
  };
  for (std::size_t i = 0; i < std::max(saved.files.size(), run.files.size()); ++i) {
    if (path(saved.files, i) != path(run.files, i)) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: input {} was {}, in this run it is {}", folder, i + 1,
                              path(saved.files, i), path(run.files, i)),
                  hint);
    }
    const RunFile& was = saved.files[i];
    const RunFile& is = run.files[i];
    if (was.bytes == is.bytes && was.fingerprint == is.fingerprint) continue;
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: has changed since {} was made: {}", is.name, folder,
                            was.bytes == is.bytes ? "its content differs"
                                                  : fmt::format("it had {} bytes and now has {}",
                                                                was.bytes, is.bytes)),
                hint);
  }
}

// A different --on-bad-row leaves different items.
void check_items(const ItemContents& saved, const ItemContents& run, const std::string& folder) {
  if (saved.items == run.items || saved.bad_rows != run.bad_rows) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("the inputs have changed since {} was made: their items differ", folder),
              std::string(CheckpointFolder::kHint));
}

}  // namespace

void ItemCheckpoint::begin(const Options& options, const Inputs& inputs,
                           const ItemIdentity& identity) {
  folder_.expect_apart(inputs);
  const std::string& path = folder_.path();
  ItemContents run = contents_of(options, inputs, identity.items);
  Journal& rows = folder_.rows();
  const std::optional<std::string> saved = rows.size() == 0 ? std::nullopt : rows.read(0);
  if (saved && *saved != packed(run)) {
    if (saved->starts_with(kMarkOfSets)) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: was made from texts, sets or bags; this run compares {}", path,
                              kind_name(options.kind)),
                  std::string(CheckpointFolder::kHint));
    }
    if (!saved->starts_with(kItemMark)) {
      throw Error(ErrorKind::unsupported, path + ": was written by another version of sosie",
                  std::string(CheckpointFolder::kHint));
    }
    const ItemContents was = unpacked(*saved, path);
    for (const std::string_view name : kNames) take_value(was.options, name, run.options);
    take_spelling(was.options, run.options);
    check_options(was, run, path);
    check_files(was, run, path);
    check_items(was, run, path);
  }
  const std::string about = packed(run);
  if (saved != about) rows.start(about);
  const std::string all = about + identity.method;
  pairs_.emplace(folder_.compared(), XXH3_64bits(all.data(), all.size()));
}

std::unique_ptr<ItemCheckpoint> open_item_checkpoint(const Options& options) {
  if (options.checkpoint.empty()) return nullptr;
  check_checkpoint_options(options);
  return std::make_unique<ItemCheckpoint>(options.checkpoint);
}

}  // namespace sosie
