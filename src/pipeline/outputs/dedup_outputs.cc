#include "pipeline/outputs/dedup_outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <set>
#include <span>

#include "pipeline/outputs/pair_table.h"
#include "pipeline/outputs/side_tables.h"
#include "pipeline/rows/grouped_rows.h"
#include "pipeline/rows/rejects.h"
#include "pipeline/sets/run.h"
#include "read/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::span<const InputFile> own_files(const Inputs& inputs) {
  return std::span(inputs.list).subspan(inputs.first_own_file);
}

// Throws when vectors of two files cannot stand in one.
void check_vector_headers(const Inputs& inputs, std::uint32_t first) {
  const Format& format = *inputs.list[first].format;
  if (format.vector_header == nullptr) return;
  const std::string header = format.vector_header(inputs.files[first], 0);
  for (std::uint32_t i = first + 1; i < inputs.list.size(); ++i) {
    if (format.vector_header(inputs.files[i], 0) == header) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} and {} hold numbers of different types: they cannot be written "
                            "into one output",
                            inputs.list[first].name, inputs.list[i].name),
                "say -o FOLDER/ to keep files apart, or --dry-run with --removed");
  }
}

// Throws when kept rows of different formats would be mixed, or written under the name of another
// format.
void check_output_format(const Options& options, const Inputs& inputs) {
  const Format* format = nullptr;
  for (const InputFile& input : own_files(inputs)) {
    if (input.format->is_document()) {
      throw Error(ErrorKind::invalid_option, "documents cannot be written one after another",
                  "say -o FOLDER/ to copy those that are kept, or --dry-run with --removed");
    }
    if (format != nullptr && input.format != format) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("cannot write {} and {} rows into one output", format->name,
                              input.format->name),
                  "say -o FOLDER/ to keep files apart, or --dry-run with --removed");
    }
    format = input.format;
  }
  const Format* named = format_by_extension(options.output);
  if (format != nullptr && named != nullptr && named != format) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: kept rows are written as they came, and the input is {}",
                            options.output, format->name));
  }
  if (named != nullptr && named->columnar &&
      compression_by_extension(options.output) != Compression::none) {
    throw Error(ErrorKind::invalid_option,
                options.output + ": files of this format are packed inside, as the input is");
  }
  if (format != nullptr) check_vector_headers(inputs, inputs.first_own_file);
}

// Throws for rows of sets that cannot be copied one by one, and for rows under different headers.
void check_grouped_output(const Options& options, const Inputs& inputs) {
  for (const InputFile& input : own_files(inputs)) {
    if (!input.format->columnar) continue;
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: rows of {} cannot be written with --group-by yet", input.name,
                            input.format->name),
                "say --dry-run with --removed");
  }
  if (options.output.ends_with('/')) return;
  const std::string* first = nullptr;
  const std::vector<std::string>* names = nullptr;
  for (std::uint32_t i = inputs.first_own_file; i < inputs.list.size(); ++i) {
    if (inputs.headers[i].names.empty()) continue;
    if (names != nullptr && inputs.headers[i].names != *names) {
      throw Error(
          ErrorKind::malformed_input,
          fmt::format("{}: the header differs from that of {}", inputs.list[i].name, *first),
          "rows of both cannot be written into one output");
    }
    first = &inputs.list[i].name;
    names = &inputs.headers[i].names;
  }
}

// Rows of one output are in one encoding.
void check_output_encoding(const Inputs& all) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = all.first_own_file; i < all.list.size(); ++i) {
    if (all.files[i].size() == 0) continue;
    if (!first) first = i;
    if (all.encoding_of(i).name == all.encoding_of(*first).name) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: is in {}, {} in {}", all.list[i].name, all.encoding_of(i).name,
                            all.list[*first].name, all.encoding_of(*first).name),
                "rows of both cannot be written into one output: -o OUT/ keeps files apart");
  }
}

// Throws when two inputs would be written to one path below the output folder, or an output to an
// input.
void check_tree(const Options& options, const Inputs& all) {
  std::map<std::string_view, const InputFile*> sources;
  std::set<std::pair<dev_t, ino_t>> inputs;
  struct stat status {};
  for (const InputFile& input : all.list) {
    if (::stat(input.path.c_str(), &status) == 0) inputs.emplace(status.st_dev, status.st_ino);
  }
  for (const InputFile& input : own_files(all)) {
    if (input.path == "-") {
      throw Error(ErrorKind::invalid_option,
                  "-: standard input has no name below " + options.output);
    }
    const std::string path = options.output + input.relative;
    const auto [other, added] = sources.emplace(input.relative, &input);
    if (!added) {
      throw Error(ErrorKind::invalid_option, fmt::format("{} and {} would both be written to {}",
                                                         other->second->name, input.name, path));
    }
    if (::stat(path.c_str(), &status) == 0 && inputs.contains({status.st_dev, status.st_ino})) {
      throw Error(ErrorKind::invalid_option, path + ": is an input of this run",
                  "inputs are never changed: name another folder");
    }
  }
}

}  // namespace

void DedupOutputs::commit() const {
  for (TableWriter* table : {removed.get(), clusters.get(), pairs.get(), rejects.get()}) {
    if (table != nullptr) table->finish();
  }
  for (OutputFile* file : {stats.get(), report.get(), kept.get()}) {
    if (file != nullptr) file->finish();
  }
  if (kept_tree) kept_tree->finish();
  if (removed) removed->commit();
  if (clusters) clusters->commit();
  if (pairs) pairs->commit();
  if (stats) stats->commit();
  if (rejects) rejects->commit();
  if (report) report->commit();
  if (kept) kept->commit();
  if (kept_tree) kept_tree->commit();
}

DedupOutputs open_outputs(const DedupOutputRequest& request) {
  const Options& o = request.options;
  check_outputs(request.inputs,
                {o.output, o.removed, o.clusters, o.pairs, o.stats, o.rejects, o.report});
  const Inputs& written = request.inputs.grouped ? request.inputs.grouped->files : request.inputs;
  const std::atomic<bool>* cancel = request.hooks.cancel;
  const auto table = [&](const std::string& path, const std::vector<std::string>& columns) {
    return path.empty()
               ? nullptr
               : std::make_unique<TableWriter>(path, columns, cancel, request.hooks.table_files);
  };
  const auto file = [&](const std::string& path) {
    return path.empty() ? nullptr : std::make_unique<OutputFile>(path, cancel);
  };
  DedupOutputs out;
  if (!o.dry_run) {
    if (request.inputs.grouped) check_grouped_output(o, written);
    if (o.output.ends_with('/')) {
      check_tree(o, written);
      out.kept_tree = std::make_unique<OutputTree>(o.output, o.overwrite);
    } else {
      check_output_format(o, written);
      check_output_encoding(written);
      out.kept = o.output.empty() ? std::make_unique<OutputFile>(request.hooks.result_descriptor,
                                                                 "<stdout>", cancel)
                                  : std::make_unique<OutputFile>(o.output, cancel);
      out.kept->pack_with(request.pool);
    }
  }
  out.removed = table(o.removed, removed_columns(request.value_name));
  out.clusters = table(o.clusters, cluster_columns());
  out.pairs = table(o.pairs, pair_columns({}, request.value_name));
  out.rejects = table(o.rejects, reject_columns());
  out.stats = file(o.stats);
  out.report = file(o.report);
  return out;
}

}  // namespace sosie
