// Recognises the folder of --checkpoint before a run writes to it.
#include "store/run/checkpoint_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "corpus/open_files.h"
#include "corpus/rows/grouped_rows.h"
#include "corpus/sketches.h"
#include "io/output_key.h"
#include "options/outputs_among_inputs.h"
#include "sosie/error.h"
#include "store/index_options.h"

namespace sosie {
namespace {

constexpr std::string_view kAnyMark = "sosie checkpoint ";  // and a version
constexpr std::string_view kMarkOfCompared = "sosie compared ";
constexpr std::uint64_t kFlushBytes = std::uint64_t{16} << 20;
constexpr std::string_view kRows = "rows";
constexpr std::string_view kCompared = "compared";

namespace fs = std::filesystem;

bool is_left_behind(const fs::directory_entry& entry) {  // by a run that was killed
  const std::string name = entry.path().filename().string();
  std::error_code none;
  return fs::is_regular_file(entry.symlink_status(none)) &&
         (name.starts_with(".input.sosie-") || name.starts_with(".rows.sosie-") ||
          name.starts_with(".compared.sosie-"));
}

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& name) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"checkpoint", folder},
              fmt::format("holds other files, such as {}", name),
              "name a folder of its own, which need not exist yet");
}

// Never writes to a folder with other contents. `input` belongs to a checkpoint only together with
// `rows`, which is created first.
void check_folder(const std::string& folder) {
  std::vector<fs::path> left;
  bool has_rows = false;
  bool has_input = false;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    const std::string name = entry->path().filename().string();
    if (is_left_behind(*entry)) {
      left.push_back(entry->path());
      continue;
    }
    const bool is_input =
        entry->path() == input_kept_in(folder) && fs::is_regular_file(entry->symlink_status(error));
    if (name != kRows && name != kCompared && !is_input) refuse_folder(folder, name);
    has_rows |= name == kRows;
    has_input |= is_input;
  }
  if (error) throw Error(ErrorKind::io, folder + ": " + error.message());
  if (has_input && !has_rows) refuse_folder(folder, "input");
  for (const fs::path& path : left) fs::remove(path, error);
}

// Checks the folder before `rows` is created in it.
const ClaimedFolder& checked(const ClaimedFolder& folder) {
  check_folder(folder.path());
  Journal::expect_journal(folder.file(std::string(kCompared)), kMarkOfCompared);
  return folder;
}

}  // namespace

CheckpointFolder::CheckpointFolder(const std::string& folder)
    : folder_(folder), rows_(checked(folder_).file(std::string(kRows)), kAnyMark, kFlushBytes) {}

void CheckpointFolder::expect_apart(const Inputs& inputs) const {
  const fs::path folder = resolved_path(folder_.path());
  const auto refuse = [&](const std::string& path) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: lies in the folder of --checkpoint {}", path, folder_.path()),
                "name a folder of its own, which need not exist yet");
  };
  const Inputs& read = inputs.grouped ? inputs.grouped->files : inputs;
  for (const InputFile& input : read.list) {
    if (input.path != "-" && is_in_folder(resolved_path(input.path), folder)) refuse(input.path);
  }
  for (const std::string& path : read.notes.passed_over) {
    if (is_in_folder(resolved_path(path), folder)) refuse(path);
  }
}

void check_checkpoint_options(const Options& options) {
  if (deciding_sketches(options) != nullptr || !options.reuse.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"checkpoint"},
                options.against_sketches ? "cannot be combined with sketches as --against"
                                         : "cannot be combined with --reuse");
  }
  if (options.table || options.against_table) {
    throw Error(ErrorKind::unsupported, RefusedOption{"checkpoint"},
                "rows in memory are lost when the process ends", "write them to a file first");
  }
  refuse_checkpoint_among_inputs(options);
  refuse_outputs_in_folder(options, {"checkpoint", options.checkpoint});
}

}  // namespace sosie
