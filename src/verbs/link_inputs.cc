// Reads what a run of link compares, and the rules by which it does.
#include "verbs/link_inputs.h"

#include <algorithm>

#include "corpus/record_fields.h"
#include "options/link_rules_file.h"
#include "read/field_path.h"

namespace sosie {
namespace {

// Puts notes in front of others, each once.
void put_in_front(std::vector<std::string> notes, const std::vector<std::string>& more,
                  std::vector<std::string>& all) {
  for (const std::string& note : more) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  all.insert(all.begin(), notes.begin(), notes.end());
}

}  // namespace

LinkInputs read_link_inputs(ItemReading reading) {
  const Options& options = reading.options;
  LinkInputs inputs;
  LinkRules& rules = inputs.chosen.rules;
  RecordFields asked;
  if (!options.ignore.empty()) asked.ignored = joined_names(options.ignore);
  RecordFields asked_right = asked;
  if (!options.rules.empty()) {
    rules = read_link_rules(options.rules, reading.hooks.cancel);
    asked.wanted = columns_of(rules.fields, /*of_right=*/false);
    asked_right.wanted = columns_of(rules.fields, /*of_right=*/true);
  }
  inputs.left = read_records(reading, options.inputs, asked);
  reading.of_against = true;
  asked_right.bytes_before = memory_bytes_of(inputs.left.columns);
  if (!options.against.empty()) {
    inputs.right = read_records(reading, options.against, asked_right);
  }
  require_ignored(asked, inputs.left, inputs.other());
  if (options.rules.empty()) inputs.chosen = choose_rules(inputs.left, inputs.other());
  put_in_front(inputs.left.notes, inputs.right ? inputs.right->notes : std::vector<std::string>{},
               inputs.chosen.notes);
  if (!options.assign.empty()) rules.assign = assign_called(options.assign);
  if (!options.cut.empty()) rules.cut = options.cut;
  return inputs;
}

std::vector<std::string> files_of_rules(const Options& options, const LinkRules& rules) {
  std::vector<std::string> files = {options.rules};
  for (const LinkField& field : rules.fields) {
    if (!field.nickname_path.empty()) files.push_back(field.nickname_path);
  }
  return files;
}

}  // namespace sosie
