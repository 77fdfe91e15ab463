#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

// Help with a verb beyond the table of options, for the command line and the manual.
struct VerbHelp {
  VerbBit verb;
  std::string_view most_used;  // names of options, separated by commas
  std::string_view examples;   // commands, a line each
};

[[nodiscard]] const VerbHelp& help_of(const Verb& verb) noexcept;

// True if a command line of the verb may have the option. That of plan may be one of dedup, pairs
// or query with the verb replaced: it has their options, though its help tells only of its own.
[[nodiscard]] bool takes_option(const Verb& verb, const OptionRow& row) noexcept;

// Help of the option as one verb shows it: OptionRow::help with what it says of that verb, without
// what it says of others.
[[nodiscard]] std::string help_text(const OptionRow& row, const Verb& verb);

// Why items of this kind (a value of --kind) do not take the option: "does not apply to vectors:
// they have no text". Empty if they do.
[[nodiscard]] std::string refusal_of(const OptionRow& row, std::string_view kind);

// Kinds of items that a verb means something for, and why other kinds do not have it.
[[nodiscard]] OptionKinds kinds_of(VerbBit verb) noexcept;
// Why items of this kind do not take the verb: "does not apply to strings: they have no
// signature". Empty if they do.
[[nodiscard]] std::string refusal_of(VerbBit verb, std::string_view kind);

// A measure, for documentation.
struct MeasureHelp {
  std::string name;     // "jaccard", "minkowski:R"
  std::string kinds;    // "text, sets"
  std::string methods;  // "lsh, exact, brute"
  bool is_similarity = true;
  std::string source;
};

// Every measure of every kind, in the order of their table.
[[nodiscard]] std::vector<MeasureHelp> measure_help();

// One line that helps who typed `name`, which is no verb: the nearest verb, what another tool's
// verb is called here, or all verbs.
[[nodiscard]] std::string verb_hint(std::string_view name);

}  // namespace sosie
