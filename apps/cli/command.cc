#include "command.h"

#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <span>
#include <string_view>

#include "arguments.h"
#include "explain.h"
#include "help.h"
#include "progress_line.h"
#include "signals.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "sosie/version.h"
#include "streams.h"

// Parse, call the library, exit with its code: nothing is decided here.
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

int report_error(const Error& error) {
  write_message("sosie: " + shown_error(error));
  return exit_code(error.kind());
}

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : verb_table()) {
    if (verb.name == name || (!verb.alias.empty() && verb.alias == name)) return &verb;
  }
  return nullptr;
}

// The exit code of a verb that goes through rows or pairs.
int run_counted(const Verb& verb, const Options& options, const RunHooks& hooks,
                ProgressLine& line) {
  const auto run = verb.bit == kDedup    ? dedup
                   : verb.bit == kPairs  ? pairs
                   : verb.bit == kQuery  ? query
                   : verb.bit == kSketch ? sketch
                                         : cluster;
  const RunReport report = run(options, hooks);
  line.clear();
  if (!options.quiet) write_message(report.summary);
  const bool duplicates = options.fail_if_duplicates && report.removed > 0;
  const bool no_hit = verb.bit == kQuery && report.pairs == 0;
  return duplicates || no_hit || report.audit_below_recall ? kAnswerIsNo : kDone;
}

int run_verb(const Verb& verb, std::span<char* const> arguments, const TableFiles* table_files) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") break;
    if (argument == "-h" || argument == "--help") {
      write_result(argument == "-h" ? short_help(verb) : full_help(verb));
      return kDone;
    }
  }
  Options options = read_arguments(verb, arguments);
  if (const char* folder = std::getenv("TMPDIR"); options.scratch.empty() && folder != nullptr) {
    options.scratch = folder;
  }
  ProgressLine line(options.progress, options.quiet);
  RunHooks hooks;
  hooks.on_progress = [&line](const Progress& progress) { line.show(progress); };
  hooks.on_message = [&line](std::string_view message) {
    line.clear();
    write_message(fmt::format("sosie: {}\n", message));
  };
  hooks.cancel = &interrupted();
  hooks.table_files = table_files;
  struct ClearLine {
    ProgressLine& line;
    ~ClearLine() { line.clear(); }
  } const clear_line{line};
  if (verb.bit == kPlan) {
    write_result(plan(options, hooks).summary);
    return kDone;
  }
  if (verb.bit == kExplain) {
    show_explanation(options, hooks);
    return kDone;
  }
  return run_counted(verb, options, hooks, line);
}

int run(std::span<char* const> arguments, const TableFiles* table_files) {
  if (arguments.empty()) {
    write_message(overview());
    return kBadOption;
  }
  const std::string_view first = arguments.front();
  if (first == "-h" || first == "--help" || first == "help") {
    write_result(overview());
    return kDone;
  }
  if (first == "--version") {
    write_result(fmt::format("sosie {} (recipe {})\n", version(), recipe_version()));
    return kDone;
  }
  const Verb* verb = find_verb(first);
  if (verb == nullptr) {
    std::string names;
    for (const Verb& known : verb_table()) names += fmt::format(" {}", known.name);
    throw Error(ErrorKind::invalid_option, fmt::format("{}: no such verb", first),
                "the verbs are:" + names);
  }
  return run_verb(*verb, arguments.subspan(1), table_files);
}

}  // namespace

int run_command(std::span<char* const> arguments, const TableFiles* table_files) {
  reserve_standard_streams();
  handle_signals();
  try {
    return run(arguments, table_files);
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
