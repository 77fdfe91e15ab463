// sosie index: builds, changes, shows and checks an index on disk.
#include "sosie/index_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "core/rational.h"
#include "corpus/asked_fields.h"
#include "corpus/bad_lines.h"
#include "corpus/count_inputs.h"
#include "corpus/items/given_ids.h"
#include "corpus/rows/row_sample.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/saved_option.h"
#include "options/set_cascade.h"
#include "report/input_notes_text.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index/recorded_bits.h"
#include "store/index_options.h"
#include "store/saved_plan.h"
#include "store/sketch_options.h"
#include "verbs/index/add_rows.h"
#include "verbs/index/item_index_run.h"
#include "verbs/index/named_indexes.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// The operands of an action: INDEX, and options whose inputs are the remaining operands.
struct IndexCall {
  std::string path;
  Options options;
  const RunHooks& hooks;

  [[nodiscard]] IndexWriter::Limits limits() const { return limits_of(options, hooks); }
};

RunReport said(std::string text) {
  RunReport report;
  report.summary = std::move(text) + "\n";
  return report;
}

void expect_inputs(const IndexCall& call, std::string_view action) {
  const Options& options = call.options;
  if (!options.inputs.empty() || !options.files_from.empty() || options.table) return;
  throw Error(ErrorKind::invalid_option, fmt::format("index {}: no input given", action),
              fmt::format("sosie index {} INDEX INPUT...", action));
}

void expect_no_inputs(const IndexCall& call, std::string_view action) {
  if (call.options.inputs.empty() && call.options.files_from.empty()) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("index {}: expected an index and nothing else", action));
}

// If an index does not store its items, their rows are reread later.
void expect_regular_files(const Inputs& inputs, const Options& options) {
  for (const InputFile& input : inputs.list) {
    if (!input.told.column.empty() && input.told.column != options.column) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"keep-items", "no"},
                  input.name + " has a column of its own", "--keep-items yes keeps its items");
    }
    if (std::filesystem::is_regular_file(input.path)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"keep-items", "no"},
                input.name + " cannot be read again later", "--keep-items yes keeps its items");
  }
}

std::string added_text(const IndexedCounts& counts, const IndexFolder& folder, const Corpus& corpus,
                       const InputNotes& notes) {
  std::string text =
      fmt::format("{} added to {}", plural_text(counts.added, "item", "items"), folder.path());
  if (counts.skipped > 0) text += fmt::format(", {} left out", counts.skipped);
  if (counts.replaced > 0) text += fmt::format(", {} replaced", counts.replaced);
  text += bad_rows_text(corpus.facts);
  text += fmt::format(": {}, {}\n", plural_text(folder.items(), "item", "items"),
                      bytes_text(folder.bytes()));
  text += input_notes_text(notes);
  text.pop_back();  // said() ends the last line
  return text;
}

RunReport build_items(const IndexCall& call, const Options& options) {
  refuse_cascade(options, "an index");
  if (given_value(options, "keep-items") == "no") {
    throw Error(ErrorKind::invalid_option, RefusedOption{"keep-items", "no"},
                fmt::format("an index of {} keeps its items", kind_name(options.kind)));
  }
  const std::string fields = fields_to_keep(options);
  ReadItems rows(options, call.hooks, fields, /*are_new=*/true);
  IndexManifest manifest = manifest_of_items(options, rows);
  set_kept_fields(fields, manifest.contents);
  rows.require_fitting(manifest, call.path);
  IndexWriter writer(call.path, std::move(manifest), call.limits());
  const IndexedCounts counts = add_items({rows}, writer);
  writer.commit(rows.rows());
  return said(added_text(counts, writer.folder(), rows.corpus(), rows.inputs().notes));
}

