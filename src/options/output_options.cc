// Output files and folders that a run should write.
#include "options/output_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/output_key.h"
#include "options/bounds.h"
#include "sosie/error.h"

namespace sosie {
namespace {

struct OutputMember {
  std::string_view flag;
  std::string Options::*path;
};

constexpr OutputMember kOutputMembers[] = {{"-o", &Options::output},
                                           {"--removed", &Options::removed},
                                           {"--removed-rows", &Options::removed_rows},
                                           {"--clusters", &Options::clusters},
                                           {"--pairs", &Options::pairs},
                                           {"--stats", &Options::stats},
                                           {"--rejects", &Options::rejects},
                                           {"--report", &Options::report},
                                           {"--svg", &Options::svg},
                                           {"--model", &Options::model}};

// Option that the request names without its value.
constexpr std::string_view kSavedRun = "save";

}  // namespace

std::vector<OutputOption> output_options(const Options& options) {
  std::vector<OutputOption> outputs;
  for (const auto& [flag, path] : kOutputMembers) {
    if (!(options.*path).empty()) outputs.push_back({flag, options.*path});
  }
  if (std::string saved = given_value(options, kSavedRun); !saved.empty()) {
    if (!saved.ends_with('/')) saved += '/';
    outputs.push_back({"--save", std::move(saved)});
  }
  return outputs;
}

void forget_outputs(Options& options) {
  for (const OutputMember& member : kOutputMembers) (options.*member.path).clear();
  std::erase_if(options.given, [](const auto& given) { return given.first == kSavedRun; });
}

void check_outputs(std::span<const std::string> inputs, const Options& options,
                   std::optional<int> result_descriptor) {
  std::map<std::string, std::string> names;  // names of outputs, by key
  const auto add = [&](const std::string& key, const std::string& name) {
    if (key.empty()) return;
    const auto [other, added] = names.emplace(key, name);
    if (added) return;
    throw Error(
        ErrorKind::invalid_option,
        other->second == name
            ? name + ": named for two outputs"
            : fmt::format("{}: is one file with {}, which is another output", name, other->second),
        "each output needs a file of its own");
  };
  if (result_descriptor) add(file_key(*result_descriptor), "<stdout>");
  for (const OutputOption& output : output_options(options)) {
    add(output_key(output.path), output.path);
  }
  for (const std::string& input : inputs) {
    const auto found = names.find(file_key(input));
    if (found == names.end()) continue;
    throw Error(ErrorKind::invalid_option, found->second + ": is an input of this run",
                "inputs are never changed: name another file");
  }
}

}  // namespace sosie
