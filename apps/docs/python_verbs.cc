#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents.h"
#include "sosie/options.h"

// The verbs of the Python package: one function each, with a keyword for every option.
namespace sosie::docs {
namespace {

struct PythonVerb {
  std::string_view name;
  std::string_view arguments;  // in front of the keywords
  std::string_view passed_on;
  std::string_view result;
  std::string_view text;                        // of the docstring
  std::string_view options_of = {};             // the verb whose options it takes, if not its own
  std::span<const std::string_view> only = {};  // of these, if not all
};

constexpr std::size_t kWidth = 100;  // of lines

// What decides the signature of a row.
constexpr std::array<std::string_view, 11> kOfSignatures = {
    "format", "column",    "kind",   "ratings", "shingle", "tokens",
    "sketch", "stopwords", "memory", "seed",    "threads"};

// What decides the similarity of two rows.
constexpr std::array<std::string_view, 11> kOfSimilarity = {
    "format",  "column", "kind",      "ratings", "measure", "union",
    "shingle", "tokens", "stopwords", "memory",  "threads"};

constexpr std::array kVerbs = {
    PythonVerb{
        "dedup", "data: Source", "data", "Deduplicated",
        "Keep one of each group of near-duplicate rows.\n\n"
        "    ``data``: an Arrow table (pyarrow, polars, pandas, DuckDB), a list of texts, or "
        "paths.\n"
        "    Every removed row was verified to be similar to the row it is removed for, and "
        "no two\n"
        "    kept rows are a found pair. Source: MMDS chapter 3."},
    PythonVerb{
        "pairs", "data: Source", "data", "Pairs",
        "Every pair of similar rows: within ``data``, or between it and ``against``.\n\n"
        "    ``data``: an Arrow table, a list of texts, or paths. A pair at the threshold is "
        "found with\n"
        "    probability ``recall``; every pair that is reported is verified."},
    PythonVerb{
        "query", "data: Source,\n    items: Source", "data, items", "Pairs",
        "The rows of ``data`` that are similar to each row of ``items``, best first.\n\n"
        "    ``data`` and ``items``: an Arrow table, a list of texts, or paths. ``left`` is a "
        "row of\n"
        "    ``items``, ``right`` one of ``data``; the hits of an item stand together."},
    PythonVerb{
        "cluster", "pairs: PairSource", "pairs", "Clusters",
        "Groups of what pairs say is similar, around one survivor each.\n\n"
        "    ``pairs``: what :func:`pairs` found, an Arrow table with the columns left, right "
        "and\n"
        "    similarity, a list of such tuples, or a path. An item is removed only for a "
        "survivor it makes\n"
        "    a pair with (``clustering=\"components\"``: for any it is connected with). "
        "Items rank in the\n"
        "    order in which they are first named. Without ``threshold`` all pairs count."},
    PythonVerb{
        "similarity", "left: Source,\n    right: Source", "left, right", "npt.NDArray[np.float64]",
        "How similar (or, by a distance, how far apart) row i of ``left`` and row i of "
        "``right`` are.\n\n"
        "    Exactly, for all i. ``left`` and ``right``: as many items each, of any kind, as "
        "an Arrow table,\n"
        "    a list, an array, or a path. A row without a shingle is similar to none: 0. "
        "Source: MMDS\n    chapters 3.1.1 and 3.5.",
        "pairs", kOfSimilarity},
    PythonVerb{"minhash", "data: Source,\n    num_perm: int = 128", "data, num_perm",
               "npt.NDArray[np.uint32]",
               "MinHash signatures of all rows: an array (rows, num_perm) of uint32.\n\n"
               "    Two rows agree in each component with probability equal to the Jaccard "
               "similarity of their\n"
               "    sets, so ``(a == b).mean()`` estimates it with a standard deviation of at "
               "most\n"
               "    ``0.5 / sqrt(num_perm)``. ``num_perm``: a power of two from 16 to 4096. A row "
               "without a\n"
               "    shingle has 2**32 - 1 everywhere. Source: MMDS chapter 3.3.",
               "pairs", kOfSignatures},
    PythonVerb{"plan", "data: Source | None = None", "data", "str",
               "What would be run and why: method, bands, expected recall, the S-curve."},
    PythonVerb{"explain", "left: str | int,\n    right: str | int,\n    data: Source",
               "left, right, data", "str",
               "Why two rows are (not) near-duplicates, and what becomes of them.\n\n"
               "    ``left`` and ``right`` are ids as the command line knows them; of tables and "
               "lists, row\n    numbers."},
};

// What only a command line needs, or what is an argument of its own.
constexpr std::array<std::string_view, 6> kNoKeyword = {"against", "color",    "files-from",
                                                        "pairs",   "progress", "quiet"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string keyword_of(const OptionRow& row) {
  std::string name(row.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// "on-bad-row" is OnBadRow.
std::string type_name_of(const OptionRow& row) {
  std::string name;
  bool begins = true;
  for (const char c : row.name) {
    if (c != '-') name += begins ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '-';
  }
  return name;
}

// The words that an option takes, each once: "star|components", "cosine, angle; hamming". Empty
// where it takes others too.
std::vector<std::string> words_of(const OptionRow& row) {
  std::vector<std::string> words;
  const bool closed =
      row.type == OptionType::choice || (row.metavar == "NAME" && !row.choices.ends_with("..."));
  if (!closed) return words;
  std::string word;
  for (const char c : std::string(row.choices) + '|') {
    const bool ends = c == '|' || c == ',' || c == ';';
    if (!ends && c != ' ') word += c;
    if (!ends || word.empty()) continue;
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    word.clear();
  }
  return words;
}

// What text an option takes, by how it is called in the usage.
std::string_view type_of_text(const OptionRow& row) {
  const auto is_called = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), row.metavar) != names.end();
  };
  if (is_called({"FILE", "OUT", "DIR", "LANG|FILE"})) return "str | PathLike[str]";
  if (is_called({"D"})) return "float | str | Fraction";
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
      return "str | PathLike[str] | Sequence[str | PathLike[str]]";
    case OptionType::choice:
    case OptionType::text:
      break;
  }
  return words_of(row).empty() ? std::string(type_of_text(row)) : type_name_of(row);
}

// Kind = Literal["text", ...] and so on, of the options that take one of some words.
std::string type_aliases() {
  std::string out;
  for (const OptionRow& row : option_table()) {
    const std::vector<std::string> words = words_of(row);
    if (words.empty() || contains(kNoKeyword, row.name)) continue;
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
  return (row.verbs & verb.bit) != 0 && !contains(kNoKeyword, row.name) &&
         (python.only.empty() || contains(python.only, row.name));
}

const Verb& verb_called(std::string_view name) {
  const auto verbs = verb_table();
  return *std::find_if(verbs.begin(), verbs.end(),
                       [&](const Verb& verb) { return verb.name == name; });
}

std::string function(const PythonVerb& python) {
  const Verb& verb = verb_called(python.options_of.empty() ? python.name : python.options_of);
  const bool compares = python.only.empty() && (find_option("against")->verbs & verb.bit) != 0;
  const bool tells = python.result == "Deduplicated" || python.result == "Pairs";
  std::string out =
      fmt::format("\n\n@checked\ndef {}(\n    {},\n    *,\n", python.name, python.arguments);
  std::string help;
  std::string values;
  for (const OptionRow& row : option_table()) {
    if (!is_keyword_of(row, verb, python)) continue;
    out += fmt::format("    {}: {} | None = None,\n", keyword_of(row), python_type(row));
    help +=
        fmt::format("        {}: {}{}{}\n", keyword_of(row), row.help,
                    row.choices.empty() ? "" : fmt::format(" ({})", row.choices),
                    row.default_text.empty() ? "" : fmt::format(". Default: {}", row.default_text));
    values += fmt::format("            \"{}\": {},\n", keyword_of(row), keyword_of(row));
  }
  if (compares) out += "    against: Source | None = None,\n";
  if (tells) out += "    progress: Progress = None,\n";
  out += fmt::format(") -> {}:\n    \"\"\"{}\n\n    Keywords (None: the default):\n\n{}",
                     python.result, python.text, help);
  if (compares) out += "        against: rows of this table, list or these paths win\n";
  if (tells)
    out += "        progress: True for a line on stderr, or a function (stage, done, total)\n";
  out += fmt::format("    \"\"\"\n    return _run.{}(\n        {},\n        {{\n{}        }},\n",
                     python.name, python.passed_on, values);
  if (compares) out += "        against,\n";
  if (tells) out += "        progress,\n";
  return out + "    )\n";
}

}  // namespace

std::string python_verbs() {
  std::string out =
      "# Made from the table of options (`make docs`); not to be edited.\n"
      "\"\"\"The verbs: one function each, with a keyword for every option.\"\"\"\n\n"
      "from __future__ import annotations\n\n"
      "from collections.abc import Sequence\n"
      "from fractions import Fraction\n"
      "from os import PathLike\n"
      "from typing import Literal\n\n"
      "import numpy as np\n"
      "import numpy.typing as npt\n\n"
      "from . import _run\n"
      "from ._results import Clusters, Deduplicated, Pairs\n"
      "from ._run import PairSource, Progress, Source, checked\n\n" +
      type_aliases();
  for (const PythonVerb& verb : kVerbs) out += function(verb);
  return out;
}

}  // namespace sosie::docs
