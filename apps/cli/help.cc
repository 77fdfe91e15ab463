// Generates help texts from the tables of verbs and options; no line is longer than 80 columns.
#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sosie/help.h"

namespace sosie::cli {
namespace {

constexpr std::size_t kWidth = 80;

// The parts of `text` between separators.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    parts.emplace_back(text.substr(0, text.find(separator)));
    text.remove_prefix(std::min(text.size(), parts.back().size() + 1));
  }
  return parts;
}

// The parts, separated by spaces, in lines of at most kWidth columns. The first line starts after
// `column` columns; the others are indented by `indent`. Ends with a line end.
std::string wrapped(const std::vector<std::string>& parts, std::size_t column, std::size_t indent) {
  std::string out;
  bool starts = true;
  for (const std::string& part : parts) {
    if (!starts && column + 1 + part.size() > kWidth) {
      out += fmt::format("\n{:<{}}", "", indent);
      column = indent;
      starts = true;
    }
    if (!starts) out += ' ';
    column += part.size() + (starts ? 0 : 1);
    out += part;
    starts = false;
  }
  return out + "\n";
}

std::string wrapped(std::string_view text, std::size_t column, std::size_t indent) {
  return wrapped(split(text, ' '), column, indent);
}

// A label in the left column, and wrapped text in the right one.
std::string two_columns(std::string_view left, std::string_view text, std::size_t indent) {
  const std::string begin = left.size() + 1 < indent ? fmt::format("{:<{}}", left, indent)
                                                     : fmt::format("{}\n{:<{}}", left, "", indent);
  return begin + wrapped(text, indent, indent);
}

// "--threshold S", "--audit[=N]".
std::string name_and_value(const OptionRow& row) {
  if (row.metavar.empty()) return fmt::format("--{}", row.name);
  if (!row.implied.empty()) return fmt::format("--{}[={}]", row.name, row.metavar);
  return fmt::format("--{} {}", row.name, row.metavar);
}

std::string flag_of(const OptionRow& row) {
  const std::string letter = row.letter != 0 ? fmt::format("-{}, ", row.letter) : "    ";
  return letter + name_and_value(row);
}

std::string head(const Verb& verb) {
  return fmt::format("sosie {} {}\n  {}", verb.name, verb.usage, wrapped(verb.summary, 2, 2));
}

std::string examples(const Verb& verb) {
  return fmt::format("\nExamples\n  {}\n", fmt::join(split(help_of(verb).examples, '\n'), "\n  "));
}

std::vector<const OptionRow*> options_of(const Verb& verb) {
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : option_table()) {
    if (has_any(row.verbs, verb.bit)) rows.push_back(&row);
  }
  return rows;
}

std::string details(const OptionRow& row) {
  std::vector<std::string> parts;
  if (row.type == OptionType::choice) {
    parts.push_back(fmt::format("one of {}", fmt::join(split(row.choices, '|'), ", ")));
  } else if (!row.choices.empty()) {
    parts.emplace_back(row.choices);
  }
  if (!row.default_text.empty()) parts.push_back(fmt::format("default: {}", row.default_text));
  if (!row.alias.empty()) parts.push_back(fmt::format("also --{}", row.alias));
  return parts.empty() ? std::string{} : fmt::format("({})", fmt::join(parts, "; "));
}

}  // namespace

std::string overview() {
  std::string out =
      "sosie finds near-duplicates and verifies every one.\n\n"
      "usage: sosie VERB INPUT... [options]\n\n";
  for (const Verb& verb : verb_table()) {
    out += two_columns(fmt::format("  {}", verb.name), verb.summary, 11);
  }
  out += "\nExamples\n";
  for (const Verb& verb : verb_table()) {
    out += fmt::format("  {}\n", split(help_of(verb).examples, '\n').front());
  }
  return out +
         "\nsosie VERB -h      the options of a verb on one screen\n"
         "sosie help VERB    every option explained (same as sosie VERB --help)\n"
         "sosie --version    the version (same as -V)\n";
}

std::string short_help(const Verb& verb) {
  constexpr std::size_t kHelpColumn = 26;
  constexpr std::size_t kNameColumn = 12;
  std::string out = head(verb) + examples(verb) + "\nMost used\n";
  const std::vector<std::string> first = split(help_of(verb).most_used, ',');
  for (const std::string& name : first) {
    const OptionRow& row = *find_option(name);
    std::string text = help_text(row, verb);
    if (!row.default_text.empty()) text += fmt::format(" (default: {})", row.default_text);
    out += two_columns("  " + flag_of(row), text, kHelpColumn);
  }
  std::vector<std::string> names;
  std::string_view group;
  const auto finish_group = [&] {
    if (names.empty()) return;
    out += fmt::format("{:<{}}{}", group, kNameColumn, wrapped(names, kNameColumn, kNameColumn));
    names.clear();
  };
  out += "\nAll others\n";
  for (const OptionRow* row : options_of(verb)) {
    if (row->group != group) finish_group();
    group = row->group;
    if (std::find(first.begin(), first.end(), row->name) == first.end()) {
      names.push_back(name_and_value(*row));
    }
  }
  finish_group();
  return out + fmt::format("\nsosie {} --help explains each.\n", verb.name);
}

std::string full_help(const Verb& verb) {
  constexpr std::size_t kIndent = 8;
  std::string out = head(verb) + examples(verb) + "\n";
  if (verb.bit != kServe && verb.bit != kDemo) {
    out += wrapped(
        fmt::format("INPUT: files, folders of shards, glob patterns, or - for JSONL on standard "
                    "input. Formats by extension, or --format: {}; all except parquet and arrow "
                    "may be .gz or .zst.",
                    find_option("format")->choices),
        0, 0);
  }
  std::string_view group;
  for (const OptionRow* row : options_of(verb)) {
    if (row->group != group) {
      group = row->group;
      out += fmt::format("\n{}\n", group);
    }
    out += two_columns("  " + flag_of(*row), help_text(*row, verb), kIndent);
    if (const std::string more = details(*row); !more.empty()) {
      out += two_columns("", more, kIndent);
    }
  }
  out +=
      "\nExit codes: 0 done; 1 done, but the answer is no; 2 bad option; 3 bad input;\n"
      "4 file, disk or budget; 129, 130, 143 ended by a signal.\n";
  return out;
}

}  // namespace sosie::cli
