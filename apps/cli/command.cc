// Parses the command line, calls the library, and returns the exit code; makes no decisions.
#include "command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <span>
#include <string_view>

#include "arguments.h"
#include "demo.h"
#include "explain.h"
#include "help.h"
#include "progress_line.h"
#include "serve.h"
#include "signals.h"
#include "sosie/error.h"
#include "sosie/help.h"
#include "sosie/index_folder.h"
#include "sosie/join.h"
#include "sosie/link.h"
#include "sosie/version.h"
#include "streams.h"

namespace sosie::cli {
namespace {

constexpr int kDone = 0;
constexpr int kAnswerIsNo = 1;
constexpr int kBadOption = 2;
constexpr int kBadInput = 3;
constexpr int kFailed = 4;

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_option:
    case ErrorKind::unsupported:
      return kBadOption;
    case ErrorKind::malformed_input:
      return kBadInput;
    case ErrorKind::io:
    case ErrorKind::limit_exceeded:
      return kFailed;
    case ErrorKind::cancelled:
      return interrupted_exit_code();
  }
  return kFailed;
}

const Verb& verb_called(std::string_view name) {
  for (const Verb& verb : verb_table()) {
    if (verb.name == name || (!verb.alias.empty() && verb.alias == name)) return verb;
  }
  if (name.starts_with('-')) {
    throw Error(ErrorKind::invalid_option, fmt::format("{}: unknown option", name),
                "the verb comes first; sosie -h lists the verbs, sosie -V prints the version");
  }
  throw Error(ErrorKind::invalid_option, fmt::format("{}: unknown verb", name), verb_hint(name));
}

// TABLE: verbs that process rows or pairs.
struct CountedVerb {
  VerbBit bit;
  RunReport (*run)(const Options& options, const RunHooks& hooks);
};
constexpr std::array kCountedVerbs = {
    CountedVerb{kDedup, dedup},    CountedVerb{kPairs, pairs}, CountedVerb{kQuery, query},
    CountedVerb{kSketch, sketch},  CountedVerb{kLink, link},   CountedVerb{kIndex, index_folder},
    CountedVerb{kCluster, cluster}};

// Runs one of these verbs and returns the exit code.
int run_counted(const Verb& verb, const Options& options, const RunHooks& hooks,
                ProgressLine& line) {
  const auto* const counted =
      std::find_if(kCountedVerbs.begin(), kCountedVerbs.end(),
                   [&](const CountedVerb& one) { return one.bit == verb.bit; });
  const RunReport report = counted->run(options, hooks);
  line.clear();
  if (verb.bit == kIndex && options.inputs.front() == "info") {
    write_result_lines(report.summary);
  } else if (!options.quiet) {
    write_lines(report.summary);
  }
  const bool duplicates = options.fail_if_duplicates && report.removed > 0;
  const bool no_hit = verb.bit == kQuery && report.rows > 0 && report.pairs == 0;
  return duplicates || no_hit || report.audit_below_recall ? kAnswerIsNo : kDone;
}

// Tells users at a terminal that the program is waiting for rows.
void tell_of_waiting(const Verb& verb, const Options& options) {
  const auto& inputs = options.inputs;
  const bool reads = std::find(inputs.begin(), inputs.end(), "-") != inputs.end() ||
                     options.files_from == "-" ||
                     (verb.bit == kQuery && inputs.size() == 1 && options.files_from.empty());
  if (!reads || options.quiet || ::isatty(STDIN_FILENO) == 0) return;
  write_message(fmt::format("sosie: reading {} from the terminal; Ctrl-D ends them\n",
                            options.files_from == "-" ? "file names"
                            : options.format.empty()  ? "rows (JSONL)"
                                                      : "rows"));
}

int run_verb(const Verb& verb, std::span<char* const> arguments, const Installed& installed) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") break;
    if (argument == "-h" || argument == "--help") {
      write_result(argument == "-h" ? short_help(verb) : full_help(verb));
      return kDone;
    }
  }
  if (verb.bit == kServe) become_server(arguments);
  Options options = read_arguments(verb, arguments);
  if (const char* folder = std::getenv("TMPDIR"); options.scratch.empty() && folder != nullptr) {
    options.scratch = folder;
  }
  tell_of_waiting(verb, options);
  ProgressLine line(options.progress, options.quiet, !options.output.empty() || options.dry_run);
  RunHooks hooks;
  hooks.on_progress = [&line](const Progress& progress) { line.show(progress); };
  hooks.on_message = [&line](std::string_view message) {
    line.clear();
    write_lines(fmt::format("sosie: {}\n", message));
  };
  hooks.cancel = &interrupted();
  hooks.table_files = installed.table_files;
  struct ClearLine {
    ProgressLine& line;
    ~ClearLine() { line.clear(); }
  } const clear_line{line};
  if (verb.bit == kPlan) {
    const RunReport report = plan(options, hooks);
    line.clear();
    write_result_lines(report.summary);
    return kDone;
  }
  if (verb.bit == kExplain) {
    show_explanation(options, hooks, line);
    return kDone;
  }
  if (verb.bit == kDemo) {
    run_demo(options, hooks, line, installed);
    return kDone;
  }
  return run_counted(verb, options, hooks, line);
}

int run(std::span<char* const> arguments, const Installed& installed) {
  if (arguments.empty()) {
    write_message(overview());
    return kBadOption;
  }
  const std::string_view first = arguments.front();
  const bool asks_for_help = first == "-h" || first == "--help" || first == "help";
  if (asks_for_help && arguments.size() > 1) {
    write_result(full_help(verb_called(arguments[1])));
    return kDone;
  }
  if (asks_for_help) {
    write_result(overview());
    return kDone;
  }
  if (first == "--version" || first == "-V") {
    write_result(fmt::format("sosie {} (recipe {})\n", version(), recipe_version()));
    return kDone;
  }
  return run_verb(verb_called(first), arguments.subspan(1), installed);
}

}  // namespace

int report_error(const Error& error) {
  write_lines("sosie: " + shown_error(error));
  return exit_code(error.kind());
}

int run_command(std::span<char* const> arguments, const Installed& installed) {
  reserve_standard_streams();
  handle_signals();
  try {
    return run(arguments, installed);
  } catch (const Error& error) {
    return report_error(error);
  } catch (const std::bad_alloc&) {
    write_message("sosie: out of memory\n");
  } catch (const std::exception& error) {
    write_message(fmt::format("sosie: internal error: {}\n", error.what()));
  } catch (...) {
    return kDone;  // the reader of standard output has gone
  }
  return kFailed;
}

}  // namespace sosie::cli
