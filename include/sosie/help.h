#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

// Help for a verb that the option table does not contain, for the command line and the manual.
struct VerbHelp {
  VerbBit verb;
  std::string_view most_used;  // option names, separated by commas
  std::string_view examples;   // commands, one per line
};

[[nodiscard]] const VerbHelp& help_of(const Verb& verb) noexcept;

// True if a command line of the verb may contain the option. A command line of plan is one of
// dedup, pairs or query with the verb replaced, so plan accepts the options of these verbs; its
// help lists only its own.
[[nodiscard]] bool takes_option(const Verb& verb, const OptionRow& row) noexcept;

// Help text of the option for one verb: OptionRow::help without passages that concern only other
// verbs.
[[nodiscard]] std::string help_text(const OptionRow& row, const Verb& verb);

// The reason why the option does not apply to items of this kind: "does not apply to vectors: they
// have no text". Empty if it does apply.
[[nodiscard]] std::string refusal_of(const OptionRow& row, KindBit kind);

// The reason why the option cannot be combined with an index on disk of items of one of these
// kinds: "cannot be combined with an index, whose items were made from all shingles". Empty if it
// can.
[[nodiscard]] std::string index_refusal_of(const OptionRow& row, KindBit kinds);

// The kinds of items that a verb supports, and the reason why it does not support the others.
[[nodiscard]] OptionKinds kinds_of(VerbBit verb) noexcept;
// The reason why the verb does not apply to items of this kind: "does not apply to strings: they
// have no signature". Empty if it does apply.
[[nodiscard]] std::string refusal_of(VerbBit verb, KindBit kind);

// A measure, as described in the documentation.
struct MeasureHelp {
  std::string name;     // "jaccard", "minkowski:R"
  std::string kinds;    // "text, sets"
  std::string methods;  // "lsh, exact, brute"
  bool is_similarity = true;
  std::string source;
};

// All measures of all kinds, in the order of their table.
[[nodiscard]] std::vector<MeasureHelp> measure_help();

// One line of help for an unknown verb `name`: the verb with the most similar name, the verb that
// does here what `name` does in another tool, or a list of all verbs.
[[nodiscard]] std::string verb_hint(std::string_view name);

}  // namespace sosie
