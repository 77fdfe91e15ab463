// Counts files, rows and bytes of each input for the summary.
#include "corpus/count_inputs.h"

#include <map>

#include "corpus/find_dialect.h"
#include "corpus/rows/grouped_rows.h"
#include "options/items_as_file.h"
#include "options/tells.h"

namespace sosie {
namespace {

void add_counts(const BlockFacts& block, const Format& format, InputCounts& counts) {
  counts.words += block.words;
  (format.only_read ? counts.headers : counts.blank_lines) += block.blank_lines;
  counts.short_rows += block.short_rows;
  counts.rows += block.rows;
  counts.empty += block.empty;
  counts.skipped += block.skipped;
  counts.unmatched += block.unmatched;
  counts.bad_lines += block.bad_lines;
  counts.ill_formed += block.ill_formed;
}

}  // namespace

void list_unusual(const Inputs& inputs, std::vector<FileInEncoding>& encodings,
                  std::vector<FileInDialect>& dialects) {
  const Inputs& files = inputs.grouped ? inputs.grouped->files : inputs;
  for (std::uint32_t i = 0; i < files.list.size(); ++i) {
    const InputFile& file = files.list[i];
    const FileEncoding& encoding = files.encoding_of(i);
    if (!encoding.is_usual()) {
      const char* returns = encoding.has_returns ? " with carriage returns" : "";
      encodings.push_back({file.name, encoding.name + returns});
    }
    const Dialect& dialect = file.format->dialect;
    if (!file.format->has_dialects || dialect == Dialect{','}) continue;
    dialects.push_back({file.name, dialect, dialect_text(dialect)});
  }
}

void tell_unusual(const Inputs& inputs, const Options& options, const RunHooks& hooks) {
  if (!tells(options, hooks)) return;
  std::vector<FileInEncoding> encodings;
  std::vector<FileInDialect> dialects;
  list_unusual(inputs, encodings, dialects);
  for (const FileInEncoding& each : encodings) {
    hooks.on_message(each.name + ": encoding " + each.encoding);
  }
  for (const FileInDialect& each : dialects) hooks.on_message(each.name + ": " + each.text);
}

void count_inputs(const Inputs& inputs, const Corpus& corpus, RunSummary& summary) {
  std::map<std::string, std::size_t> index;
  std::vector<std::size_t> input_of_file;
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    if (i < inputs.first_own_file) {
      const ItemsAsFile* items = index_items_of(inputs.list[i]);
      summary.against.bytes +=
          items == nullptr ? inputs.files[i].counted_size() : items->whole().bytes;
      input_of_file.push_back(0);
      continue;
    }
    const auto [at, added] = index.emplace(inputs.list[i].group, summary.inputs.size());
    if (added) summary.inputs.push_back({.name = inputs.list[i].group});
    input_of_file.push_back(at->second);
    summary.inputs[at->second].bytes += inputs.files[i].counted_size();
    summary.total.bytes += inputs.files[i].counted_size();
  }
  summary.against.given = inputs.has_against();
  summary.against.rows = corpus.first_own_row;
  for (std::uint32_t i = 0; i < inputs.first_own_file; ++i) {
    if (const ItemsAsFile* items = index_items_of(inputs.list[i])) {
      summary.against.rows += items->whole().items - items->numbers().size();
    }
  }
  for (std::size_t i = 0; i < corpus.facts.size(); ++i) {
    if (corpus.ranges[i].file < inputs.first_own_file) {
      summary.against.bad += corpus.facts[i].skipped + corpus.facts[i].unmatched;
      continue;
    }
    const std::uint32_t file = corpus.ranges[i].file;
    add_counts(corpus.facts[i], *inputs.list[file].format, summary.inputs[input_of_file[file]]);
    add_counts(corpus.facts[i], *inputs.list[file].format, summary.total);
    if (summary.number_like.empty()) summary.number_like = corpus.facts[i].number_like;
  }
  list_unusual(inputs, summary.encodings, summary.dialects);
  summary.notes = inputs.notes;
  for (const DamagedInput& damaged : inputs.damaged) {
    summary.damaged.push_back({damaged.name, damaged.reason});
  }
}

}  // namespace sosie
