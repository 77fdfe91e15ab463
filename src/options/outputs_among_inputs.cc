// Rejects outputs inside input folders, because the next run would read them.
#include "options/outputs_among_inputs.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <system_error>
#include <vector>

#include "io/output_key.h"
#include "options/folder_files.h"
#include "options/formats.h"
#include "options/output_options.h"
#include "options/settings.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

using PathParts = std::span<const std::string>;

std::vector<std::string> parts_of_path(const fs::path& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : path) parts.push_back(part.string());
  return parts;
}

// Matches a pattern component by component; "**" matches any number of folders.
bool matches(PathParts pattern, PathParts path, bool takes_hidden) {
  if (pattern.empty() || path.empty()) return pattern.empty() && path.empty();
  if (pattern.front() != "**") {
    return ::fnmatch(pattern.front().c_str(), path.front().c_str(),
                     takes_hidden ? 0 : FNM_PERIOD) == 0 &&
           takes_name(pattern.front(), path.front(), {.takes_hidden = takes_hidden}) &&
           matches(pattern.subspan(1), path.subspan(1), takes_hidden);
  }
  if (pattern.size() > 1 && matches(pattern.subspan(1), path, takes_hidden)) return true;
  if (is_hidden_name(path.front()) && !takes_hidden) return false;
  return matches(path.size() == 1 ? pattern.subspan(1) : pattern, path.subspan(1), takes_hidden);
}

// True if an input folder is read down to an output `below` it. If the output's name leaves this
// open, `holds_rows` decides.
bool takes_below(const InputPlace& place, PathParts below, const std::string& output,
                 bool holds_rows) {
  const bool is_hidden = std::any_of(below.begin(), below.end(), is_hidden_name);
  if (is_hidden && !place.takes_hidden) return false;
  // A folder of rows, or a saved run, contains files with extensions.
  return output.ends_with('/') || place.takes_all || is_hidden_name(below.back()) ||
         format_by_extension(output) != nullptr || (holds_rows && is_record_file(output));
}

bool takes(const InputPlace& place, const std::string& output, bool holds_rows) {
  std::error_code none;
  const auto whole = [&](const std::string& path) {
    return place.is_pattern ? fs::absolute(path, none).lexically_normal() : resolved_path(path);
  };
  const std::vector<std::string> input = parts_of_path(whole(place.name));
  const std::vector<std::string> parts = parts_of_path(whole(output));
  const PathParts path = parts;
  if (!place.is_pattern) {
    return is_in_folder(whole(output), whole(place.name)) &&
           takes_below(place, path.subspan(input.size()), output, holds_rows);
  }
  if (matches(input, path, place.takes_hidden)) return true;
  for (std::size_t n = 1; n < path.size(); ++n) {
    if (!matches(input, path.first(n), place.takes_hidden)) continue;
    return takes_below(place, path.subspan(n), output, holds_rows);
  }
  return false;
}

bool is_written_directly(const std::string& path) {
  std::error_code error;
  return descriptor_named(path) >= 0 || (fs::exists(path, error) && fs::is_other(path, error));
}

[[noreturn]] void refuse(const std::string& output, const InputPlace& place) {
  const bool is_place = !place.is_pattern && resolved_path(output) == resolved_path(place.name);
  const std::string where = place.is_pattern ? fmt::format("matches {}, an input", place.name)
                            : is_place       ? "is an input folder"
                                       : fmt::format("lies in {}, an input folder", place.name);
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: {}: the next run would read it", output, where),
              place.is_pattern ? "name a file that the pattern does not match"
              : place.takes_hidden
                  ? "name one outside of that folder"
                  : "name one outside of that folder, or a hidden one (.NAME), which is not read");
}

void refuse_where_read(const std::string& output, const InputNotes& notes, bool holds_rows) {
  for (const InputPlace& place : notes.places) {
    if (takes(place, output, holds_rows)) refuse(output, place);
  }
}

}  // namespace

void refuse_outputs_among_inputs(const Options& options, const InputList& inputs) {
  if (inputs.notes.places.empty()) return;
  const bool has_json =
      std::any_of(inputs.files.begin(), inputs.files.end(),
                  [](const InputFile& input) { return format_looked_into(input.path) != nullptr; });
  std::set<std::string> read;
  for (const InputFile& input : inputs.files) read.insert(file_key(input.path));
  read.erase(std::string());
  for (const auto& [flag, output] : output_options(options)) {
    if (is_written_directly(output)) continue;
    if (read.contains(file_key(output))) {
      throw Error(ErrorKind::invalid_option, output + ": is an input of this run",
                  "inputs are never changed: name another file");
    }
    refuse_where_read(output, inputs.notes, has_json);
  }
}

void refuse_checkpoint_among_inputs(const Options& options) {
  const InputRules rules = input_rules(options);
  const std::string folder = options.checkpoint + "/";
  for (const std::vector<std::string>* typed : {&options.inputs, &options.against}) {
    for (const InputPlace& place : input_places(*typed, rules)) {
      if (takes(place, folder, /*holds_rows=*/true)) refuse(options.checkpoint, place);
    }
  }
}

void refuse_rows_among_inputs(const std::string& output, const InputNotes& notes) {
  if (!output.empty() && !is_written_directly(output)) refuse_where_read(output, notes, true);
}

void refuse_outputs_in_folder(const Options& options, const RefusedOption& folder) {
  constexpr std::string_view kOfItsOwn = "name a folder of its own, which need not exist yet";
  const fs::path own = resolved_path(folder.value);
  for (const auto& [flag, output] : output_options(options)) {
    const fs::path place = resolved_path(output);
    const std::string asked = fmt::format("{} {}", flag, output);
    if (is_in_folder(place, own)) {
      throw Error(
          ErrorKind::invalid_option,
          fmt::format("{}: lies in the folder of --{} {}", asked, folder.name, folder.value),
          std::string(kOfItsOwn));
    }
    if (output.ends_with('/') && is_in_folder(own, place)) {
      throw Error(ErrorKind::invalid_option, folder,
                  fmt::format("lies in {}, which may contain only outputs", asked),
                  std::string(kOfItsOwn));
    }
  }
}

}  // namespace sosie
