// Writes a folder of outputs under a temporary name next to its final one, then flushes and renames
// it; lists the files that a run wrote there.
#include "io/output_tree.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/count_text.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "io/system.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const std::string& path, int error_number) {
  throw Error(ErrorKind::io, path + ": " + system_message(error_number));
}

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

// `meant`: the name used in messages.
std::string make_folder(std::string name, const std::string& meant) {
  if (::mkdtemp(name.data()) == nullptr) fail_at(meant, errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::chmod(name.data(), 0777 & ~mask);
  return name;
}

std::string parent_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// True if the folder contains nothing except the list that a run left there.
bool holds_nothing(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename() != kOutputListName) return false;
  }
  return !error;
}

// "a, b, c and 4 more".
std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShown) out += " and " + count_text(names.size() - kShown) + " more";
  return out;
}

[[noreturn]] void refuse_others(const std::string& folder, const std::vector<std::string>& of_runs,
                                const std::vector<std::string>& of_somebody) {
  std::vector<std::string> all = of_runs;
  all.insert(all.end(), of_somebody.begin(), of_somebody.end());
  throw Error(ErrorKind::invalid_option,
              folder + "/: holds " + plural_text(all.size(), "file", "files") +
                  " that this run does not write: " + first_names(all),
              of_somebody.empty() ? "name a new folder, or use --overwrite=all to remove them"
              : of_runs.empty()
                  ? "name a new folder, or move them away: no run is known to have written them"
                  : "name a new folder, or move them away: --overwrite=all removes only outputs of "
                    "an earlier run, such as " +
                        of_runs.front());
}

[[noreturn]] void refuse_full(const std::string& folder) {
  throw Error(ErrorKind::invalid_option, folder + ": the folder is not empty",
              "name a new one, or use --overwrite");
}

[[noreturn]] void refuse_newer(const std::string& folder) {
  throw Error(ErrorKind::invalid_option,
              folder + "/: another run has written to it since this run began",
              "name another folder, or repeat this run");
}

// Opens the folder and waits while another process moves its files into it. Does not wait if
// the file system has no locks. Polls, because a signal just before a blocking call would be
// lost.
std::unique_ptr<const Descriptor> open_locked(const std::string& folder,
                                              const std::atomic<bool>* cancel) {
  constexpr std::chrono::milliseconds kBetween{20};
  auto descriptor = std::make_unique<const Descriptor>(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor->number() < 0) fail_at(folder, errno);
  while (::flock(descriptor->number(), LOCK_EX | LOCK_NB) != 0 &&
         (errno == EWOULDBLOCK || errno == EINTR)) {
    throw_if_cancelled(cancel);
    std::this_thread::sleep_for(kBetween);
  }
  return descriptor;
}