RunReport build(const IndexCall& call) {
  expect_inputs(call, "build");
  refuse_sketched_inputs(call.options);
  Options options = with_bound_of_plan(with_kind(call.options), call.hooks.cancel);
  if (is_item_kind(options.kind)) return build_items(call, options);
  options = with_kind_of_sets(options, "an index");
  options.show = fields_to_keep(options);
  const Settings settings = resolve(options);
  require_index_of_sets(options, settings);
  ThreadPool pool(settings.threads, call.hooks.cancel);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  RowScan rows(options, settings, scratch, pool, call.hooks);
  tell_unusual(rows.inputs(), options, call.hooks);
  for_kept_fields([&] { require_asked_fields(rows.inputs(), settings, pool); });
  IndexManifest manifest;
  manifest.keeps_items = given_value(options, "keep-items") != "no";
  if (!manifest.keeps_items) expect_regular_files(rows.inputs(), options);
  manifest.contents = contents_of(options, settings, rows.inputs());
  manifest.contents.plan = saved_plan(
      options, settings, banding_for(options, settings, rows.inputs(), call.hooks.cancel));
  manifest.contents.passed_over.clear();
  set_kept_fields(options.show, manifest.contents);
  if (manifest.keeps_items) manifest.contents.files.clear();
  IndexWriter writer(call.path, std::move(manifest), call.limits());
  const IndexedCounts counts = add_rows(rows, SameIds::refuse, 0, pool, writer);
  require_unchanged(rows.inputs());
  writer.commit(rows.corpus().rows);
  return said(added_text(counts, writer.folder(), rows.corpus(), rows.inputs().notes));
}

SameIds same_ids_of(const Options& options) {
  const bool replaces = given_value(options, "replace") == "true";
  const bool skips = given_value(options, "skip-existing") == "true";
  if (replaces && skips) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"replace"},
                "cannot be combined with --skip-existing");
  }
  return replaces ? SameIds::replace : skips ? SameIds::skip : SameIds::refuse;
}

RunReport add_to_items(const IndexCall& call, IndexWriter& writer) {
  const IndexManifest& manifest = writer.folder().manifest();
  Options asked = call.options;
  if (!is_given(asked, "id") && manifest.contents.id_field.empty()) set_option(asked, "id", "row");
  expect_kept_fields(asked, manifest, call.path);
  ReadItems rows(with_item_index(asked, manifest, call.path), call.hooks,
                 kept_fields(manifest.contents));
  rows.require_fitting(manifest, call.path);
  const std::uint64_t before = writer.folder().next_number();
  const IndexedCounts counts = add_items({rows, same_ids_of(call.options)}, writer);
  writer.commit(before + rows.rows());
  return said(added_text(counts, writer.folder(), rows.corpus(), rows.inputs().notes));
}

RunReport add(const IndexCall& call) {
  expect_inputs(call, "add");
  refuse_sketched_inputs(call.options);
  const SameIds same_ids = same_ids_of(call.options);
  IndexWriter writer(call.path, call.limits());
  const IndexManifest& manifest = writer.folder().manifest();
  if (!manifest.has_sets()) return add_to_items(call, writer);
  Options asked = call.options;
  if (asked.method == Method::exact) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"method", "exact"},
                "works only in query, pairs and dedup; items are added by the plan of the index");
  }
  const std::string& id = manifest.contents.id_field;
  if (!is_given(asked, "id")) set_saved_option(asked, "id", id.empty() ? "row" : id);
  Options options =
      with_kind_of_sets(with_index_options(asked, manifest, writer.folder().path()), "an index");
  expect_kept_fields(asked, manifest, call.path);
  options.show = kept_fields(manifest.contents);
  if (parse_bound(options.threshold, BoundSide::not_below) != manifest.contents.plan.threshold) {
    throw Error(
        ErrorKind::invalid_option, RefusedOption{"threshold", options.threshold},
        fmt::format("{} was built with {}", call.path, made_with(manifest.contents, "threshold")));
  }
  if ((options.id == "row") != id.empty()) {
    throw Error(
        ErrorKind::invalid_option, RefusedOption{"id", options.id},
        fmt::format("the items of {} are identified by {}", call.path, id.empty() ? "row" : id),
        "leave it out");
  }
  const Settings settings = resolve(options);
  ThreadPool pool(settings.threads, call.hooks.cancel);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  RowScan rows(options, settings, scratch, pool, call.hooks);
  tell_unusual(rows.inputs(), options, call.hooks);
  std::uint32_t first_file = 0;
  if (!manifest.keeps_items) {
    expect_regular_files(rows.inputs(), options);
    first_file = writer.add_files(contents_of(options, settings, rows.inputs()).files);
  }
  const std::uint64_t before = writer.folder().next_number();
  const IndexedCounts counts = add_rows(rows, same_ids, first_file, pool, writer);
  require_unchanged(rows.inputs());
  writer.commit(before + rows.corpus().rows);
  return said(added_text(counts, writer.folder(), rows.corpus(), rows.inputs().notes));
}

