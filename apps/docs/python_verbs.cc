// The verbs in the Python package: one function each, with a keyword for every option.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents.h"
#include "python_verb_table.h"
#include "sosie/help.h"
#include "sosie/options.h"
#include "table.h"

namespace sosie::docs {
namespace {

constexpr std::size_t kWidth = 100;  // width of lines

// Options that only a command line needs, or that are separate arguments.
constexpr std::array<std::string_view, 9> kNoKeyword = {
    "against", "color",    "dry-run", "fail-if-duplicates", "files-from", "init",
    "pairs",   "progress", "quiet"};

// Text about an option for which Python differs from the command line.
struct PythonText {
  std::string_view option;
  std::string_view text;
};
constexpr std::array kPythonTexts = {
    PythonText{"output", "file or folder to which the result is also written"},
    PythonText{"overwrite",
               "with output: write into a non-empty folder, replacing files of the same name; "
               "\"all\" also removes other files of an earlier run, and the review of a saved run"},
    PythonText{"annotate",
               "with output: add duplicate_of and cluster_size to kept rows, or to all rows and "
               "drop none"},
    PythonText{"show", "with output: also show these fields of both rows"},
    PythonText{"audit",
               "measure recall and precision on this many documents, drawn from the input"},
    PythonText{"checkpoint", "save progress in this folder; the same call resumes (paths only)"},
    PythonText{"plan", "use a plan saved by `sosie.plan(..., output=...)`"},
    PythonText{"stats", "file for the summary, as JSON"},
    PythonText{"id",
               "field with the rows' ids, which results then contain. Default: the field id, if "
               "files have one; rows in memory are identified by their numbers, from 0"},
};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string keyword_of(const OptionRow& row) {
  std::string name(row.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// "on-bad-row" becomes OnBadRow.
std::string type_name_of(const OptionRow& row) {
  std::string name;
  bool begins = true;
  for (const char c : row.name) {
    if (c != '-') name += begins ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '-';
  }
  return name;
}

// The distinct words that an option accepts; empty if it also accepts other values. A type cannot
// express the values of a parameter, so the usual values stand for all.
std::vector<std::string> literals_of(const OptionRow& row) {
  const bool closed =
      row.type == OptionType::choice || (row.metavar == "NAME" && !row.choices.ends_with("..."));
  if (!closed) return {};
  if (row.words == nullptr) return words_of(row);
  std::vector<std::string> words;
  for (const OptionWord& word : row.words()) {
    words.insert(words.end(), word.usual.begin(), word.usual.end());
  }
  return words;
}

// Type of an option's text, according to its metavar in the usage.
std::string_view type_of_text(const OptionRow& row) {
  const auto is_called = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), row.metavar) != names.end();
  };
  if (is_called({"FILE", "OUT", "DIR", "LANG|FILE"})) return "str | PathLike[str]";
  if (is_called({"D"}) || row.name == "cut") return "float | str | Fraction";
  if (row.name == "column" || row.metavar.ends_with(",...")) return "str | Sequence[str]";
  return "str";
}

std::string python_type(const OptionRow& row) {
  switch (row.type) {
    case OptionType::integer:
      return "int";
    case OptionType::size:
      return "int | str";
    case OptionType::fraction:
      return "float | str | Fraction";
    case OptionType::flag:
      return "bool";
    case OptionType::list:
      return row.metavar == "FIELD=RULE" ? "str | Sequence[str]"
                                         : "str | PathLike[str] | Sequence[str | PathLike[str]]";
    case OptionType::choice:
    case OptionType::text:
      break;
  }
  if (literals_of(row).empty()) return std::string(type_of_text(row));
  return (row.implied.empty() ? "" : "bool | ") + type_name_of(row);
}

// Definitions such as Kind = Literal["text", ...], for options that accept one of several words.
std::string type_aliases() {
  std::string out;
  for (const OptionRow& row : option_table()) {
    const std::vector<std::string> words = literals_of(row);
    if (words.empty() || contains(kNoKeyword, row.name) || row.verbs == kServe) continue;
    std::string line =
        fmt::format("{} = Literal[\"{}\"]\n", type_name_of(row), fmt::join(words, "\", \""));
    if (line.size() > kWidth) {
      line = fmt::format("{} = Literal[\n    \"{}\",\n]\n", type_name_of(row),
                         fmt::join(words, "\",\n    \""));
    }
    out += line;
  }
  return out;
}

bool is_keyword_of(const OptionRow& row, const Verb& verb, const PythonVerb& python) {
  return has_any(row.verbs, verb.bit) && !contains(kNoKeyword, row.name) &&
         (python.only.empty() || contains(python.only, row.name));
}

// The verb whose options a function has.
const Verb& verb_of(const PythonVerb& python) {
  const std::string_view name = python.options_of.empty() ? python.name : python.options_of;
  const auto verbs = verb_table();
  return *std::find_if(verbs.begin(), verbs.end(),
                       [&](const Verb& verb) { return verb.name == name; });
}

// "with --group-by" in Python's terms: "with group_by".
std::string in_python_words(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = text.substr(i).starts_with("--") && i + 2 < text.size() &&
                        text[i + 2] >= 'a' && text[i + 2] <= 'z';
    if (!begins) {
      out += text[i];
      continue;
    }
    for (i += 2; i < text.size() && (text[i] == '-' || (text[i] >= 'a' && text[i] <= 'z')); ++i) {
      out += text[i] == '-' ? '_' : text[i];
    }
    --i;
  }
  return out;
}

