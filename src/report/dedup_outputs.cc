// Opens the outputs of dedup, writes the page of --report, and commits them together.
#include "report/dedup_outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "core/joined_text.h"
#include "corpus/find_dialect.h"
#include "corpus/rows/grouped_rows.h"
#include "corpus/rows/rejects.h"
#include "io/output_key.h"
#include "join/sets/set_run.h"
#include "options/formats.h"
#include "options/output_names.h"
#include "options/output_options.h"
#include "options/output_paths.h"
#include "options/outputs_among_inputs.h"
#include "report/pair_writer.h"
#include "report/repeat_command.h"
#include "report/report_curves.h"
#include "report/run_report.h"
#include "report/save_run.h"
#include "report/side_tables.h"
#include "sosie/error.h"
#include "sosie/version.h"
#include "write/html_text.h"

namespace sosie {
namespace {

std::span<const InputFile> own_files(const Inputs& inputs) {
  return std::span(inputs.list).subspan(inputs.first_own_file);
}

constexpr std::string_view kKeptFlag = "-o";

// Suggests what to do with rows that cannot be written to a single file.
std::string apart(std::string_view flag) {
  return fmt::format("use {} FOLDER/ to keep files apart, or --dry-run with --removed", flag);
}

// Throws if the vectors of two files cannot be written to the same file.
void check_vector_headers(const Inputs& inputs, std::uint32_t first, std::string_view flag) {
  const Format& format = *inputs.list[first].format;
  if (format.vector_header == nullptr) return;
  const std::string header = format.vector_header(inputs.files[first], 0);
  for (std::uint32_t i = first + 1; i < inputs.list.size(); ++i) {
    if (format.vector_header(inputs.files[i], 0) == header) continue;
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("{} and {} hold numbers of different types or orders: they cannot be written "
                    "into one output",
                    inputs.list[first].name, inputs.list[i].name),
        apart(flag));
  }
}

// Throws if kept rows in different formats would be mixed, or would be written to a file whose
// extension belongs to another format.
void check_output_format(std::string_view flag, const std::string& output, const Inputs& inputs) {
  const Format* format = nullptr;
  const InputFile* first = nullptr;
  for (const InputFile& input : own_files(inputs)) {
    if (input.format->is_document()) {
      throw Error(
          ErrorKind::invalid_option, "documents cannot be written to a single output",
          fmt::format("use {} FOLDER/ to copy those files, or --dry-run with --removed", flag));
    }
    if (format != nullptr && input.format != format && input.format->name == format->name) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("cannot write rows of {} ({}) and {} ({}) into one output",
                              first->name, dialect_text(first->format->dialect), input.name,
                              dialect_text(input.format->dialect)),
                  apart(flag));
    }
    if (format != nullptr && input.format != format) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("cannot write {} and {} rows into one output", format->name,
                              input.format->name),
                  apart(flag));
    }
    format = input.format;
    first = &input;
  }
  const Format* named = format_by_extension(output);
  if (format != nullptr && named != nullptr && named->name != format->name) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: {} rows keep their format, and the input is {}", output,
                            flag == kKeptFlag ? "kept" : "removed", format->name));
  }
  if (named != nullptr && named->columnar &&
      compression_by_extension(output) != Compression::none) {
    throw Error(ErrorKind::invalid_option,
                output + ": files of this format are compressed internally, like the input");
  }
  if (format != nullptr) check_vector_headers(inputs, inputs.first_own_file, flag);
}

// Throws for sets whose rows cannot be copied one by one.
void check_grouped_output(const Inputs& inputs) {
  for (const InputFile& input : own_files(inputs)) {
    if (!input.format->columnar) continue;
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: rows of {} cannot be written with --group-by", input.name,
                            input.format->name),
                "use --dry-run with --removed");
  }
}

// All rows in one output must have the same header.
void check_output_headers(std::string_view flag, const Inputs& inputs) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = inputs.first_own_file; i < inputs.list.size(); ++i) {
    const std::vector<std::string>& names = inputs.headers[i].names;
    if (names.empty()) continue;
    if (!first) first = i;
    const std::vector<std::string>& there = inputs.headers[*first].names;
    if (names == there) continue;
    const bool columnar = inputs.list[i].format->columnar;
    const std::string place =
        columnar ? inputs.list[i].name : place_of_row(inputs, {inputs.headers[i].offset, 0, i});
    throw Error(ErrorKind::malformed_input, BadPlace{place},
                fmt::format("the header differs from that of {}", inputs.list[*first].name),
                fmt::format("here: {}; there: {}; {}", joined_text(names, ", "),
                            joined_text(there, ", "), apart(flag)));
  }
}

// All rows in one output must have the same encoding.
void check_output_encoding(const Inputs& all) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = all.first_own_file; i < all.list.size(); ++i) {
    if (all.files[i].known_size() == 0) continue;
    if (!first) first = i;
    if (all.encoding_of(i).name == all.encoding_of(*first).name) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: is in {}, {} in {}", all.list[i].name, all.encoding_of(i).name,
                            all.list[*first].name, all.encoding_of(*first).name),
                "rows of both cannot be written into one output: -o OUT/ keeps files apart");
  }
}

