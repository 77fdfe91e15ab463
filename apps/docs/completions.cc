#include <fmt/format.h>

#include "documents.h"
#include "table.h"

namespace sosie::docs {
namespace {

constexpr std::string_view kMade =
    "# Made by sosie_docs from the table of options: run `make docs` instead of editing.\n";

std::string all_verbs() {
  std::string out;
  for (const Verb& verb : verb_table()) {
    for (const std::string_view name : names_of(verb)) {
      out += fmt::format("{}{}", out.empty() ? "" : " ", name);
    }
  }
  return out;
}

// --- bash

std::string bash_values() {
  std::string out = "  case $previous in\n";
  std::string paths;
  std::string others;
  for (const OptionRow& row : option_table()) {
    if (row.type == OptionType::flag || !row.implied.empty()) continue;
    std::string names = fmt::format("--{}", row.name);
    if (!row.alias.empty()) names += fmt::format("|--{}", row.alias);
    if (row.letter != 0) names += fmt::format("|-{}", row.letter);
    const auto choices = choices_of(row);
    if (!choices.empty()) {
      out += fmt::format(
          "    {})\n      COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n      return\n      ;;\n",
          names, fmt::join(choices, " "));
      continue;
    }
    std::string& list = takes_path(row) ? paths : others;
    list += (list.empty() ? "" : "|") + names;
  }
  out += fmt::format(
      "    {})\n      COMPREPLY=($(compgen -f -- \"$word\"))\n      return\n      ;;\n", paths);
  return out + fmt::format("    {})\n      return\n      ;;\n  esac\n", others);
}

std::string bash_options() {
  std::string out = "  case ${COMP_WORDS[1]} in\n";
  for (const Verb& verb : verb_table()) {
    std::string words;
    for (const OptionRow* row : options_of(verb)) words += fmt::format("--{} ", row->name);
    out += fmt::format("    {})\n      options='{}--help'\n      ;;\n",
                       fmt::join(names_of(verb), "|"), words);
  }
  return out + "  esac\n";
}

// --- zsh

// Inside '...' of an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : escaped(text, "[]:\\", "\\")) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

std::string zsh_specification(const OptionRow& row) {
  std::string out = row.type == OptionType::list ? "*" : "";
  out += fmt::format("--{}", row.name);
  if (row.type == OptionType::flag) return out + fmt::format("[{}]", zsh_text(row.help));
  const auto choices = choices_of(row);
  const std::string action = !choices.empty()  ? fmt::format("({})", fmt::join(choices, " "))
                             : takes_path(row) ? std::string("_files")
                                               : std::string{};
  const bool optional = !row.implied.empty();
  return out + fmt::format("{}[{}]{}:{}:{}", optional ? "=-" : "=", zsh_text(row.help),
                           optional ? ":" : "", zsh_text(row.metavar), action);
}

// --- fish

std::string fish_text(std::string_view text) { return escaped(text, "'\\", "\\"); }

std::string fish_option(const Verb& verb, const OptionRow& row) {
  std::string out = fmt::format("complete -c sosie -n '__fish_seen_subcommand_from {}' -l {}",
                                fmt::join(names_of(verb), " "), row.name);
  if (row.letter != 0) out += fmt::format(" -s {}", row.letter);
  out += fmt::format(" -d '{}'", fish_text(row.help));
  const auto choices = choices_of(row);
  if (row.type == OptionType::flag || !row.implied.empty()) return out + "\n";
  if (!choices.empty()) return out + fmt::format(" -x -a '{}'\n", fmt::join(choices, " "));
  return out + (takes_path(row) ? " -r -F\n" : " -x\n");
}

}  // namespace

std::string bash_completion() {
  std::string out = fmt::format("{}_sosie() {{\n", kMade);
  out +=
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n",
                     all_verbs());
  out += "    return\n  fi\n" + bash_values() + bash_options();
  return out +
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n}\ncomplete -o filenames -F _sosie sosie\n";
}

std::string zsh_completion() {
  std::string out =
      fmt::format("#compdef sosie\n{}_sosie() {{\n  local -a verbs\n  verbs=(\n", kMade);
  for (const Verb& verb : verb_table()) {
    out += fmt::format("    '{}:{}'\n", verb.name, zsh_text(verb.summary));
  }
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const Verb& verb : verb_table()) {
    out += fmt::format("    {})\n      _arguments \\\n", fmt::join(names_of(verb), "|"));
    for (const OptionRow* row : options_of(verb)) {
      out += fmt::format("        '{}' \\\n", zsh_specification(*row));
    }
    out += "        '--help[explain the options]' \\\n        '*:input:_files'\n      ;;\n";
  }
  return out + "  esac\n}\n_sosie \"$@\"\n";
}

std::string fish_completion() {
  std::string out(kMade);
  for (const Verb& verb : verb_table()) {
    out += fmt::format("complete -c sosie -n __fish_use_subcommand -f -a {} -d '{}'\n", verb.name,
                       fish_text(verb.summary));
  }
  for (const Verb& verb : verb_table()) {
    for (const OptionRow* row : options_of(verb)) out += fish_option(verb, *row);
  }
  return out;
}

}  // namespace sosie::docs
