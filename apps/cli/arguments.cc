// Reads the command line according to the option table.
#include "arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sosie/error.h"
#include "sosie/help.h"
#include "sosie/option_values.h"

namespace sosie::cli {
namespace {

std::string names_of(const OptionRow& row) {
  std::string names = fmt::format("--{}", row.name);
  if (!row.alias.empty()) names += fmt::format(",--{}", row.alias);
  if (row.letter != 0) names += fmt::format(",-{}", row.letter);
  return names;
}

void add_option(CLI::App& app, const OptionRow& row, Options& options) {
  if (row.type == OptionType::flag) {
    app.add_flag_callback(names_of(row),
                          [&row, &options] { set_option(options, row.name, "true"); });
    return;
  }
  const CLI::callback_t set = [&row, &options](const CLI::results_t& values) {
    set_option_values(options, row.name, values);
    return true;
  };
  app.add_option(names_of(row), set)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->allow_extra_args(false);
}

// Adds the implied value to options that may be given without one.
std::vector<std::string> with_implied_values(std::span<char* const> arguments) {
  std::vector<std::string> out(arguments.begin(), arguments.end());
  for (std::string& argument : out) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const OptionRow* row = find_option(argument.substr(2));
    if (row != nullptr && !row->implied.empty()) argument += fmt::format("={}", row->implied);
  }
  return out;
}

// "dedup, pairs".
std::string verbs_with(const OptionRow& row) {
  std::string names;
  for (const Verb& verb : verb_table()) {
    if (has_any(row.verbs, verb.bit)) names += (names.empty() ? "" : ", ") + std::string(verb.name);
  }
  return names;
}

[[noreturn]] void refuse_unknown(const Verb& verb, const std::string& argument) {
  const std::string name =
      argument.substr(std::min(argument.find_first_not_of('-'), argument.size()),
                      argument.find('=') - argument.find_first_not_of('-'));
  const OptionRow* known = find_option(name);
  if (known != nullptr && argument.starts_with("--")) {
    const std::string there = option_hint(known->name, verb.bit);
    const bool says_what_does_it = !there.empty() && !there.starts_with("did you mean");
    throw Error(
        ErrorKind::invalid_option, fmt::format("--{}: not an option of {}", name, verb.name),
        says_what_does_it ? there : fmt::format("it is an option of {}", verbs_with(*known)));
  }
  std::string hint = option_hint(name, verb.bit);
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(argument, ignored);
  if (is_file)
    hint = fmt::format("for the file, write ./{0}, or -- {0} after the options", argument);
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: unknown option",
                          is_file ? argument : argument.substr(0, argument.find('='))),
              hint.empty() ? fmt::format("sosie {} -h lists the options", verb.name) : hint);
}

}  // namespace

Options read_arguments(const Verb& verb, std::span<char* const> arguments) {
  Options options;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const OptionRow& row : option_table()) {
    if (takes_option(verb, row)) add_option(app, row, options);
  }
  std::vector<std::string> reversed = with_implied_values(arguments);
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::invalid_option, error.what());
  }
  bool only_inputs = false;
  for (const std::string& rest : app.remaining()) {
    if (rest == "--" && !only_inputs) {
      only_inputs = true;
    } else if (!only_inputs && rest.size() > 1 && rest.front() == '-') {
      refuse_unknown(verb, rest);
    } else {
      options.inputs.push_back(rest);
    }
  }
  const bool named =
      !options.inputs.empty() || !options.files_from.empty() || !options.reuse.empty();
  if (!named && verb.bit != kPlan && verb.bit != kDemo) {
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("{}: no {} given", verb.name, verb.bit == kServe ? "index or run" : "input"),
        fmt::format("sosie {} {}{}", verb.name, verb.usage,
                    verb.bit == kServe ? "" : "; - stands for standard input"));
  }
  return options;
}

}  // namespace sosie::cli
