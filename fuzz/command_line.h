#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/arguments.h"
#include "fuzz/captured_run.h"
#include "fuzz/input.h"
#include "io/compression.h"
#include "sosie/error.h"
#include "sosie/options.h"

// The body of the fuzz targets for the whole command line. The first line of an input contains the
// arguments, separated by spaces; the rest is the file `in` (with any extension that the arguments
// use) and, after kNextFile, the file `other`. Files with the extensions .gz and .zst are
// compressed first, except files called `raw`.
namespace sosie::fuzz {

inline constexpr std::string_view kNextFile = "\n====\n";
inline constexpr std::size_t kMostArguments = 24;

// The command line in an input, with the files that it names.
struct CommandLine {
  std::vector<std::string> arguments;
  std::string_view in;
  std::string_view other;
};

// No argument may refer to a place outside the run's folder.
inline std::optional<CommandLine> command_line_of(std::string_view bytes) {
  CommandLine line;
  Input input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::string_view head = input.line();
  while (!head.empty()) {
    const std::size_t end = std::min(head.find(' '), head.size());
    if (end > 0) line.arguments.emplace_back(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  const auto leaves = [](const std::string& argument) {
    return argument.size() > 80 || argument.find('/') != std::string::npos ||
           argument.find('\0') != std::string::npos;
  };
  if (line.arguments.empty() || line.arguments.size() > kMostArguments ||
      std::any_of(line.arguments.begin(), line.arguments.end(), leaves)) {
    return std::nullopt;
  }
  const std::string_view files = input.rest();
  const std::size_t middle = files.find(kNextFile);
  line.in = files.substr(0, middle);
  if (middle != std::string_view::npos) line.other = files.substr(middle + kNextFile.size());
  return line;
}

inline void write_file(const std::string& name, std::string_view bytes) {
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Writes the file that an argument, or the value after its `=`, names.
inline void write_named_file(std::string_view name, const CommandLine& line) {
  name.remove_prefix(name.find('=') == std::string_view::npos ? 0 : name.find('=') + 1);
  const bool is_raw = name.starts_with("raw.");
  const bool is_other = name.starts_with("other.");
  if (name == "docs") {
    std::filesystem::create_directories("docs/deep");
    write_file("docs/first.txt", line.in);
    write_file("docs/deep/second.txt", line.other);
  } else if (is_raw || is_other || name.starts_with("in.")) {
    const std::string_view bytes = is_other ? line.other : line.in;
    const bool packs = !is_raw && (name.ends_with(".gz") || name.ends_with(".zst"));
    const auto how = name.ends_with(".gz") ? Compression::gzip : Compression::zstd;
    write_file(std::string(name), packs ? pack(how, bytes) : std::string(bytes));
  }
}

inline const Verb* verb_of(const CommandLine& line) {
  for (const Verb& verb : verb_table()) {
    if (verb.name == line.arguments.front()) return &verb;
  }
  return nullptr;
}

// Options set by the arguments; empty if these are rejected.
inline std::optional<Options> options_of(const Verb& verb, const CommandLine& line) {
  std::vector<std::string> arguments(line.arguments.begin() + 1, line.arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  try {
    return cli::read_arguments(verb, pointers);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The arguments, preceded by these defaults as far as the verb supports them.
inline std::vector<std::string> with_defaults(const Verb& verb, const CommandLine& line,
                                              std::string_view threads) {
  std::vector<std::string> out = {line.arguments.front()};
  const auto add = [&](std::string_view name, std::string_view value) {
    if (has_any(find_option(name)->verbs, verb.bit))
      out.push_back(fmt::format("--{}={}", name, value));
  };
  add("threads", threads);
  add("memory", "64M");
  add("stats", "stats.json");
  out.insert(out.end(), line.arguments.begin() + 1, line.arguments.end());
  return out;
}

inline std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Requires that the lines of the output are lines of the input, in the same order.
inline void require_subsequence(std::string_view output, std::string_view input) {
  const std::vector<std::string_view> lines = lines_of(input);
  auto next = lines.begin();
  for (const std::string_view kept : lines_of(output)) {
    next = std::find(next, lines.end(), kept);
    require(next != lines.end());
    ++next;
  }
}

// True for UTF-16 and UTF-32, recognised by their byte order marks; their lines are not split here.
inline bool is_wide(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
         text.starts_with(std::string_view("\0\0\xFE\xFF", 4));
}

// Number of rows, for formats in which each row is a line; empty for all others.
inline std::optional<std::size_t> rows_there(const std::string& name, std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(without_mark(text));
  if (name == "in.txt") return lines.size();
  if (name != "in.jsonl") return std::nullopt;
  const auto is_blank = [](std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
  };
  const auto blank = std::count_if(lines.begin(), lines.end(), is_blank);
  return lines.size() - static_cast<std::size_t>(blank);
}

// Requires that an output table of the run has as many rows as the run has counted.
inline void require_rows(const std::string& name, std::uint64_t rows) {
  const bool has_header = name.ends_with(".tsv");  // a field has no line break in it
  if (!has_header && !name.ends_with(".jsonl")) return;
  std::ifstream file(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  require(lines_of(text).size() == rows + (has_header ? 1 : 0));
}

// Checks the counts in the report of a successful run.
inline void check_report(const Verb& verb, const Options& options, const CommandLine& line,
                         const Outcome& outcome) {
  std::ifstream file("stats.json");
  if (!file || !options.stats.empty() || is_wide(line.in) || !options.encoding.empty()) return;
  const auto stats = nlohmann::json::parse(file);
  const std::uint64_t rows = stats.at("rows");
  const bool one_file =
      options.inputs.size() == 1 && options.files_from.empty() && options.reuse.empty();
  const bool as_named = options.format.empty() && options.group_by.empty();
  if (one_file && as_named && verb.bit != kQuery) {
    const auto there = rows_there(options.inputs.front(), line.in);
    require(!there || rows == *there);
  }
  if (verb.bit != kDedup) return;
  const std::uint64_t kept = stats.at("kept");
  const std::uint64_t removed = stats.at("removed");
  const std::uint64_t skipped = stats.value("skipped", std::uint64_t{0});
  require(options.annotate == "all" || kept + removed + skipped == rows);
  require_rows(options.removed, removed);
  const std::uint64_t unmatched = stats.value("unmatched", std::uint64_t{0});
  const std::uint64_t ill_formed = stats.value("ill_formed", std::uint64_t{0});
  // If bad rows are left out, so are rows whose text is not in its encoding.
  const bool leaves_out = options.on_bad_row == "skip";
  const std::uint64_t bad = leaves_out ? skipped : unmatched + ill_formed;
  if (options.against.empty())
    require_rows(options.rejects, bad + stats.value("damaged", nlohmann::json::array()).size());
  const bool shown = options.output.empty() && !options.dry_run;
  if (!shown || !one_file || !options.annotate.empty()) return;
  const std::string& name = options.inputs.front();
  if (name == "in.jsonl" || name == "in.txt" || name == "in.csv" || name == "in.tsv" ||
      name == "in.sets") {
    require_subsequence(without_mark(outcome.result), without_mark(line.in));
    if (as_named && rows_there(name, line.in)) {
      require(lines_of(without_mark(outcome.result)).size() == kept);
    }
  }
}

// Requires a documented exit code, with a message if it indicates a problem.
inline void check_ending(const Outcome& outcome) {
  const std::string lines = "\n" + outcome.messages;
  const auto says = [&](std::string_view text) { return lines.find(text) != std::string::npos; };
  const bool known = outcome.code >= 0 && outcome.code <= 4;
  const bool broken = says("\nsosie: internal error") || says("\nsosie: out of memory");
  const bool explained = outcome.code < 2 || says("\nsosie: ");
  if (known && !broken && explained) return;
  std::fprintf(stderr, "exit code %d\n%s", outcome.code, outcome.messages.c_str());
  std::abort();
}

inline void run_command_line(std::string_view bytes, const TableFiles* table_files) {
  static const RunFolder folder;
  const auto line = command_line_of(bytes);
  if (!line) return;
  const Verb* verb = verb_of(*line);
  std::optional<Options> options;
  if (verb != nullptr) options = options_of(*verb, *line);
  // The instruction set is fixed for the process, and more threads only cost time.
  if (options && (options->threads > 4 || options->simd != "auto")) return;
  const auto run = [&](std::string_view threads) {
    const RunFolder::Inside inside(folder);
    for (const std::string& argument : line->arguments) write_named_file(argument, *line);
    Outcome outcome =
        run_program(verb != nullptr ? with_defaults(*verb, *line, threads) : line->arguments,
                    line->in, table_files);
    check_ending(outcome);
    if (outcome.code < 2 && options) check_report(*verb, *options, *line, outcome);
    return outcome;
  };
  const auto before = open_descriptors();
  const Outcome outcome = run("1");
  require(!folder.left_temporary_files());
  require(descriptors_return_to(before));
  if (!options || line->in.size() % 4 != 0 || verb->bit == kPlan) return;
  const Outcome again = run("2");
  require(again.code == outcome.code && again.result == outcome.result);
}

}  // namespace sosie::fuzz
