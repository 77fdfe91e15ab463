// Command line that repeats a run, for the report.
#include "report/repeat_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sosie {
namespace {

constexpr std::size_t kMostCommandBytes = 100'000;
constexpr std::string_view kNoEffect = "Run";  // the group of options that change no result

bool is_plain(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./:=,+@%-").find(c) != std::string_view::npos;
}

bool belongs_to(const OptionRow& row, std::string_view verb) {
  for (const Verb& known : verb_table()) {
    if (known.name == verb) return (row.verbs & known.bit) != 0;
  }
  return false;
}

std::vector<std::string_view> given_values(const Options& options, const OptionRow& row) {
  std::vector<std::string_view> values;
  for (const auto& [name, value] : options.given) {
    if (name == row.name) values.emplace_back(value);
  }
  return values;
}

// "run-2/" for "run/": a folder of its own for the repeated run, which leaves this one alone.
std::string next_folder(std::string_view folder) {
  std::string name(folder);
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  const std::string last = name.substr(name.rfind('/') + 1);
  if (last.empty() || last == "." || last == "..") name += "/out";
  return name + "-2" + (folder.ends_with('/') ? "/" : "");
}

bool is_output_folder(const OptionRow& row, std::string_view value) {
  if (row.name == "save") return true;
  return (row.name == "output" || row.name == "removed-rows") && value.ends_with('/');
}

// " --threshold 0.9": an option as it was given, for a shell; empty when it says what holds anyway.
std::string option_words(const OptionRow& row, std::string_view value) {
  if (row.type == OptionType::flag) {
    return value == "true" ? fmt::format(" --{}", row.name) : std::string{};
  }
  if (value == row.default_text) return {};
  if (value == row.implied) return fmt::format(" --{}", row.name);
  const std::string shown = is_output_folder(row, value) ? next_folder(value) : std::string(value);
  return fmt::format(" --{}{}{}", row.name, row.implied.empty() ? " " : "=", shell_word(shown));
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
  return out + "'";
}

std::string repeat_command(std::string_view verb, const Options& options) {
  std::string line = fmt::format("sosie {}", verb);
  for (const OptionRow& row : option_table()) {
    if (row.group == kNoEffect || row.name == "overwrite") continue;
    for (const std::string_view value : given_values(options, row))
      line += option_words(row, value);
  }
  const auto& inputs = options.inputs;
  if (std::any_of(inputs.begin(), inputs.end(),
                  [](const std::string& input) { return input.size() > 1 && input[0] == '-'; })) {
    line += " --";
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (line.size() > kMostCommandBytes)
      return line + fmt::format(" ... and {} more", inputs.size() - i);
    line += " " + shell_word(inputs[i]);
  }
  return line;
}

std::vector<ReportParameter> report_parameters(std::string_view verb, const Options& options,
                                               const ChosenValue& chosen) {
  std::vector<ReportParameter> parameters;
  for (const OptionRow& row : option_table()) {
    if (row.group == kNoEffect || !belongs_to(row, verb)) continue;
    const std::vector<std::string_view> values = given_values(options, row);
    const std::string value =
        values.empty() ? chosen(row) : fmt::format("{}", fmt::join(values, ", "));
    if (values.empty() && value.empty()) continue;
    const bool is_default = values.empty() || value == row.default_text;
    parameters.push_back({std::string(row.name), value, is_default, std::string(row.help)});
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
