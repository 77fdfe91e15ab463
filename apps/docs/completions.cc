// Completions of verbs, options and values for bash, zsh and fish.
#include <fmt/format.h>

#include <algorithm>

#include "documents.h"
#include "sosie/help.h"
#include "sosie/option_values.h"
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
    const auto offers = offers_of(row);
    if (!offers.empty()) {
      out += fmt::format("    {})\n      {} '{}'\n      return\n      ;;\n", names,
                         takes_list(row) ? "_sosie_list" : "_sosie_words", fmt::join(offers, " "));
      continue;
    }
    std::string& list = takes_path(row) ? paths : others;
    list += (list.empty() ? "" : "|") + names;
  }
  out += fmt::format(
      "    {})\n      COMPREPLY=($(compgen -f -- \"$word\"))\n      return\n      ;;\n", paths);
  return out + fmt::format("    {})\n      return\n      ;;\n  esac\n", others);
}

// Functions that the completion calls: words, and words after the last comma in a list. A word that
// ends with a colon continues, so no space follows it. Words are also split at "=" and ":".
constexpr std::string_view kBashHelpers = R"(_sosie_words() {
  COMPREPLY=($(compgen -W "$1" -- "$word"))
  [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
}

_sosie_list() {
  local before=
  [[ $word == *,* ]] && before=${word%,*},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${word##*,}"))
  compopt -o nospace 2>/dev/null
}

)";

// Words that come first after a verb, as listed in its usage: "build|add INDEX"; may be empty.
std::string actions_of(const Verb& verb) {
  std::string words(verb.usage.substr(0, verb.usage.find(' ')));
  const bool are_words =
      words.find('|') != std::string::npos &&
      words.find_first_not_of("abcdefghijklmnopqrstuvwxyz|") == std::string::npos;
  if (!are_words) return {};
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

std::string bash_actions() {
  std::string out;
  for (const Verb& verb : verb_table()) {
    const std::string actions = actions_of(verb);
    if (actions.empty()) continue;
    out += fmt::format(
        "  if ((COMP_CWORD == 2)) && [[ ${{COMP_WORDS[1]}} == {} && $word != -* ]]; then\n"
        "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n    return\n  fi\n",
        verb.name, actions);
  }
  return out;
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

// Escapes text for '...' in an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : escaped(text, "[]:\\", "\\")) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

// Action that completes the value of an option.
std::string zsh_action(const OptionRow& row) {
  const auto offers = offers_of(row);
  if (offers.empty()) return takes_path(row) ? "_files" : "";
  std::string words;
  for (const std::string& offer : offers) words += " " + escaped(offer, ":", "\\");
  if (takes_list(row)) return fmt::format("_sequence compadd -{}", words);
  return fmt::format("({})", words.substr(1));
}

std::string zsh_specification(const Verb& verb, const OptionRow& row) {
  const bool is_repeated = row.type == OptionType::list || takes_comma_list(row);
  const std::string begin = is_repeated ? "*" : "";
  const std::string help = fmt::format("[{}]", zsh_text(help_text(row, verb)));
  if (row.type == OptionType::flag) return fmt::format("{}--{}{}", begin, row.name, help);
  const bool optional = !row.implied.empty();
  return fmt::format("{}--{}{}{}{}:{}:{}", begin, row.name, optional ? "=-" : "=", help,
                     optional ? ":" : "", zsh_text(row.metavar), zsh_action(row));
}

// A specification by letter: "-o OUT", "-q".
std::string zsh_letter(const Verb& verb, const OptionRow& row) {
  std::string out = fmt::format("-{}[{}]", row.letter, zsh_text(help_text(row, verb)));
  if (row.type == OptionType::flag) return out;
  return out + fmt::format(":{}:{}", zsh_text(row.metavar), zsh_action(row));
}

// --- fish

std::string fish_text(std::string_view text) { return escaped(text, "'\\", "\\"); }

std::string fish_option(const Verb& verb, const OptionRow& row) {
  std::string out = fmt::format("complete -c sosie -n '__fish_seen_subcommand_from {}' -l {}",
                                fmt::join(names_of(verb), " "), row.name);
  if (row.letter != 0) out += fmt::format(" -s {}", row.letter);
  out += fmt::format(" -d '{}'", fish_text(help_text(row, verb)));
  const auto offers = offers_of(row);
  if (row.type == OptionType::flag || !row.implied.empty()) return out + "\n";
  if (!offers.empty() && takes_list(row)) {
    return out + fmt::format(" -x -a '(__fish_append , {})'\n", fmt::join(offers, " "));
  }
  if (!offers.empty()) return out + fmt::format(" -x -a '{}'\n", fmt::join(offers, " "));
  return out + (takes_path(row) ? " -r -F\n" : " -x\n");
}

}  // namespace

std::string bash_completion() {
  std::string out = fmt::format("{}{}_sosie() {{\n", kMade, kBashHelpers);
  out +=
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=\n"
      "  COMPREPLY=()\n"
      "  if [[ $word == = ]]; then\n"
      "    word=\n"
      "  elif [[ $previous == = ]]; then\n"
      "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  if ((COMP_CWORD == 1)); then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W '{} help --help --version' -- \"$word\"))\n",
                     all_verbs());
  out += "    return\n  fi\n";
  out += fmt::format(
      "  if [[ ${{COMP_WORDS[1]}} == help ]]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n    return\n  fi\n",
      all_verbs());
  out += bash_actions() + bash_values() + bash_options();
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
      "  )\n  if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
      "    _describe verb verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const Verb& verb : verb_table()) {
    out += fmt::format("    {})\n      _arguments \\\n", fmt::join(names_of(verb), "|"));
    for (const OptionRow* row : options_of(verb)) {
      out += fmt::format("        '{}' \\\n", zsh_specification(verb, *row));
      if (row->letter != 0) out += fmt::format("        '{}' \\\n", zsh_letter(verb, *row));
    }
    if (const std::string actions = actions_of(verb); !actions.empty()) {
      out += fmt::format("        '1:action:({})' \\\n", actions);
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
  out += fmt::format("complete -c sosie -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                     all_verbs());
  for (const Verb& verb : verb_table()) {
    if (const std::string actions = actions_of(verb); !actions.empty()) {
      out += fmt::format(
          "complete -c sosie -n '__fish_seen_subcommand_from {0}; and not "
          "__fish_seen_subcommand_from {1}' -f -a '{1}'\n",
          verb.name, actions);
    }
    for (const OptionRow* row : options_of(verb)) out += fish_option(verb, *row);
  }
  return out;
}

}  // namespace sosie::docs
