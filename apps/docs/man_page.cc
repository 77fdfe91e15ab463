// Writes the man page.
#include <fmt/format.h>

#include "documents.h"
#include "sosie/help.h"
#include "sosie/index_folder.h"
#include "sosie/version.h"
#include "table.h"

namespace sosie::docs {
namespace {

// A line of running text, with backslashes and hyphens escaped for roff, and without leading
// control characters.
std::string roff(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// The verbs that have the option, or the few verbs that lack it; empty if all verbs that read rows
// have it.
std::string verbs_with(const OptionRow& row) {
  constexpr VerbBit kOfRows = kAllVerbs | kLink | kIndex;
  std::vector<std::string_view> with;
  std::vector<std::string_view> without;
  for (const Verb& verb : verb_table()) {
    const bool has = has_any(row.verbs, verb.bit);
    if (has) with.push_back(verb.name);
    if (!has && has_any(kOfRows, verb.bit)) without.push_back(verb.name);
  }
  if (without.empty()) return {};
  if (without.size() <= 2) return fmt::format("Not with {}.\n", fmt::join(without, " and "));
  return fmt::format("With {}.\n", fmt::join(with, ", "));
}

std::string option_paragraph(const OptionRow& row) {
  std::string out = fmt::format(".TP\n\\fB{}\\fR\n{}.\n", roff(signature(row)), roff(row.help));
  if (const std::string more = details(row); !more.empty())
    out += fmt::format("({})\n", roff(more));
  return out + verbs_with(row);
}

constexpr std::string_view kDescription = R"(.SH DESCRIPTION
.B sosie
finds near\-duplicates: texts that share most of their shingles.
Every reported pair carries the exact similarity of its two texts, and a row is removed only
against a kept row that it was itself verified to be similar to.
The result depends on input, options and seed, never on threads, memory or the machine.
.PP
Inputs are files, folders of record files, glob patterns, or
.B \-
for JSONL on standard input.
Inputs are never changed; an output appears under its name when it is complete.
Results go to standard output, everything else to standard error.
)";

std::string examples() {
  std::string out = ".SH EXAMPLES\n";
  for (const Verb& verb : verb_table()) {
    out += fmt::format(".TP\n.B {}: {}\n.nf\n{}\n.fi\n", verb.name, roff(verb.summary),
                       roff(help_of(verb).examples));
  }
  return out;
}

}  // namespace

std::string man_page() {
  std::string out = fmt::format(
      ".\\\" Made by sosie_docs from the table of options: run `make docs` instead of editing.\n"
      ".TH SOSIE 1 \"\" \"sosie {}\" \"User Commands\"\n"
      ".SH NAME\nsosie \\- find near-duplicates and verify every one\n.SH SYNOPSIS\n",
      version());
  for (const Verb& verb : verb_table()) {
    out += fmt::format(".B sosie {}\n{}\n[\\fIoptions\\fR]\n.br\n", verb.name, roff(verb.usage));
  }
  out += ".B sosie\n\\-\\-version\n";
  out += kDescription;
  out += ".SH VERBS\n";
  for (const Verb& verb : verb_table()) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", verb.name, roff(verb.summary));
    if (!verb.alias.empty()) out += fmt::format("(also \\fB{}\\fR)\n", verb.alias);
  }
  out +=
      ".SH OPTIONS\nUnless noted otherwise, an option applies to every verb that reads rows; "
      "\\fBsosie VERB \\-\\-help\\fR shows those of a verb.\n";
  for (const std::string_view group : groups()) {
    out += fmt::format(".SH \"OPTIONS: {}\"\n", roff(group));
    for (const OptionRow& row : option_table()) {
      if (row.group == group) out += option_paragraph(row);
    }
  }
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitStatus& status : exit_statuses()) {
    out += fmt::format(".TP\n.B {}\n{}.\n", status.code, roff(status.meaning));
  }
  return out + examples();
}

}  // namespace sosie::docs