RunReport remove(const IndexCall& call) {
  expect_no_inputs(call, "remove");
  if (call.options.ids.empty()) {
    throw Error(ErrorKind::invalid_option, "index remove: no ids given",
                "--ids FILE names a file with one id per line");
  }
  const ItemIds ids =
      read_given_ids(call.options.ids, std::nullopt, call.limits().memory_bytes, call.hooks.cancel);
  IndexWriter writer(call.path, call.limits());
  IndexBuffer buffer;
  std::uint64_t removed = 0;
  for (const std::string& id : ids.names) {
    const auto place = writer.folder().find_name(id, buffer);
    if (place && writer.remove(*place)) ++removed;
  }
  writer.commit(writer.folder().next_number());
  return said(fmt::format(
      "{} removed from {}, {} unknown: {}, {}", plural_text(removed, "item", "items"), call.path,
      plural_text(ids.names.size() - removed, "id", "ids"),
      plural_text(writer.folder().items(), "item", "items"), bytes_text(writer.folder().bytes())));
}

RunReport merge(const IndexCall& call) {
  if (call.options.inputs.empty()) {
    throw Error(ErrorKind::invalid_option, "index merge: no index to merge given",
                "sosie index merge NEW INDEX INDEX...");
  }
  const std::vector<std::unique_ptr<IndexFolder>> others = open_alike(call.options.inputs);
  IndexManifest manifest = others.front()->manifest();
  manifest.contents.files.clear();
  for (const auto& other : others) {  // an empty index has no dimension
    manifest.contents.dimension =
        std::max(manifest.contents.dimension, other->manifest().contents.dimension);
    const std::uint64_t bits = recorded_bits(other->manifest().contents);
    expect_recorded_bits(bits, other->path(), manifest, others.front()->path());
    record_bits(bits, manifest.contents);
  }
  manifest.runs.clear();
  manifest.next_number = 0;
  manifest.next_file = 1;
  manifest.log = 0;
  IndexWriter writer(call.path, std::move(manifest), call.limits());
  writer.commit(writer.add_all(others));
  return said(fmt::format(
      "{} merged into {}: {}, {}", plural_text(others.size(), "index", "indexes"), call.path,
      plural_text(writer.folder().items(), "item", "items"), bytes_text(writer.folder().bytes())));
}

RunReport compact(const IndexCall& call) {
  expect_no_inputs(call, "compact");
  IndexWriter writer(call.path, call.limits());
  const std::uint64_t before = writer.folder().bytes();
  writer.compact();
  return said(fmt::format("{}: {}, {}, before {}", call.path,
                          plural_text(writer.folder().items(), "item", "items"),
                          bytes_text(writer.folder().bytes()), bytes_text(before)));
}

using SayLine = std::function<void(std::string_view label, std::string_view value)>;

void describe_items(const IndexManifest& manifest, const SayLine& line) {
  const SketchContents& contents = manifest.contents;
  if (contents.dimension > 0) line("dimension", fmt::format("{}", contents.dimension));
  if (contents.has_items()) {
    const HashedPlan& hashed = *contents.plan.hashed;
    line("bands", fmt::format("{}x{} of {}", hashed.bands, hashed.rows, hashed.family));
  }
  line("look-ups", manifest.keys == IndexKeys::none
                       ? "read all items"
                       : fmt::format("by {} keys per item", manifest.shape().bands));
  for (const auto& [name, value] : contents.options) line(name, value);
}

