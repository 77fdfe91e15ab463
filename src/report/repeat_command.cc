// Command line that reproduces a run, for the report.
#include "report/repeat_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

#include "core/joined_text.h"
#include "options/bounds.h"

namespace sosie {
namespace {

constexpr std::size_t kMostCommandBytes = 100'000;
constexpr std::string_view kNoEffect = "Run";  // the group of options that never change the result
constexpr std::string_view kInputGroup = "Input";  // the group of options for reading rows

bool is_plain(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./:=,+@%-").find(c) != std::string_view::npos;
}

std::vector<std::string_view> given_values(const Options& options, const OptionRow& row) {
  std::vector<std::string_view> values;
  for (const auto& [name, value] : options.given) {
    if (name == row.name) values.emplace_back(value);
  }
  return values;
}

// "run-2/" for "run/": a separate folder for the reproduced run, which leaves this one unchanged.
std::string next_folder(std::string_view folder) {
  std::string name(folder);
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  const std::string last = name.substr(name.rfind('/') + 1);
  if (last.empty() || last == "." || last == "..") name += "/out";
  return name + "-2" + (folder.ends_with('/') ? "/" : "");
}

bool names_output(std::string_view name) {
  constexpr std::array<std::string_view, 10> kOutputs = {
      "output", "overwrite", "removed", "removed-rows", "clusters",
      "pairs",  "stats",     "report",  "save",         "rejects"};
  return std::find(kOutputs.begin(), kOutputs.end(), name) != kOutputs.end();
}

bool is_output_folder(const OptionRow& row, std::string_view value) {
  if (row.name == "save") return true;
  return (row.name == "output" || row.name == "removed-rows") && value.ends_with('/');
}

// " --threshold 0.9": an option as given, quoted for a shell; empty if it has its default value.
std::string option_words(const OptionRow& row, std::string_view value) {
  if (row.type == OptionType::flag) {
    return value == "true" ? fmt::format(" --{}", row.name) : std::string{};
  }
  if (value == row.default_text) return {};
  if (value == row.implied) return fmt::format(" --{}", row.name);
  const std::string shown = is_output_folder(row, value) ? next_folder(value) : std::string(value);
  return fmt::format(" --{}{}{}", row.name, row.implied.empty() ? " " : "=", shell_word(shown));
}

// The list that names the inputs; empty if they were named directly or came through a
// pipe.
std::string_view list_of_inputs(const Options& options) {
  if (!options.files_from.empty()) return {};  // names further inputs
  const auto is_list = [](const auto& given) { return given.first == "files-from"; };
  const auto list = std::find_if(options.given.begin(), options.given.end(), is_list);
  return list == options.given.end() || list->second == "-" ? std::string_view{} : list->second;
}

// Appends inputs as they were named, after the options.
void append_inputs(const Options& options, std::string& line) {
  const std::vector<std::string>& inputs = options.inputs;
  const bool has_dash = list_of_inputs(options).empty() &&
                        std::any_of(inputs.begin(), inputs.end(), [](const std::string& input) {
                          return input.size() > 1 && input[0] == '-';
                        });
  if (has_dash) line += " --";
  line += input_words(options, line.size());
}

// Appends an option as it was given, as many times as it was given.
void append_option(const Options& options, const OptionRow& row, std::string& line) {
  const bool is_read_pipe =
      row.name == "files-from" && options.files_from.empty() && list_of_inputs(options).empty();
  if (is_read_pipe) return;  // its files are named
  for (const std::string_view value : given_values(options, row)) line += option_words(row, value);
}

// True for options that a run to apply decisions also needs.
bool is_applied(const OptionRow& row) {
  constexpr std::array<std::string_view, 4> kCompared = {"measure", "threshold", "within",
                                                         "annotate"};
  if (std::find(kCompared.begin(), kCompared.end(), row.name) != kCompared.end()) return true;
  if (row.name == "against" || row.name.starts_with("other-")) return false;  // it has decided
  return row.group == kInputGroup && row.name != "rejects";
}

// "kept-reviewed.jsonl.gz" for "kept.jsonl.gz", "out-reviewed/" for "out/".
std::string reviewed_name(const std::string& output, std::string_view first_file) {
  const std::string_view file = first_file.substr(first_file.rfind('/') + 1);
  if (output.empty()) {
    return "reviewed" + std::string(file.substr(std::min(file.find('.', 1), file.size())));
  }
  if (output.ends_with('/')) return output.substr(0, output.size() - 1) + "-reviewed/";
  const std::size_t name = output.rfind('/') + 1;
  const std::size_t dot = std::min(output.find('.', name + 1), output.size());
  return output.substr(0, dot) + "-reviewed" + output.substr(dot);
}

}  // namespace

std::string date_text() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
  return out + "'";
}

