// Finds the files to which a folder or a pattern refers.
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

// TABLE: names of files and folders that programs leave among data. `*` may occur at either end.
constexpr std::array<std::string_view, 9> kHiddenNames = {
    ".*",     // shells, editors, version control
    "*~",     // backup copies of editors
    "*.crc",  // Hadoop checksums
    "_SUCCESS",
    "_temporary",  // markers of Hadoop and Spark
    "_started_*",
    "_committed_*",
    "_delta_log",        // Spark and Delta transactions
    "_spark_metadata"};  // Spark streams

bool matches(std::string_view name, std::string_view pattern) noexcept {
  if (pattern.front() == '*') return name.ends_with(pattern.substr(1));
  if (pattern.back() == '*') return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

// True if a link leads to a folder that contains it, or nowhere.
bool leads_back(const fs::path& link) {
  std::error_code error;
  const std::string target = fs::canonical(link, error).string() + "/";
  if (error) return true;
  const std::string place = fs::canonical(link.parent_path(), error).string() + "/";
  return error || place.starts_with(target);
}

// Calls each(entry) for everything below a folder that is not left out; folders come before their
// contents.
template <class Each>
void walk(const std::string& folder, const FolderRules& rules, FolderFiles& left_out,
          const Each& each) {
  std::error_code error;
  const auto how = rules.follows_links ? fs::directory_options::follow_directory_symlink
                                       : fs::directory_options::none;
  for (fs::recursive_directory_iterator at(folder, how, error), end; at != end;
       at.increment(error)) {
    if (error) break;
    std::error_code ignored;  // a file that no longer exists, or a broken link
    const std::string path = at->path().string();
    if (at->path().filename() == kOutputListName) continue;  // our own file, not data
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

#ifdef GLOB_PERIOD
constexpr int kGlobHidden = GLOB_PERIOD;
#else
constexpr int kGlobHidden = 0;
#endif

// A pattern that matches only this path.
std::string as_pattern(const std::string& path) {
  std::string pattern;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// Paths in a folder (empty: the working directory) that match one component of a pattern.
std::vector<std::string> glob_part(const std::string& folder, const std::string& part,
                                   const FolderRules& rules) {
  if (part.empty()) return {folder};
  glob_t found{};
  const int how = GLOB_NOSORT | (rules.takes_hidden ? kGlobHidden : 0);
  static_cast<void>(::glob((as_pattern(folder) + part).c_str(), how, nullptr, &found));
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < found.gl_pathc; ++i) {
    const std::string path = found.gl_pathv[i];
    const std::string name = path.substr(folder.size());
    const bool is_folder_itself = (name == "." || name == "..") && name != part;
    if (!is_folder_itself) paths.push_back(path);
  }
  ::globfree(&found);
  return paths;
}

// Adds the matches of a pattern without "**", component by component, because glob() skips hidden
// folders.
void glob_paths(const std::string& pattern, const FolderRules& rules, FolderFiles& found) {
  std::vector<std::string> folders = {""};
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t end = std::min(pattern.find('/', at), pattern.size());
    const std::string part = pattern.substr(at, end - at);
    const std::string slash = pattern.substr(end, 1);
    std::vector<std::string> matched;
    for (const std::string& folder : folders) {
      for (const std::string& path : glob_part(folder, part, rules)) {
        std::error_code ignored;
        if (!slash.empty() && !part.empty() && !fs::is_directory(path, ignored)) continue;
        const bool is_taken = takes_name(part, path.substr(folder.size()), rules);
        if (is_taken) matched.push_back(path + slash);
        if (!is_taken && slash.empty()) found.hidden.push_back(path);
      }
    }
    folders = std::move(matched);
    at = end + slash.size();
  }
  found.paths.insert(found.paths.end(), folders.begin(), folders.end());
}

// Start of a component "**" in a pattern; npos if there is none.
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

void add_matching(const std::string& pattern, const FolderRules& rules, FolderFiles& found);

// Adds the paths that match `rest` in a folder or at any depth below it; all files if `rest` is
// empty.
void add_at_any_depth(const std::string& folder, const std::string& rest, const FolderRules& rules,
                      FolderFiles& found) {
  FolderFiles left_out;
  std::vector<std::string> folders = {folder};
  walk(folder.empty() ? "." : folder, rules, left_out, [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    const std::string path = entry.path().string();
    // A path in the working directory does not begin with "./".
    const std::string name = folder.empty() ? path.substr(std::string_view("./").size()) : path;
    if (entry.is_directory(ignored)) {
      folders.push_back(name + "/");
    } else if (rest.empty() && entry.is_regular_file(ignored)) {
      found.paths.push_back(name);
    }
  });
  if (rest.empty()) {
    found.hidden.insert(found.hidden.end(), left_out.hidden.begin(), left_out.hidden.end());
    return;
  }
  for (const std::string& each : folders) add_matching(as_pattern(each) + rest, rules, found);
}

void add_matching(const std::string& pattern, const FolderRules& rules, FolderFiles& found) {
  const std::size_t any = find_any_depth(pattern);
  if (any == std::string::npos) {
    glob_paths(pattern, rules, found);
    return;
  }
  std::string rest = pattern.substr(any);
  while (find_any_depth(rest) == 0) {  // "**/**" is "**"
    rest.erase(0, std::string_view("**").size());
    rest.erase(0, rest.find_first_not_of('/'));
  }
  FolderFiles folders;
  if (any == 0) {
    folders.paths.emplace_back();
  } else {
    glob_paths(pattern.substr(0, any), rules, folders);
  }
  for (const std::string& folder : folders.paths) add_at_any_depth(folder, rest, rules, found);
}

// A pattern with two components "**" may find a path more than once.
void sort_unique(std::vector<std::string>& paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
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
    if (entry.is_directory(ignored)) return;
    auto& list = entry.is_regular_file(ignored) ? found.paths : found.special;
    list.push_back(entry.path().string());
  });
  std::sort(found.paths.begin(), found.paths.end());
  std::sort(found.special.begin(), found.special.end());
  std::sort(found.links.begin(), found.links.end());
  std::sort(found.hidden.begin(), found.hidden.end());
  return found;
}

bool is_pattern(std::string_view text) noexcept {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool takes_name(std::string_view part, std::string_view name, const FolderRules& rules) noexcept {
  return rules.takes_hidden || !is_hidden_name(name) || is_hidden_name(part);
}

FolderFiles expand_pattern(const std::string& pattern, const FolderRules& rules) {
  FolderFiles found;
  add_matching(pattern, rules, found);
  if (found.paths.empty()) {
    throw Error(ErrorKind::io, BadPlace{pattern}, "no file matches",
                rules.takes_hidden ? "" : "--hidden also searches hidden files");
  }
  sort_unique(found.paths);
  sort_unique(found.hidden);
  return found;
}

}  // namespace sosie