// Throws if two inputs would be written to the same path in the output folder, or if an output
// would replace an input.
void check_tree(const std::string& output, const Inputs& all, std::span<const std::string> paths) {
  std::map<std::string_view, const InputFile*> sources;
  std::set<std::pair<dev_t, ino_t>> inputs;
  struct stat status {};
  for (const InputFile& input : all.list) {
    if (::stat(input.path.c_str(), &status) == 0) inputs.emplace(status.st_dev, status.st_ino);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const InputFile& input = own_files(all)[i];
    if (input.path == "-") {
      throw Error(ErrorKind::invalid_option, "-: standard input has no name to use in " + output);
    }
    const std::string path = output + paths[i];
    const auto [other, added] = sources.emplace(paths[i], &input);
    if (!added) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{} and {} would both be written to {}", other->second->name,
                              input.name, path),
                  "name each file or folder once");
    }
    if (::stat(path.c_str(), &status) == 0 && inputs.contains({status.st_dev, status.st_ino})) {
      throw Error(ErrorKind::invalid_option, path + ": is an input of this run",
                  "inputs are never changed: name another folder");
    }
  }
}

// All rows in one output must have the same format.
void refuse_binary_terminal(std::span<const InputFile> files, const OutputFile& out) {
  for (const InputFile& file : files) {
    const Format& format = *file.format;
    if (format.columnar || format.read_vectors != nullptr) out.refuse_terminal(format.name);
  }
}

// Describes a file below an output folder that this run does not write.
class OtherFilesOf {
 public:
  OtherFilesOf(const DedupOutputRequest& request, const Inputs& written, std::string folder)
      : folder_(std::move(folder)) {
    const std::filesystem::path own = resolved_path(folder_);
    for (const auto& [flag, path] : output_options(request.options)) {
      outputs_.insert(output_key(path));
      const std::filesystem::path place = resolved_path(path);
      if (path.ends_with('/') && place != own && is_in_folder(place, own))
        folders_.push_back(place);
    }
    outputs_.erase(std::string());
    for (const std::string& path : request.inputs.other_paths) inputs_.insert(file_key(path));
    for (const InputFile& input : request.inputs.list) inputs_.insert(file_key(input.path));
    const auto files = own_files(written);
    writes_documents_ = std::any_of(files.begin(), files.end(), [](const InputFile& input) {
      return input.format->is_document();
    });
  }

  OtherFile operator()(const std::string& path, bool is_listed) const {
    const std::string whole = folder_ + path;
    const std::string key = file_key(whole);
    if (outputs_.contains(key) || lies_in_folder(whole)) return OtherFile::harmless;
    if (is_listed && !inputs_.contains(key)) return OtherFile::of_a_run;
    const bool is_hidden = path.front() == '.' || path.find("/.") != std::string::npos;
    const bool is_read = writes_documents_ || is_record_file(path);
    return is_read && !is_hidden ? OtherFile::of_somebody : OtherFile::harmless;
  }

 private:
  [[nodiscard]] bool lies_in_folder(const std::string& path) const {
    if (folders_.empty()) return false;
    const std::filesystem::path place = resolved_path(path);
    return std::any_of(folders_.begin(), folders_.end(),
                       [&](const auto& folder) { return is_in_folder(place, folder); });
  }

  std::string folder_;
  std::set<std::string> outputs_;               // other outputs of the run
  std::vector<std::filesystem::path> folders_;  // folders inside this one that the run also writes
  std::set<std::string> inputs_;
  bool writes_documents_ = false;
};

// Destination of kept or removed rows; `output` is empty for the caller's descriptor.
RowsOutput open_rows(const DedupOutputRequest& request, std::string_view flag,
                     const std::string& output) {
  const GroupedRows* grouped = request.inputs.grouped.get();
  const Inputs& written = grouped != nullptr ? grouped->files : request.inputs;
  if (grouped != nullptr) check_grouped_output(written);
  RowsOutput out;
  if (output.ends_with('/')) {
    out.paths = output_paths(own_files(written), request.options.sketches != nullptr);
    check_tree(output, written, out.paths);
    out.tree =
        std::make_unique<OutputTree>(output, request.options.overwrite, request.hooks.cancel);
    out.tree->take_over(out.paths, request.options.overwrite_all,
                        OtherFilesOf(request, written, output));
    return out;
  }
  refuse_rows_among_inputs(output, written.notes);
  check_output_format(flag, output, written);
  check_output_headers(flag, written);
  check_output_encoding(written);
  check_output_name(flag, output, "rows");
  const std::atomic<bool>* cancel = request.hooks.cancel;
  out.file = output.empty()
                 ? std::make_unique<OutputFile>(request.hooks.result_descriptor, "<stdout>", cancel)
                 : std::make_unique<OutputFile>(output, cancel);
  refuse_binary_terminal(own_files(written), *out.file);
  out.file->pack_with(request.pool);
  return out;
}

}  // namespace