// One call instead of one per file.
void flush_file_system(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail_at(folder, errno);
  const int status = flush_file_system_of(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  if (status != 0) fail_at(folder, error_number);
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(ErrorKind::io, path.string() + ": " + error.message());
}

namespace fs = std::filesystem;

constexpr std::string_view kHead = "sosie outputs 1\n";  // the digit is the version
constexpr std::uint64_t kMostListBytes = std::uint64_t{1} << 30;

// Adds the files in a folder by their paths, prefixed with `prefix`. A folder that no longer
// exists, such as another run's unfinished outputs, counts as empty.
void add_files_below(const fs::path& folder, const std::string& prefix,
                     std::set<std::string>& found) {
  std::error_code error;
  // No later run can read a folder without permission either.
  const auto how = fs::directory_options::skip_permission_denied;
  for (fs::directory_iterator at(folder, how, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    const fs::file_status status = at->symlink_status(gone);
    const std::string path = prefix + at->path().filename().string();
    if (fs::is_directory(status)) add_files_below(at->path(), path + "/", found);
    if (fs::is_regular_file(status)) found.insert(path);
  }
  const bool is_gone = error == std::errc::no_such_file_or_directory && !prefix.empty();
  if (error && !is_gone) throw Error(ErrorKind::io, folder.string() + ": " + error.message());
}

}  // namespace

OutputTree::OutputTree(const std::string& folder, bool overwrite, const std::atomic<bool>* cancel)
    : folder_(without_slashes(folder)), cancel_(cancel), overwrites_(overwrite) {
  std::error_code error;
  exists_ = fs::exists(folder_, error);
  if (!exists_) {
    make_temporary(parent_of(folder_), fs::path(folder_).filename().string(), folder);
    return;
  }
  if (!fs::is_directory(folder_, error)) fail_at(folder, ENOTDIR);
  if (!overwrite && !holds_nothing(folder_)) refuse_full(folder);
  make_temporary(folder_, {}, folder);
}

void OutputTree::make_temporary(const std::string& place, const std::string& name,
                                const std::string& meant) {
  remove_leftovers(place, name);
  do {
    temporary_ = make_folder(unfinished_name(place, name), meant);
    claim_ = std::make_unique<const Descriptor>(
        ::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (claim_->number() < 0 && errno != ENOENT) fail_at(meant, errno);
  } while (!claim_unfinished(claim_->number(), temporary_));
}

OutputTree::~OutputTree() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

std::string OutputTree::path_for(const std::string& relative) {
  if (exists_) refuse_links(fs::path(relative).parent_path());
  std::string path = temporary_ + "/" + relative;
  make_folders(fs::path(path).parent_path());
  return path;
}

// Throws if one of these folders below this one is a symbolic link, because its target is not part
// of this output.
void OutputTree::refuse_links(const std::filesystem::path& relative) const {
  fs::path path = folder_;
  std::error_code error;
  for (const fs::path& part : relative) {
    path /= part;
    if (!fs::is_symlink(path, error)) continue;
    throw Error(ErrorKind::io,
                path.string() + ": is a symbolic link; nothing is written through links",
                "remove it, or name another folder");
  }
}

void OutputTree::take_over(const std::vector<std::string>& paths, bool removes,
                           const KindOfFile& kind_of) {
  keeps_list_ = true;
  for (const std::string& path : paths) planned_.insert(fs::path(path).lexically_normal().string());
  removes_ = removes;
  kind_of_ = kind_of;
  if (exists_) look_over(/*again=*/false);
}

void OutputTree::look_over(bool again) {
  const std::set<std::string> there = regular_files_below(folder_);
  old_ = read_output_list(folder_, there);
  gone_.clear();
  std::vector<std::string> of_runs;
  std::vector<std::string> of_somebody;
  for (const std::string& path : there) {
    if (path == kOutputListName || planned_.contains(path)) continue;
    if (again && !old_.contains(path)) continue;  // side files of this run are there by now
    const OtherFile kind = kind_of_(path, old_.contains(path));
    if (kind == OtherFile::of_a_run) of_runs.push_back(path);
    if (kind == OtherFile::of_somebody) of_somebody.push_back(path);
  }
  if (!of_somebody.empty() || (!of_runs.empty() && !removes_)) {
    refuse_others(folder_, of_runs, of_somebody);
  }
  gone_.insert(of_runs.begin(), of_runs.end());
  // Documents that an earlier run kept and this one removes.
  std::set_intersection(planned_.begin(), planned_.end(), old_.begin(), old_.end(),
                        std::inserter(gone_, gone_.end()));
}

void OutputTree::finish() {
  if (std::exchange(finished_, true)) return;
  if (keeps_list_) {
    written_ = regular_files_below(temporary_);
    if (!exists_) write_output_list(temporary_, written_);
  }
  flush_file_system(temporary_);
}

void OutputTree::lock() {
  std::error_code error;
  if (lock_ || !keeps_list_ || !fs::exists(folder_, error)) return;
  lock_ = open_locked(folder_, cancel_);
  if (!exists_ && !overwrites_) refuse_full(folder_ + "/");
  look_over(/*again=*/true);
}

void OutputTree::commit() {
  finish();
  const bool is_new = !exists_ && ::rename(temporary_.c_str(), folder_.c_str()) == 0;
  if (!is_new) {
    // Another process may have given its folder this name.
    if (!exists_ && errno != ENOTEMPTY && errno != EEXIST) fail_at(folder_, errno);
    // A run that replaces a saved run has claimed its folder before, which was impossible if it did
    // not exist.
    if (!exists_ && !keeps_list_) refuse_newer(folder_);
    lock();
    move_into_place();
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
    lock_.reset();
  }
  temporary_.clear();
  claim_.reset();
  flush_file_system(is_new ? parent_of(folder_) : folder_);
}

// If the process is killed at any point, the list contains every existing output of this or an
// earlier run, and nothing is removed before all outputs of this run are in place.
void OutputTree::move_into_place() {
  if (!keeps_list_) return move_files();
  std::error_code ignored;
  if (!exists_) fs::remove(fs::path(temporary_) / kOutputListName, ignored);
  std::set<std::string> all = old_;
  all.insert(written_.begin(), written_.end());
  write_output_list(folder_, all);
  move_files();
  flush_file_system(folder_);
  for (const std::string& path : gone_) {
    if (!written_.contains(path)) remove_output(path);
  }
  if (all != written_) write_output_list(folder_, written_);
}

void OutputTree::remove_output(const std::string& relative) const {
  refuse_links(fs::path(relative).parent_path());
  const std::string path = folder_ + "/" + relative;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail_at(path, errno);
}

void OutputTree::move_files() {
  for (const auto& entry : fs::recursive_directory_iterator(temporary_)) {
    const fs::path relative = fs::relative(entry.path(), temporary_);
    const fs::path target = fs::path(folder_) / relative;
    if (entry.is_directory()) {
      refuse_links(relative);
      make_folders(target);
    } else if (::rename(entry.path().c_str(), target.c_str()) != 0) {
      fail_at(target.string(), errno);
    }
  }
}

std::set<std::string> regular_files_below(const std::string& folder) {
  std::set<std::string> found;
  add_files_below(folder, "", found);
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