std::string repeat_command(VerbBit verb, const Options& options) {
  std::string line = fmt::format("sosie {}", verb_name(verb));
  for (const OptionRow& row : option_table()) {
    if (row.group == kNoEffect || row.name == "overwrite") continue;
    append_option(options, row, line);
  }
  append_inputs(options, line);
  return line;
}

std::string apply_command(const Options& options, std::string_view first_file) {
  std::string line = "sosie dedup";
  for (const OptionRow& row : option_table()) {
    if (!is_applied(row)) continue;
    append_option(options, row, line);
  }
  line += " --reuse decisions.tsv -o " + shell_word(reviewed_name(options.output, first_file));
  append_inputs(options, line);
  return line;
}

std::string judged_command(const Options& options, std::string_view option, std::string_view file,
                           std::string_view first_file) {
  std::string line = "sosie link";
  for (const OptionRow& row : option_table()) {
    const bool is_other = row.name == option || row.name == "model" || names_output(row.name);
    if (row.group == kNoEffect || is_other) continue;
    append_option(options, row, line);
  }
  const bool is_table = options.output.empty() && first_file.empty();
  const std::string output = is_table ? "reviewed.tsv" : reviewed_name(options.output, first_file);
  line += fmt::format(" --{} {} -o {}", option, file, shell_word(output));
  append_inputs(options, line);
  return line;
}

std::string explain_words(const Options& options) {
  std::string words = " --kind records";
  for (const OptionRow& row : option_table()) {
    const bool is_other = row.name == "kind" || names_output(row.name);
    if (row.group == kNoEffect || is_other || !has_any(row.verbs, kExplain)) continue;
    append_option(options, row, words);
  }
  return words;
}

std::string input_words(const Options& options, std::size_t before) {
  std::string words;
  if (!list_of_inputs(options).empty()) return words;
  const std::vector<std::string>& inputs = options.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (before + words.size() > kMostCommandBytes) {
      return words + fmt::format(" ... and {} more", inputs.size() - i);
    }
    words += " " + shell_word(inputs[i]);
  }
  return words;
}

std::vector<ReportParameter> report_parameters(VerbBit verb, const Options& options,
                                               const ChosenValue& chosen) {
  std::vector<ReportParameter> parameters;
  for (const OptionRow& row : option_table()) {
    if (row.group == kNoEffect || !has_any(row.verbs, verb)) continue;
    const std::vector<std::string_view> values = given_values(options, row);
    const std::string value = values.empty() ? chosen(row) : joined_text(values, ", ");
    if (values.empty() && value.empty()) continue;
    const bool is_default = values.empty() || value == row.default_text;
    parameters.push_back(
        {std::string(row.name), value, is_default, std::string(row.help), names_output(row.name)});
  }
  return parameters;
}

ChosenValue chosen_of(const MethodChoice& choice) {
  return [&choice](const OptionRow& row) {
    if (row.name == "method") {
      return fmt::format("{} (here: {})", row.default_text, choice.name());
    }
    if (row.name == "bands") {
      return choice.finds_every_pair()
                 ? "none: every pair is compared"
                 : fmt::format("{}x{} (planned)", choice.banding.bands, choice.banding.rows);
    }
    return std::string(row.default_text);
  };
}

}  // namespace sosie
