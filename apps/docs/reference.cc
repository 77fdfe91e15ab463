// Writes docs/reference.md.
#include <fmt/format.h>

#include <functional>

#include "documents.h"
#include "sosie/help.h"
#include "table.h"

namespace sosie::docs {
namespace {

// A cell of a Markdown table.
std::string cell(std::string_view text) { return escaped(text, "|<>*_", "\\"); }

std::string code(std::string_view text) {
  return text.empty() ? std::string{} : fmt::format("`{}`", escaped(text, "|", "\\"));
}

std::string values_of(const OptionRow& row) {
  const auto choices = choices_of(row);
  if (choices.empty()) return cell(row.choices);
  std::string out;
  for (const std::string_view choice : choices) {
    out += fmt::format("{}`{}`", out.empty() ? "" : ", ", choice);
  }
  return out;
}

std::string option_line(const OptionRow& row) {
  const std::string also = row.alias.empty() ? "" : fmt::format(" (also `--{}`)", row.alias);
  const std::string verbs = verbs_of(row);
  return fmt::format("| {}{} | {} | {} | {} | {} |\n", code(signature(row)), also, cell(row.help),
                     values_of(row), code(row.default_text), verbs.empty() ? "all" : verbs);
}

// A line about the kinds that a verb or an option supports or rejects; empty if it supports all.
std::string kinds_line(const std::string& name, std::span<const OptionWord> kinds,
                       const std::function<std::string(KindBit kind)>& refused,
                       std::string_view reason) {
  std::string cells;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    cells += refused(KindBit{1U << i}).empty() ? " yes |" : " – |";
  }
  if (cells.find("–") == std::string::npos) return {};
  return fmt::format("| {} |{} {} |\n", code(name), cells, cell(reason));
}

// The header of a table of such lines.
std::string kinds_header(std::string_view what, std::span<const OptionWord> kinds,
                         std::string_view why) {
  std::string head = fmt::format("| {} |", what);
  std::string rule = "|---|---|";
  for (const OptionWord& kind : kinds) {
    head += fmt::format(" {} |", kind.shown);
    rule += "---|";
  }
  return fmt::format("{} {} |\n{}\n", head, why, rule);
}

// Verbs and options that do not apply to some kinds, with the reason.
std::string kinds_of_options() {
  const std::vector<OptionWord> kinds = find_option("kind")->words();
  std::string out =
      "\n## Options and kinds of items\n\nAll other verbs and options apply to every kind; an "
      "option that a kind cannot use is an error\n(exit 2), with the reason.\n\n" +
      kinds_header("verb, option", kinds, "why the other kinds do not have it");
  for (const Verb& verb : verb_table()) {
    out += kinds_line(
        fmt::format("sosie {}", verb.name), kinds,
        [&](KindBit kind) { return refusal_of(verb.bit, kind); }, kinds_of(verb.bit).reason);
  }
  for (const OptionRow& row : option_table()) {
    out += kinds_line(
        fmt::format("--{}", row.name), kinds, [&](KindBit kind) { return refusal_of(row, kind); },
        row.kinds.reason);
  }
  return out;
}

// Options that cannot be combined with an index, and options that plan leaves out.
std::string options_of_indexes() {
  std::vector<OptionWord> kinds = find_option("kind")->words();
  kinds.pop_back();  // records have no index
  std::string out =
      "\n## Options and an index\n\n`dedup`, `pairs` and `query` do not accept these options "
      "together with an index on disk. Options with which\nthe index was built may only be "
      "repeated (a bound may be stricter); `--keep` and `--clustering` stay at "
      "their\ndefaults.\n\n" +
      kinds_header("option", kinds, "cannot be combined with an index, …");
  std::string unplanned;
  for (const OptionRow& row : option_table()) {
    if (!row.is_planned)
      unplanned += fmt::format("{}`--{}`", unplanned.empty() ? "" : ", ", row.name);
    if (!row.indexed.reason.empty()) {
      out += kinds_line(
          fmt::format("--{}", row.name), kinds,
          [&](KindBit kind) { return refusal_of(row, kind) + index_refusal_of(row, kind); },
          fmt::format("{}; {}", row.indexed.reason, row.indexed.way));
    }
  }
  return out + fmt::format("\n`sosie plan` predicts a run without {}.\n", unplanned);
}

std::string measures() {
  std::string out =
      "\n## Measures\n\n| measure | items | value | methods | source |\n|---|---|---|---|---|\n";
  for (const MeasureHelp& measure : measure_help()) {
    out += fmt::format("| {} | {} | {} | {} | {} |\n", code(measure.name), measure.kinds,
                       measure.is_similarity ? "similarity" : "distance", measure.methods,
                       cell(measure.source));
  }
  return out;
}

}  // namespace

std::string reference() {
  std::string out =
      "<!-- Made by sosie_docs from the table of options: run `make docs` instead of editing. -->\n"
      "# Reference: verbs, options, exit codes\n\n"
      "`sosie VERB -h` shows a verb's options on one screen; `--help` explains them. The Python\n"
      "keyword for `--on-bad-row` is `on_bad_row`, and likewise for all options.\n\n"
      "An option that takes a list (`FIELD,...`, or \"may be repeated\") accumulates: `--show a "
      "--show "
      "b`\nis `--show a,b`. Any other option accepts one value; two different values are an "
      "error.\n\n"
      "## Verbs\n\n"
      "| verb | what you get |\n|---|---|\n";
  for (const Verb& verb : verb_table()) {
    const std::string also = verb.alias.empty() ? "" : fmt::format(" (also `{}`)", verb.alias);
    out += fmt::format("| {}{} | {} |\n", code(fmt::format("sosie {} {}", verb.name, verb.usage)),
                       also, cell(verb.summary));
  }
  for (const std::string_view group : groups()) {
    out += fmt::format(
        "\n## {}\n\n| option | what it does | values | default | verbs |\n|---|---|---|---|---|\n",
        group);
    for (const OptionRow& row : option_table()) {
      if (row.group == group) out += option_line(row);
    }
  }
  out += kinds_of_options();
  out += options_of_indexes();
  out += measures();
  out += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitStatus& status : exit_statuses()) {
    out += fmt::format("| {} | {} |\n", status.code, cell(status.meaning));
  }
  return out +
         "\nErrors are one line on standard error, `sosie: people.csv:17: expected 4 fields, "
         "found\n"
         "3`, then, if possible, a line that suggests what to do.\n";
}

}  // namespace sosie::docs
