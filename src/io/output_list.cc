// The list of files that a run wrote into a folder, kept there for the next run.
#include "io/output_list.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "io/output_file.h"
#include "io/regular_file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "sosie outputs 1\n";  // the digit is the version
constexpr std::uint64_t kMostListBytes = std::uint64_t{1} << 30;

}  // namespace

std::set<std::string> regular_files_below(const std::string& folder) {
  std::set<std::string> found;
  std::error_code error;
  // A folder that may not be read is one that no later run reads.
  const auto how = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, how, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;  // a file that is gone by now
    if (fs::is_regular_file(at->symlink_status(ignored))) {
      found.insert(at->path().lexically_relative(folder).string());
    }
  }
  if (error) throw Error(ErrorKind::io, folder + ": " + error.message());
  return found;
}

std::set<std::string> read_output_list(const std::string& folder,
                                       const std::set<std::string>& there) {
  const std::string path = folder + "/" + kOutputListName;
  const auto descriptor = open_regular_file(path, O_RDONLY);
  if (!descriptor) return {};
  const std::string text = read_to_end(descriptor->number(), path, kMostListBytes, nullptr);
  if (!text.starts_with(kHead)) return {};
  std::set<std::string> listed;
  for (std::size_t at = kHead.size(); at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    listed.insert(text.substr(at, end - at));
    at = end + 1;
  }
  std::set<std::string> known;
  std::set_intersection(listed.begin(), listed.end(), there.begin(), there.end(),
                        std::inserter(known, known.end()));
  return known;
}

void write_output_list(const std::string& folder, const std::set<std::string>& paths) {
  OutputFile file(folder + "/" + kOutputListName, OutputFile::Durability::flushed_to_disk,
                  Compression::none);
  file.write(kHead);
  for (const std::string& path : paths) {
    file.write(path);
    file.write(std::string_view("\0", 1));
  }
  file.commit();
}

}  // namespace sosie