// Text about a keyword in the docstring.
std::string text_of(const OptionRow& row, const Verb& verb) {
  for (const PythonText& other : kPythonTexts) {
    if (other.option == row.name) return std::string(other.text) + ".";
  }
  std::string text = in_python_words(help_text(row, verb));
  if (!row.choices.empty()) text += fmt::format(" ({})", row.choices);
  text += ".";
  if (!row.default_text.empty())
    text += fmt::format(" Default: {}.", in_python_words(row.default_text));
  return text;
}

// The text in lines of at most kWidth columns, indented by `indent`; all lines except the first are
// indented by `hanging` more columns.
std::string paragraph(std::string_view text, std::size_t indent, std::size_t hanging) {
  std::string out(indent, ' ');
  std::size_t column = indent;
  bool starts = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!starts && column + 1 + word.size() > kWidth) {
      column = indent + hanging;
      out += fmt::format("\n{:<{}}", "", column);
      starts = true;
    }
    if (!starts) out += ' ';
    column += word.size() + (starts ? 0 : 1);
    out += word;
    starts = false;
  }
  return out + "\n";
}

// Indents separate lines.
std::string indented(std::string_view lines, std::size_t indent) {
  std::string out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    out += fmt::format("{:<{}}{}\n", "", indent, line);
  }
  return out;
}

// Keywords of a function: rows of the option table, and the function's own.
struct Keywords {
  std::vector<const OptionRow*> rows;
  bool compares = false;  // has `against`
  bool tells = false;     // has `progress`
};

Keywords keywords_of(const PythonVerb& python) {
  const Verb& verb = verb_of(python);
  Keywords out;
  for (const OptionRow& row : option_table()) {
    if (is_keyword_of(row, verb, python)) out.rows.push_back(&row);
  }
  out.compares = python.only.empty() && has_any(find_option("against")->verbs, verb.bit);
  out.tells =
      python.result == "Deduplicated" || python.result == "Pairs" || python.result == "Linked";
  return out;
}

constexpr std::string_view kRaises =
    "OptionError: an invalid option or value (a ValueError).\n"
    "InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).\n"
    "FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).\n"
    "LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.\n"
    "TypeError: data without rows, or an unknown keyword.\n";

// "data: rows" with the type from the arguments: "data (Source): rows".
std::string with_types(std::string_view texts, std::string_view arguments) {
  std::string out;
  while (!texts.empty()) {
    const std::string_view line = texts.substr(0, texts.find('\n'));
    texts.remove_prefix(std::min(texts.size(), line.size() + 1));
    const std::string_view name = line.substr(0, line.find(':'));
    const std::string_view typed = arguments.substr(0, arguments.find('\n'));
    arguments.remove_prefix(std::min(arguments.size(), typed.size() + 1));
    std::string_view type = typed.substr(name.size() + 2);
    type = type.substr(0, std::min(type.find(" | None"), type.find_first_of("=,")));
    while (type.ends_with(' ')) type.remove_suffix(1);
    out += fmt::format("{} ({}){}\n", name, type, line.substr(name.size()));
  }
  return out;
}

std::string paragraphs(std::string_view lines, std::size_t indent, std::size_t hanging) {
  std::string out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    out += paragraph(line, indent, hanging);
  }
  return out;
}