RunReport info(const IndexCall& call) {
  expect_no_inputs(call, "info");
  const IndexFolder folder(call.path);
  const SketchContents& contents = folder.manifest().contents;
  const SavedPlan& plan = contents.plan;
  std::string text;
  const auto line = [&](std::string_view label, std::string_view value) {
    text += fmt::format("{:<14}{}\n", label, value);
  };
  const std::uint64_t items = folder.items();
  line("items", count_text(items));
  line("bytes", items == 0 ? count_text(folder.bytes())
                           : fmt::format("{} ({} per item)", count_text(folder.bytes()),
                                         count_text(folder.bytes() / items)));
  line("runs", fmt::format("{}, and {} in the log", folder.runs().size(),
                           plural_text(folder.log_items().present(), "item", "items")));
  line("next number", count_text(folder.next_number()));
  line("items kept", folder.manifest().keeps_items ? "yes" : "no");
  line("named by", contents.id_field.empty() ? "row" : contents.id_field);
  if (!folder.manifest().has_sets()) {
    describe_items(folder.manifest(), line);
    if (!call.options.plan.empty() && !contents.has_items()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"plan"},
                  call.path + " has no plan: its answers are exact");
    }
  } else {
    line("bands",
         fmt::format("{}x{}, {} minhashes, filter at {} agreements", plan.banding.bands,
                     plan.banding.rows, plan.banding.components, plan.banding.filter_agreements));
    for (const std::string_view name : sketch_option_names()) {
      const std::string value = made_with(contents, name);
      if (!value.empty() && name != "keep" && name != "on-bad-row" && name != "id")
        line(name, value);
    }
    if (const std::string fields = kept_fields(contents); !fields.empty()) line("fields", fields);
  }
  if (!call.options.plan.empty()) {
    OutputFile out(call.options.plan, call.hooks.cancel);
    out.write(plan_to_json(plan));
    out.commit();
  }
  RunReport report;
  report.rows = items;
  report.summary = std::move(text);
  return report;
}

RunReport check(const IndexCall& call) {
  expect_no_inputs(call, "check");
  const IndexFolder folder(call.path);
  folder.check();
  std::string text =
      fmt::format("{}: {}, {}: no damage", call.path, plural_text(folder.items(), "item", "items"),
                  bytes_text(folder.bytes()));
  if (folder.log().torn_bytes() > 0) {
    text += fmt::format("; {} after the end of the log come from an interrupted call",
                        plural_text(folder.log().torn_bytes(), "byte", "bytes"));
  }
  return said(text);
}

// TABLE: the actions of the verb.
struct Action {
  std::string_view name;
  RunReport (*run)(const IndexCall& call);
};
constexpr std::array kActions = {Action{"build", build},     Action{"add", add},
                                 Action{"remove", remove},   Action{"merge", merge},
                                 Action{"compact", compact}, Action{"info", info},
                                 Action{"check", check}};

}  // namespace

RunReport index_folder(const Options& options, const RunHooks& hooks) {
  const std::string name = options.inputs.empty() ? std::string() : options.inputs.front();
  for (const Action& action : kActions) {
    if (action.name != name) continue;
    if (options.inputs.size() < 2) break;
    IndexCall call{options.inputs[1], options, hooks};
    call.options.inputs.erase(call.options.inputs.begin(), call.options.inputs.begin() + 2);
    return action.run(call);
  }
  std::vector<std::string_view> names;
  names.reserve(kActions.size());
  for (const Action& action : kActions) names.push_back(action.name);
  const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
  if (!is_known && !name.empty()) {
    const std::string_view nearest = nearest_name(name, names);
    throw Error(ErrorKind::invalid_option, fmt::format("index {}: unknown action", name),
                nearest.empty() ? fmt::format("the actions are {}", joined_text(names, ", "))
                                : fmt::format("did you mean {}?", nearest));
  }
  throw Error(ErrorKind::invalid_option,
              name.empty() ? std::string("index: no action given")
                           : fmt::format("index {}: no index given", name),
              "sosie index build|add|remove|merge|compact|info|check INDEX [INPUT...]");
}

}  // namespace sosie
