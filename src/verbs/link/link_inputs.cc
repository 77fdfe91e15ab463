// Reads the inputs of a link run.
#include "verbs/link/link_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/joined_text.h"
#include "corpus/items/record_fields.h"
#include "corpus/table_file.h"
#include "options/read_link_rules.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Chooses rules if none are given, but without the field that is reserved for checks.
void choose(const Options& options, const LinkChecks& checks, LinkInputs& inputs) {
  if (options.rules.empty()) {
    std::optional<RecordColumn> left = taken_column(inputs.left, checks.field);
    std::optional<RecordColumn> right;
    if (inputs.right) right = taken_column(*inputs.right, checks.field);
    inputs.chosen = choose_default_rules(inputs.left, inputs.other(), options.init);
    if (left) inputs.left.columns.push_back(std::move(*left));
    if (right) inputs.right->columns.push_back(std::move(*right));
  }
  if (checks.field.empty()) return;
  inputs.check_by = hold_out(checks.field, inputs.left, inputs.other(), inputs.chosen);
}

// An empty file is a collection without records; it gets the requested fields or the fields of the
// other collection.
void name_fields(RecordRows& rows, const RecordRows* other,
                 const std::vector<std::string>& wanted) {
  if (!rows.are_empty_files) return;
  rows.fields = wanted;
  if (rows.fields.empty() && other != nullptr) rows.fields = other->fields;
  if (rows.fields.empty()) rows.fields = {"text"};
  rows.columns.resize(rows.fields.size());
  for (std::size_t c = 0; c < rows.fields.size(); ++c) rows.columns[c].name = rows.fields[c];
}

bool is_made_of(const LinkField& field, const std::string& name) {
  return std::find(field.columns.begin(), field.columns.end(), name) != field.columns.end() ||
         std::find(field.columns_right.begin(), field.columns_right.end(), name) !=
             field.columns_right.end();
}

void take_truth_column(const Options& options, const LinkChecks& checks, LinkInputs& inputs) {
  if (checks.truth_column.empty()) return;
  const RefusedOption refused{"truth", options.truth};
  const std::optional<RecordColumn> left = taken_column(inputs.left, checks.truth_column);
  std::optional<RecordColumn> right;
  if (inputs.right) right = taken_column(*inputs.right, checks.truth_column);
  if (!left || (inputs.right && !right)) {
    throw Error(ErrorKind::invalid_option, refused,
                left ? "the other collection does not have this field" : "no record has this field",
                fmt::format("available fields: {}", joined_text(inputs.left.fields, ", ")));
  }
  for (const LinkField& field : inputs.chosen.rules.fields) {
    if (!is_made_of(field, checks.truth_column)) continue;
    throw Error(ErrorKind::invalid_option, refused,
                fmt::format("field '{}' of the rules is built from it", field.name),
                "the field that contains the truth cannot be used to find it");
  }
  inputs.truth = TruthPairs{truth_of_values(*left, right ? &*right : nullptr), 0};
}

NamedRecords named_records(const LinkInputs& inputs) {
  const RecordRows* other = inputs.other();
  return {inputs.left.ids, other == nullptr ? nullptr : &other->ids, inputs.left.rows,
          other == nullptr ? 0 : other->rows};
}

void read_truth_file(const LinkChecks& checks, const ItemReading& reading, LinkInputs& inputs) {
  if (checks.truth_file.empty()) return;
  if (checks.truth_file == "-") {
    throw Error(ErrorKind::invalid_option, RefusedOption{"truth", "-"}, "needs a file of its own");
  }
  Scratch scratch(reading.settings.scratch, reading.settings.scratch_limit_bytes);
  TableFile file(checks.truth_file, scratch, reading.hooks, reading.settings.memory_bytes);
  inputs.truth =
      read_truth(file.reader(), checks.truth_file, named_records(inputs), reading.hooks.cancel);
}

// Puts notes about columns before notes about fields and removes duplicates.
void note_columns(LinkInputs& inputs) {
  std::vector<std::string> notes = inputs.left.notes;
  if (inputs.right) {
    for (const std::string& note : inputs.right->notes) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  }
  std::vector<std::string>& all = inputs.chosen.notes;
  all.insert(all.begin(), notes.begin(), notes.end());
}

}  // namespace

LinkInputs read_link_inputs(const ItemReading& reading, const LinkChecks& checks) {
  const Options& options = reading.options;
  LinkInputs inputs;
  LinkRules& rules = inputs.chosen.rules;
  RecordFields asked;
  if (!options.ignore.empty()) asked.ignored = joined_names(options.ignore);
  for (std::string& name : asked.ignored) name = unescaped_name(name);
  RecordFields asked_right = asked;
  if (!options.rules.empty()) {
    rules = read_link_rules(options.rules, reading.hooks.cancel);
    asked.wanted = columns_of(rules.fields, /*of_right=*/false);
    asked_right.wanted = columns_of(rules.fields, /*of_right=*/true);
  }
  const LinkRules* given = options.rules.empty() ? nullptr : &rules;
  want_checks(checks, given, asked);
  want_checks(checks, given, asked_right);
  inputs.left = read_records(reading, options.inputs, asked);
  if (!options.against.empty()) {
    ItemReading of_right = reading;
    of_right.of_against = true;
    asked_right.bytes_before = memory_bytes_of(inputs.left.columns);
    inputs.right = read_records(of_right, options.against, asked_right);
  }
  name_fields(inputs.left, inputs.other(), asked.wanted);
  if (inputs.right) name_fields(*inputs.right, &inputs.left, asked_right.wanted);
  require_ignored(asked, inputs.left, inputs.other());
  take_truth_column(options, checks, inputs);
  choose(options, checks, inputs);
  note_columns(inputs);
  if (!options.assign.empty()) rules.assign = assign_called(options.assign);
  if (!options.cut.empty()) rules.cut = options.cut;
  read_truth_file(checks, reading, inputs);
  inputs.judgements = read_judgements(options, named_records(inputs), reading.hooks);
  return inputs;
}

void make_link_fields(LinkInputs& inputs) {
  RecordRows* const right = inputs.right ? &*inputs.right : nullptr;
  inputs.table = make_record_fields(inputs.left, right, inputs.chosen.rules.fields);
}

}  // namespace sosie
