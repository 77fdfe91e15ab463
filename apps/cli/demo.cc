// Shows the program's main task on a sample that is installed with it.
#include "demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "sosie/error.h"
#include "sosie/program_folder.h"
#include "streams.h"

namespace sosie::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSample = "man-pages.jsonl";
constexpr const char* kPackedSample = "man-pages.jsonl.zst";  // in wheels
constexpr const char* kKept = "kept.jsonl";
constexpr const char* kRemoved = "removed.tsv";

std::string sample_path(const std::string& share) {
  const fs::path program = program_folder();
  std::array<fs::path, 3> places = {share, program / "share/sosie", program / "../share/sosie"};
  for (const fs::path& place : places) {
    for (const char* name : {kSample, kPackedSample}) {
      std::error_code error;
      if (place.empty() || !fs::exists(place / name, error)) continue;
      return (place / name).lexically_normal().string();
    }
  }
  throw Error(ErrorKind::unsupported, "demo: the sample is not installed with this program",
              fmt::format("the packages and tarballs install share/sosie/{} next to the program's "
                          "folder; or try: sosie dedup YOUR.jsonl -o kept.jsonl",
                          kSample));
}

// Creates the folder. Replaces the files of an earlier demo, but never other files.
void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("{}: {}", folder.string(), error.message()),
                "name a writable folder: sosie demo FOLDER");
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path name = entry.path().filename();
    if (name == kKept || name == kRemoved) continue;
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("{}: the folder holds other files ({})", folder.string(), name.string()),
        "name a new folder: sosie demo FOLDER");
  }
}

// A path quoted so that a shell reads it as one word.
std::string as_word(const std::string& path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+,:@%";
  const bool is_plain = path.find_first_not_of(kPlain) == std::string::npos;
  if (is_plain && !path.starts_with('-')) return path;
  std::string quoted = path.starts_with('-') ? "./'" : "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// The first three columns of the table's first lines.
std::string first_lines(const std::string& path) {
  constexpr int kLines = 5;
  std::ifstream in(path);
  std::string out;
  std::string line;
  for (int number = 0; number < kLines && std::getline(in, line); ++number) {
    std::array<std::string_view, 3> cells;
    std::string_view rest = line;
    for (std::string_view& cell : cells) {
      cell = rest.substr(0, rest.find('\t'));
      rest.remove_prefix(std::min(rest.size(), cell.size() + 1));
    }
    out += fmt::format("  {:<24} {:<24} {}\n", cells[0], cells[1], cells[2]);
  }
  return out;
}

}  // namespace

void run_demo(const Options& options, const RunHooks& hooks, ProgressLine& line,
              const Installed& installed) {
  if (options.inputs.size() > 1) {
    throw Error(ErrorKind::invalid_option, "demo: accepts at most one folder",
                "sosie dedup INPUT... deduplicates your own files");
  }
  const std::string sample = sample_path(installed.share);
  const fs::path folder = options.inputs.empty() ? "sosie-demo" : options.inputs.front();
  prepare_folder(folder);
  Options run = options;
  run.inputs = {sample};
  run.output = (folder / kKept).string();
  run.removed = (folder / kRemoved).string();
  const std::string sosie = as_word(installed.program);
  const std::string input = as_word(sample);
  const std::string kept = as_word(run.output);
  const std::string removed = as_word(run.removed);
  // The sample's path may be longer than a terminal line.
  write_result(fmt::format("$ sample={}\n$ {} dedup \"$sample\" \\\n    -o {} --removed {}\n",
                           input, sosie, kept, removed));
  const RunReport report = dedup(run, hooks);
  line.clear();
  if (!options.quiet) write_lines(report.summary);
  write_result(fmt::format(
      "\n"
      "The sample holds 75 Linux manual pages, each in up to four editions.\n"
      "Of its {} documents, {} were kept and {} removed, each because of a kept\n"
      "document that it was compared with:\n\n{}\n"
      "Look at\n"
      "  {}\n      the kept documents, byte for byte unchanged\n"
      "  {}\n      each removed document, the document kept in its place and their\n"
      "      exact similarity\n\n",
      report.rows, report.kept, report.removed, first_lines(run.removed), kept, removed));
  write_result(
      fmt::format("Try next\n"
                  "  sample={1}\n"
                  "  {0} explain 4.00/man2/acct.2 3.50/man2/acct.2 \"$sample\"\n"
                  "  {0} pairs \"$sample\" --threshold 0.95\n"
                  "  {0} dedup \"$sample\" --dry-run --report report.html\n"
                  "  {0} dedup YOUR.jsonl -o kept.jsonl --removed removed.tsv\n"
                  "  {0} dedup -h\n",
                  sosie, input));
}

}  // namespace sosie::cli