std::string docstring(const PythonVerb& python, const Keywords& keywords) {
  constexpr std::size_t kBody = 4;
  constexpr std::size_t kItem = 8;
  std::string out = fmt::format("    \"\"\"{}\n", python.summary);
  if (!python.text.empty()) out += "\n" + paragraph(python.text, kBody, 0);
  out += "\n    Args:\n" +
         paragraphs(with_types(python.argument_texts, python.arguments), kItem, kBody);
  for (const OptionRow* row : keywords.rows) {
    out += paragraph(fmt::format("{} ({}): {}", keyword_of(*row), python_type(*row),
                                 text_of(*row, verb_of(python))),
                     kItem, kBody);
  }
  if (keywords.compares) {
    out += paragraph(
        python.name == "explain" ? "against (Records): another collection of records, like `data`."
        : python.result == "Linked"
            ? "against (Records): another collection, like `data`; links are between the two."
            : "against (Source): rows to compare with, like `data`; they always win and are never "
              "removed.",
        kItem, kBody);
  }
  if (keywords.tells) {
    out += paragraph(
        "progress (Progress): True for a line on stderr, or a function (stage, done, total).",
        kItem, kBody);
  }
  if (!python.returns.empty()) out += "\n    Returns:\n" + paragraph(python.returns, kItem, 0);
  out += "\n    Raises:\n" + paragraphs(kRaises, kItem, kBody);
  out += "\n    Source:\n" + paragraph(python.source, kItem, 0);
  out += "\n    Example:\n        >>> import sosie\n" + indented(python.example, kItem);
  return out + "    \"\"\"\n";
}

// The parameters, one per line, and the options as a dictionary.
std::string parameters(const PythonVerb& python, const Keywords& keywords, std::size_t indent) {
  std::string out = fmt::format("{:<{}}", "", indent);
  for (const char c : python.arguments) {
    out += c == '\n' ? fmt::format("\n{:<{}}", "", indent) : std::string(1, c);
  }
  out += fmt::format(",\n{:<{}}*,\n", "", indent);
  for (const OptionRow* row : keywords.rows) {
    out += fmt::format("{:<{}}{}: {} | None = None,\n", "", indent, keyword_of(*row),
                       python_type(*row));
  }
  return out;
}

std::string dictionary(const Keywords& keywords, std::size_t indent) {
  std::string out = "{\n";
  for (const OptionRow* row : keywords.rows) {
    out += fmt::format("{:<{}}\"{}\": {},\n", "", indent + 4, keyword_of(*row), keyword_of(*row));
  }
  return out + fmt::format("{:<{}}}}", "", indent);
}

// "data, items" of "data: Source,\nitems: Source".
std::string names_of_arguments(std::string_view arguments) {
  std::vector<std::string_view> names;
  while (!arguments.empty()) {
    const std::string_view line = arguments.substr(0, arguments.find('\n'));
    arguments.remove_prefix(std::min(arguments.size(), line.size() + 1));
    names.push_back(line.substr(0, line.find(':')));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string function(const PythonVerb& python) {
  const Keywords keywords = keywords_of(python);
  std::string out =
      fmt::format("\n\n@checked\ndef {}(\n{}", python.name, parameters(python, keywords, 4));
  if (keywords.compares) {
    out +=
        fmt::format("    against: {} | None = None,\n",
                    python.result == "Linked" || python.name == "explain" ? "Records" : "Source");
  }
  if (keywords.tells) out += "    progress: Progress = None,\n";
  out += fmt::format(") -> {}:\n{}    return _run.{}(\n        {},\n        {},\n", python.result,
                     docstring(python, keywords), python.name, names_of_arguments(python.arguments),
                     dictionary(keywords, 8));
  if (keywords.compares) out += "        against,\n";
  if (keywords.tells) out += "        progress,\n";
  return out + "    )\n";
}

// The constructor of a class whose methods are in _index.py.
std::string index_class(const PythonVerb& python) {
  const Keywords keywords = keywords_of(python);
  return fmt::format(
      "\n\nclass {}(IndexBase):\n{}\n    @checked\n    def __init__(\n        self,\n{}    ):\n"
      "        super().__init__(\n            kind,\n            {},\n        )\n",
      python.name, docstring(python, keywords), parameters(python, keywords, 8),
      dictionary(keywords, 12));
}

}  // namespace

std::string python_verbs() {
  std::string out =
      "# Generated from the option table (`make docs`); do not edit.\n"
      "\"\"\"The verbs: one function each, with a keyword for every option.\"\"\"\n\n"
      "from __future__ import annotations\n\n"
      "from collections.abc import Sequence\n"
      "from fractions import Fraction\n"
      "from os import PathLike\n"
      "from typing import Literal\n\n"
      "import numpy as np\n"
      "import numpy.typing as npt\n\n"
      "from . import _run\n"
      "from ._batches import SketchedBatch, VerifiedBatch\n"
      "from ._index import IndexBase\n"
      "from ._results import Clusters, Deduplicated, Linked, Pairs\n"
      "from ._source import PairSource, Path, Progress, Records, Source, checked\n\n" +
      type_aliases();
  for (const PythonVerb& verb : python_verb_table()) {
    out += verb.result == "None" ? index_class(verb) : function(verb);
  }
  return out;
}

}  // namespace sosie::docs
