// Finds the files that a folder or a pattern stands for.
#include "options/folder_files.h"

#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "io/output_tree.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

// TABLE: names of files and folders that programs leave beside data. `*` may stand at one end.
constexpr std::array<std::string_view, 9> kHiddenNames = {
    ".*",     // shells, editors, version control
    "*~",     // copies of editors
    "*.crc",  // checksums of Hadoop
    "_SUCCESS",
    "_temporary",  // marks of Hadoop and Spark
    "_started_*",
    "_committed_*",
    "_delta_log",        // transactions of Spark and Delta
    "_spark_metadata"};  // streams of Spark

bool matches(std::string_view name, std::string_view pattern) noexcept {
  if (pattern.front() == '*') return name.ends_with(pattern.substr(1));
  if (pattern.back() == '*') return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

// True if a link leads to a folder that it lies in, or nowhere.
bool leads_back(const fs::path& link) {
  std::error_code error;
  const std::string target = fs::canonical(link, error).string() + "/";
  if (error) return true;
  const std::string place = fs::canonical(link.parent_path(), error).string() + "/";
  return error || place.starts_with(target);
}

// Calls each(entry) for all that is below a folder and not left out, folders before what they hold.
template <class Each>
void walk(const std::string& folder, const FolderRules& rules, FolderFiles& left_out,
          const Each& each) {
  std::error_code error;
  const auto how = rules.follows_links ? fs::directory_options::follow_directory_symlink
                                       : fs::directory_options::none;
  for (fs::recursive_directory_iterator at(folder, how, error), end; at != end;
       at.increment(error)) {
    if (error) break;
    std::error_code ignored;  // a file that is gone by now, or a link that leads nowhere
    const std::string path = at->path().string();
    if (at->path().filename() == kOutputListName) continue;  // our own, and nobody's data
    if (!rules.takes_hidden && is_hidden_name(at->path().filename().string())) {
      left_out.hidden.push_back(at->is_directory(ignored) ? path + "/" : path);
      at.disable_recursion_pending();
    } else if (at->is_symlink(ignored) && (!rules.follows_links || leads_back(at->path()))) {
      left_out.links.push_back(path);
      at.disable_recursion_pending();
    } else {
      each(*at);
    }
  }
  if (error) throw Error(ErrorKind::io, BadPlace{folder}, error.message());
}

std::vector<std::string> glob_paths(const std::string& pattern) {
  glob_t found{};
  static_cast<void>(::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found));
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  return paths;
}

// A pattern that matches this path only.
std::string as_pattern(const std::string& path) {
  std::string pattern;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// Where a part "**" of a pattern begins; npos: there is none.
std::size_t find_any_depth(std::string_view pattern) noexcept {
  constexpr std::string_view kAny = "**";
  for (std::size_t at = pattern.find(kAny); at != std::string_view::npos;
       at = pattern.find(kAny, at + 1)) {
    const std::size_t end = at + kAny.size();
    const bool begins = at == 0 || pattern[at - 1] == '/';
    if (begins && (end == pattern.size() || pattern[end] == '/')) return at;
  }
  return std::string_view::npos;
}

std::vector<std::string> matching_paths(const std::string& pattern, const FolderRules& rules);

// Adds the paths that match `rest` in a folder or at any depth below it; all files if it is empty.
void add_at_any_depth(const std::string& folder, const std::string& rest, const FolderRules& rules,
                      std::vector<std::string>& paths) {
  FolderFiles left_out;
  std::vector<std::string> folders = {folder};
  walk(folder.empty() ? "." : folder, rules, left_out, [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    const std::string path = entry.path().string();
    // A path in the working folder begins with no "./".
    const std::string name = folder.empty() ? path.substr(std::string_view("./").size()) : path;
    if (entry.is_directory(ignored)) {
      folders.push_back(name + "/");
    } else if (rest.empty() && entry.is_regular_file(ignored)) {
      paths.push_back(name);
    }
  });
  if (rest.empty()) return;
  for (const std::string& each : folders) {
    const auto found = matching_paths(as_pattern(each) + rest, rules);
    paths.insert(paths.end(), found.begin(), found.end());
  }
}

std::vector<std::string> matching_paths(const std::string& pattern, const FolderRules& rules) {
  const std::size_t any = find_any_depth(pattern);
  if (any == std::string::npos) return glob_paths(pattern);
  std::string rest = pattern.substr(any);
  while (find_any_depth(rest) == 0) {  // "**/**" is "**"
    rest.erase(0, std::string_view("**").size());
    rest.erase(0, rest.find_first_not_of('/'));
  }
  std::vector<std::string> folders = {""};
  if (any > 0) folders = glob_paths(pattern.substr(0, any));
  std::vector<std::string> paths;
  for (const std::string& folder : folders) add_at_any_depth(folder, rest, rules, paths);
  return paths;
}

}  // namespace

bool is_hidden_name(std::string_view name) noexcept {
  return std::any_of(kHiddenNames.begin(), kHiddenNames.end(),
                     [&](std::string_view pattern) { return matches(name, pattern); });
}

FolderFiles files_below(const std::string& folder, const FolderRules& rules) {
  FolderFiles found;
  walk(folder, rules, found, [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) found.paths.push_back(entry.path().string());
  });
  std::sort(found.paths.begin(), found.paths.end());
  std::sort(found.links.begin(), found.links.end());
  std::sort(found.hidden.begin(), found.hidden.end());
  return found;
}

bool is_pattern(std::string_view text) noexcept {
  return text.find_first_of("*?[") != std::string_view::npos;
}

std::vector<std::string> expand_pattern(const std::string& pattern, const FolderRules& rules) {
  std::vector<std::string> paths = matching_paths(pattern, rules);
  if (paths.empty()) throw Error(ErrorKind::io, BadPlace{pattern}, "no file matches");
  // Two parts "**" find a path in more than one way.
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace sosie