std::string why_not_one_file(const Inputs& inputs) {
  try {
    check_output_format(kKeptFlag, {}, inputs);
    check_output_headers(kKeptFlag, inputs);
    check_output_encoding(inputs);
  } catch (const Error& error) {
    return error.what() + (error.hint().empty() ? std::string() : "; " + error.hint());
  }
  return {};
}

void DedupOutputs::finish() const {
  for (TableWriter* table : {removed.get(), clusters.get(), pairs.get(), rejects.get()}) {
    if (table != nullptr) table->finish();
  }
  if (report) report->finish();
  removed_rows.finish();
  kept.finish();
}

void DedupOutputs::commit() const {
  if (stats) stats->finish();
  // If another run has made an output impossible, this must be noticed before any output gets its
  // final name. Locks are always taken in the same order, so that two runs cannot deadlock.
  std::vector<OutputTree*> trees;
  for (const RowsOutput* rows : {&kept, &removed_rows}) {
    if (rows->tree) trees.push_back(rows->tree.get());
  }
  std::sort(trees.begin(), trees.end(),
            [](const auto* a, const auto* b) { return a->folder() < b->folder(); });
  for (OutputTree* tree : trees) tree->lock();
  if (removed) removed->commit();
  if (clusters) clusters->commit();
  if (pairs) pairs->commit();
  if (stats) stats->commit();
  if (rejects) rejects->commit();
  if (report) report->commit();
  if (saved) saved->commit();
  removed_rows.commit();
  kept.commit();
}

void DedupOutputs::write(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                         const KeepRow& is_removed) const {
  write_rows(source, is_removed, {}, removed_rows);
  write_rows(source, keep, edits, kept);
}

RowsOutput open_kept_rows(const DedupOutputRequest& request) {
  return open_rows(request, kKeptFlag, request.options.output);
}

DedupOutputs open_outputs(const DedupOutputRequest& request) {
  const Options& o = request.options;
  check_outputs(request.inputs, o, result_of(o, request.hooks));
  const std::atomic<bool>* cancel = request.hooks.cancel;
  const auto table = [&](const std::string& path, const std::vector<std::string>& columns,
                         std::string_view note = {}) {
    return path.empty() ? nullptr
                        : std::make_unique<TableWriter>(path, table_format_of(path), columns,
                                                        cancel, request.hooks.table_files, note);
  };
  const auto file = [&](const std::string& path) {
    return path.empty() ? nullptr : std::make_unique<OutputFile>(path, cancel);
  };
  DedupOutputs out;
  if (!o.dry_run) out.kept = open_kept_rows(request);
  if (!o.removed_rows.empty()) {
    if (o.table) {
      throw Error(ErrorKind::unsupported, RefusedOption{"removed-rows"},
                  "is for files, not for tables in memory",
                  "the result says which rows were removed");
    }
    out.removed_rows = open_rows(request, "--removed-rows", o.removed_rows);
  }
  out.removed = table(o.removed, removed_columns(request.value_name, names_passages(o)));
  out.clusters = table(o.clusters, cluster_columns());
  out.pairs = table(o.pairs, pair_columns({}, request.value_name), request.pair_note);
  out.rejects = table(o.rejects, reject_columns());
  check_json_name("--stats", o.stats, "the summary");
  out.stats = file(o.stats);
  check_output_name("--report", o.report, "the report", {".html", ".htm", ".xhtml"});
  out.report = file(o.report);
  if (!saved_folder(o).empty()) check_saved_inputs(o, request.inputs);
  out.saved = open_saved_run(o, cancel);
  const bool has_more = out.removed_rows.file || out.removed_rows.tree || out.removed ||
                        out.clusters || out.pairs || out.rejects || out.stats || out.report ||
                        out.saved;
  if (out.kept.file && has_more) out.kept.file->outlive_reader();
  return out;
}

namespace {

// Makes the run's own curve agree with its summary: the same recall, including the filter, and the
// number of rows actually removed.
void tell_own_curve(ReportPage& page) {
  const auto& recall = page.summary.method.expected_recall;
  if (page.curves.empty() || !recall) return;
  ReportCurve& own = page.curves.front();
  own.at_threshold = recall_text(*recall);
  own.expected =
      static_cast<double>(std::accumulate(page.bins.begin(), page.bins.end(), std::uint64_t{0}));
}

std::string first_file(const Inputs& inputs) {
  const std::span<const InputFile> files = own_files(inputs);
  return files.empty() ? std::string() : files.front().path;
}

}  // namespace

void complete_page(const Options& options, const ReportSource& source, ReportPage& page) {
  page.is_chained = options.clustering == "components";
  page.flow = report_flow(source, page.summary);
  page.bins = similarity_bins(source, page.axis);
  page.sizes = report_sizes(source);
  page.command = repeat_command(page.summary.verb, options);
  page.apply = apply_command(options, first_file(source.inputs));
  page.written = date_text();
  tell_own_curve(page);
  page.version = version();
  page.recipe = recipe_version();
}

void write_report(const ReportPage& page, OutputFile& out) { out.write(run_report(page)); }

}  // namespace sosie
