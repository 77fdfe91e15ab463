#include "help.h"

#include <fmt/format.h>

#include <vector>

namespace sosie::cli {
namespace {

// What stands behind the name.
std::string value_of(const OptionRow& row) {
  return row.implied.empty() ? fmt::format(" {}", row.metavar) : fmt::format("[={}]", row.metavar);
}

std::string flag_of(const OptionRow& row) {
  std::string text = row.letter != 0 ? fmt::format("-{}, ", row.letter) : "    ";
  text += fmt::format("--{}", row.name);
  if (!row.metavar.empty()) text += value_of(row);
  return text;
}

std::string head(const Verb& verb) {
  return fmt::format("sosie {} {}\n  {}\n", verb.name, verb.usage, verb.summary);
}

std::vector<const OptionRow*> options_of(const Verb& verb) {
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : option_table()) {
    if ((row.verbs & verb.bit) != 0) rows.push_back(&row);
  }
  return rows;
}

std::string details(const OptionRow& row) {
  std::vector<std::string> parts;
  if (row.type == OptionType::choice) {
    std::string choices(row.choices);
    for (std::size_t at = 0; (at = choices.find('|', at)) != std::string::npos; at += 2) {
      choices.replace(at, 1, ", ");
    }
    parts.push_back("one of " + choices);
  } else if (!row.choices.empty()) {
    parts.emplace_back(row.choices);
  }
  if (!row.default_text.empty()) parts.push_back(fmt::format("default: {}", row.default_text));
  if (!row.alias.empty()) parts.push_back(fmt::format("also --{}", row.alias));
  return parts.empty() ? std::string{} : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string overview() {
  std::string out = "sosie finds what looks alike, and proves it.\n\n";
  for (const Verb& verb : verb_table()) {
    out += fmt::format("  sosie {:<6} {:<20} {}\n", verb.name, verb.usage, verb.summary);
  }
  out += "\nsosie VERB -h shows a verb's options, --help explains them; sosie --version.\n";
  return out;
}

std::string short_help(const Verb& verb) {
  std::string out = head(verb);
  std::string_view group;
  std::size_t column = 0;
  for (const OptionRow* row : options_of(verb)) {
    if (row->group != group) {
      group = row->group;
      out += fmt::format("\n{:<11}", group);
      column = 11;
    }
    std::string text = fmt::format(" --{}", row->name);
    if (!row->metavar.empty()) text += value_of(*row);
    if (column + text.size() > 96) {
      out += fmt::format("\n{:<11}", "");
      column = 11;
    }
    out += text;
    column += text.size();
  }
  return out + fmt::format("\n\nsosie {} --help explains each.\n", verb.name);
}

std::string full_help(const Verb& verb) {
  std::string out = head(verb);
  out += fmt::format(
      "\nINPUT: files, folders of shards, glob patterns, or - for JSONL on standard input.\n"
      "Formats by extension, or --format: {}; .gz and .zst of each.\n",
      find_option("format")->choices);
  std::string_view group;
  for (const OptionRow* row : options_of(verb)) {
    if (row->group != group) {
      group = row->group;
      out += fmt::format("\n{}\n", group);
    }
    out += fmt::format("  {}\n        {}\n", flag_of(*row), row->help);
    if (const std::string more = details(*row); !more.empty()) {
      out += fmt::format("        ({})\n", more);
    }
  }
  out +=
      "\nExit codes: 0 done; 1 done, and the answer is no; 2 bad option; 3 bad input;\n"
      "4 file, disk or budget; 130 interrupted, 143 terminated.\n";
  return out;
}

}  // namespace sosie::cli
