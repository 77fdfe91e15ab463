// Keeps outputs out of the folders that a run reads, so that the next run does not read them.
#include "options/outputs_among_inputs.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "io/output_key.h"
#include "options/folder_files.h"
#include "options/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

// With its links resolved, as far as it is there.
fs::path resolved(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(path, none), none);
}

// "**/" matches any number of folders; a single `*` of such a pattern is taken for as many, too.
bool matches_pattern(std::string pattern, const std::string& path) {
  constexpr std::string_view kAnyDepth = "**/";
  int flags = FNM_PERIOD | FNM_PATHNAME;
  for (std::size_t at = pattern.find(kAnyDepth); at != std::string::npos;
       at = pattern.find(kAnyDepth, at)) {
    pattern.replace(at, kAnyDepth.size(), "*");
    flags = 0;
  }
  return ::fnmatch(pattern.c_str(), path.c_str(), flags) == 0;
}

std::string normal(const std::string& path) {
  std::error_code none;
  return fs::absolute(path, none).lexically_normal().string();
}

bool takes(const InputPlace& place, const std::string& output) {
  if (place.is_pattern) return matches_pattern(normal(place.name), normal(output));
  const fs::path folder = resolved(place.name);
  const fs::path file = resolved(output);
  const auto [at, below] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  if (at != folder.end()) return false;
  const bool is_hidden = std::any_of(
      below, file.end(), [](const fs::path& part) { return is_hidden_name(part.string()); });
  if (is_hidden && !place.takes_hidden) return false;
  // A folder of rows, or a saved run, holds files with extensions.
  const bool is_folder = output.ends_with('/');
  return is_folder || place.takes_all || format_by_extension(output) != nullptr;
}

bool is_written_directly(const std::string& path) {
  std::error_code error;
  return descriptor_named(path) >= 0 || (fs::exists(path, error) && fs::is_other(path, error));
}

// The folder of --save, with a slash behind it; empty: none is asked for.
std::string saved_run(const Options& options) {
  for (const auto& [name, value] : options.given) {
    if (name == "save") return value.ends_with('/') ? value : value + "/";
  }
  return {};
}

[[noreturn]] void refuse(const std::string& output, const InputPlace& place) {
  const bool is_place = !place.is_pattern && resolved(output) == resolved(place.name);
  const std::string where = place.is_pattern ? fmt::format("matches {}, an input", place.name)
                            : is_place       ? "is an input folder"
                                       : fmt::format("lies in {}, an input folder", place.name);
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: {}: the next run would read it", output, where),
              place.is_pattern
                  ? "name a file that the pattern does not match"
                  : "name one outside of that folder, or a hidden one (.NAME), which is not read");
}

}  // namespace

void refuse_outputs_among_inputs(const Options& options, const InputList& inputs) {
  if (inputs.notes.places.empty()) return;
  std::set<std::string> read;
  for (const InputFile& input : inputs.files) read.insert(file_key(input.path));
  read.erase(std::string());
  for (const std::string& output :
       {options.output, options.removed, options.removed_rows, options.clusters, options.pairs,
        options.stats, options.rejects, options.report, options.svg, saved_run(options)}) {
    if (output.empty() || is_written_directly(output)) continue;
    if (read.contains(file_key(output))) {
      throw Error(ErrorKind::invalid_option, output + ": is an input of this run",
                  "inputs are never changed: name another file");
    }
    const auto place = std::find_if(inputs.notes.places.begin(), inputs.notes.places.end(),
                                    [&](const InputPlace& each) { return takes(each, output); });
    if (place != inputs.notes.places.end()) refuse(output, *place);
  }
}

}  // namespace sosie
