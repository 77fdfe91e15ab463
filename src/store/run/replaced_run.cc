// Protects the decisions about a saved run from another run that is saved in its folder.
#include "store/run/replaced_run.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/count_text.h"
#include "io/regular_file.h"
#include "sosie/error.h"
#include "sosie/saved_run.h"
#include "store/run/run_facts.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kFilesOfRun = {"run.json", "groups", "members", "texts",
                                                         kDecisionsName};

// The first file that none of a saved run is; empty: there is none. Hidden ones are left by runs
// that were killed.
std::string other_file(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    const bool is_own = name.starts_with('.') || std::find(kFilesOfRun.begin(), kFilesOfRun.end(),
                                                           name) != kFilesOfRun.end();
    if (!is_own) return name;
  }
  if (error) throw Error(ErrorKind::io, folder + ": " + error.message());
  return {};
}

// Lines behind the first one, which says what run they are about.
std::uint64_t saved_steps(const std::string& folder) {
  const std::string path = folder + "/" + kDecisionsName;
  const auto descriptor = open_regular_file(path, O_RDONLY);
  if (!descriptor) return 0;
  const std::string text = read_to_end(descriptor->number(), path, ~std::uint64_t{0}, nullptr);
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return lines == 0 ? 0 : lines - 1;
}

std::unique_ptr<ClaimedFolder> claim_of(const std::string& folder) {
  try {
    return std::make_unique<ClaimedFolder>(folder);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(),
                "end the `sosie serve` that shows it, or name a new folder");
  }
}

}  // namespace

ReplacedRun::ReplacedRun(const std::string& folder, OverwrittenRun which) {
  std::error_code error;
  if (which == OverwrittenRun::none || !fs::is_directory(folder, error)) return;
  if (!is_saved_run(folder)) {
    if (const std::string other = other_file(folder); !other.empty()) {
      throw Error(ErrorKind::invalid_option,
                  folder + ": holds other files and no saved run, " + other + " for one",
                  "name a new folder");
    }
  }
  claim_ = claim_of(folder);
  const std::uint64_t steps = saved_steps(folder);
  if (steps == 0 || which == OverwrittenRun::any) return;
  throw Error(ErrorKind::invalid_option,
              folder + ": holds a review of " + plural_text(steps, "step", "steps"),
              "name a new folder, or say --overwrite=all to remove the review");
}

}  // namespace sosie
